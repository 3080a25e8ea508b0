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
import java.util.Map;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** A client in a process of its own, and what it does when it is told. */
public interface QueryClientMXBean {

  /** Its name in the process. */
  ObjectName NAME = name("io.phoenixpruning:type=QueryClient");

  /** Opens a connection that is known by {@code name}, instead of one of that name. */
  void connect(String name, Map<String, String> properties) throws IOException;

  /** Forgets where the regions of {@code table} are. */
  void forgetLocations(String name, String table) throws IOException;

  /**
   * The Scan RPCs for {@code table} that its connections have sent up to now. They are counted only
   * where HBase's {@code hbase.client.table.metrics.enable} is set.
   */
  long scanRpcs(String table) throws IOException;

  /**
   * Runs a query.
   *
   * @throws IOException with what Phoenix says, if it fails
   */
  QueryRun query(String name, String sql) throws IOException;

  /**
   * Runs a query again and again, each time with another integer bound.
   *
   * @param rows of all of them together
   * @return the milliseconds of each
   * @throws IOException if one fails, or they have other than {@code rows} rows
   */
  double[] queries(String name, String sql, int[] binds, long rows) throws IOException;

  /**
   * Runs a query at a fixed rate, whatever the answers take, each time with another integer bound.
   * The time of each counts from when it was due, so that no wait is left out.
   *
   * @param names of connections, which take turns, each with a thread of its own
   * @param rate queries a second
   * @return the milliseconds of each, in the order of {@code binds}; not a number if it failed
   */
  double[] offer(String[] names, String sql, int[] binds, double rate) throws IOException;

  /**
   * Runs a statement that is no query.
   *
   * @return milliseconds
   */
  double update(String name, String sql) throws IOException;

  /**
   * Writes {@code rows} rows with an UPSERT whose parameters are integers: the number of the row
   * from {@code first} on, then random ones that are not negative and less than {@code bound}.
   *
   * @return milliseconds, with the last commit
   */
  double write(
      String name, String upsert, int first, int rows, int rowsOfCommit, int bound, long seed)
      throws IOException;

  /**
   * Executes a statement several times, and measures what that costs this process.
   *
   * @param name of the connection
   * @param bounds of the parameters, which are integers: a random one from 0 to below the bound,
   *     or, for a bound of 0, the number of the execution plus {@code first}
   * @param executionsOfCommit how many executions are committed together
   * @param seed of the random parameters
   * @throws IOException with Phoenix's message, if it fails
   */
  Turn turn(
      String name,
      Turn.Kind kind,
      String sql,
      int executions,
      int[] bounds,
      int first,
      int executionsOfCommit,
      long seed)
      throws IOException;

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(name, e);
    }
  }
}
