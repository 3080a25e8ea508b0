/*
 * Copyright the Phoenix Pruning authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express
 * or implied. See the License for the specific language governing permissions and limitations under
 * the License.
 */
package io.phoenixpruning.perf.cluster;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.query.QueryServices;

/** A cluster with Phoenix that a benchmark runs on. */
public interface MeasuredCluster extends AutoCloseable {

  /** Connects to {@code url} with {@code properties}, which win over those of benchmarks. */
  static Connection connect(String url, Map<String, String> properties) throws SQLException {
    Properties all = new Properties();
    // Nobody writes to a table while it gets an index.
    all.setProperty(QueryServices.INDEX_POPULATION_SLEEP_TIME, "0");
    all.putAll(properties);
    return DriverManager.getConnection(url, all);
  }

  /** Connects with {@code properties}. */
  Connection connect(Map<String, String> properties) throws SQLException;

  /**
   * Starts a client in a process of its own.
   *
   * @param name of its log
   * @param limit of its heap, such as {@code 1g}
   * @param classPath with this module, and Phoenix's jars: ours or stock's
   */
  QueryClientMXBean startClient(String name, String limit, String classPath)
      throws IOException, InterruptedException;

  /** The Scan RPCs for {@code table} up to now. */
  long scanRpcs(TableName table) throws IOException;

  /**
   * Makes one file of those that each family of each region of {@code table} has, and waits for it.
   * What is in memory is not written.
   */
  void compact(TableName table) throws SQLException, IOException;

  /**
   * The bytes of the files that a family of {@code table} has, or one whose name begins so. Empty
   * if servers do not tell: HBase reports whole megabytes of all families.
   */
  OptionalLong storeFileBytes(TableName table, String family);

  /**
   * Whether it was there before and will be there afterwards: then tables are dropped at the end,
   * and nothing else is changed.
   */
  boolean isOfOthers();

  /** Ends what it has started. */
  @Override
  void close();
}
