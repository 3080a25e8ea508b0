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
package io.phoenixpruning.perf.harness.cluster;

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

  /** Properties of all connections of this process and of clients. They shorten only DDL. */
  Map<String, String> PROPERTIES =
      Map.of(
          // Nobody writes to a table while an index is created on it.
          QueryServices.INDEX_POPULATION_SLEEP_TIME,
          "0",
          // After each change of a table, Phoenix sleeps this long, even if the change is complete.
          // The default is 5 seconds, so more checks make up for the shorter time.
          QueryServices.DELAY_FOR_SCHEMA_UPDATE_CHECK,
          "50",
          QueryServices.NUM_RETRIES_FOR_SCHEMA_UPDATE_CHECK,
          "2000",
          // UPDATE STATISTICS waits until the statistics are written.
          QueryServices.RUN_UPDATE_STATS_ASYNC,
          "false");

  /**
   * Connects to {@code url}. {@code properties} override the properties that all benchmarks set.
   */
  static Connection connect(String url, Map<String, String> properties) throws SQLException {
    Properties all = new Properties();
    all.putAll(PROPERTIES);
    all.putAll(properties);
    return DriverManager.getConnection(url, all);
  }

  /** Connects with {@code properties}. */
  Connection connect(Map<String, String> properties) throws SQLException;

  /**
   * Starts a client in a separate process.
   *
   * @param name name of the client's log
   * @param limit limit of the client's heap, such as {@code 1g}
   * @param classPath class path with this module and Phoenix's jars, either ours or stock's
   */
  QueryClientMXBean startClient(String name, String limit, String classPath)
      throws IOException, InterruptedException;

  /** Returns the number of scan RPCs for {@code table} so far. */
  long scanRpcs(TableName table) throws IOException;

  /**
   * Compacts the files of each family of each region of {@code table} into one file, and waits for
   * the end. Memstores are not flushed.
   */
  void compact(TableName table) throws SQLException, IOException;

  /**
   * Returns the total size in bytes of the files of {@code table}, in all families whose name
   * begins with {@code family}. Empty if servers do not report it: HBase reports only whole
   * megabytes of all families.
   */
  OptionalLong storeFileBytes(TableName table, String family);

  /**
   * Returns whether the cluster existed before the benchmark and keeps running afterwards. If so,
   * the benchmark drops its tables at the end and changes nothing else.
   */
  boolean isExternal();

  /** Ends all processes that were started. */
  @Override
  void close();
}
