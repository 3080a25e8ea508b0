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
import java.util.Map;
import javax.management.ObjectName;

/** Controls a client that runs in a separate process. */
public interface QueryClientMXBean {

  /** Name of this bean in the client's process. */
  ObjectName NAME = BeanName.of("io.phoenixpruning:type=QueryClient");

  /** Opens a connection under {@code name}. An open connection of that name is closed. */
  void connect(String name, Map<String, String> properties) throws IOException;

  /** Clears the client's cache of region locations of {@code table}. */
  void forgetLocations(String name, String table) throws IOException;

  /**
   * Returns the number of scan RPCs for {@code table} that the connections of this client have sent
   * so far. HBase counts them only if {@code hbase.client.table.metrics.enable} is set.
   */
  long scanRpcs(String table) throws IOException;

  /**
   * Runs a query.
   *
   * @throws IOException if the query fails, with Phoenix's message
   */
  QueryRun query(String name, String sql) throws IOException;

  /**
   * Compiles and then runs a query. Compiling is not measured.
   *
   * @throws IOException if the query fails, with Phoenix's message
   */
  QueryRun queryCompiled(String name, String sql) throws IOException;

  /** Returns the lines of EXPLAIN for a query. */
  String[] explain(String name, String sql) throws IOException;

  /** Returns the name of the table or index that the plan of a query scans. */
  String scannedTable(String name, String sql) throws IOException;

  /**
   * Runs a query once for each of the integers in {@code binds}.
   *
   * @param rows expected number of rows of all runs together
   * @return milliseconds of each run
   * @throws IOException if a run fails, or if the runs do not have {@code rows} rows
   */
  double[] queryLatencies(String name, String sql, int[] binds, long rows) throws IOException;

  /**
   * Runs a query at a fixed rate, without waiting for answers, once for each of the integers in
   * {@code binds}. The time of a query counts from when it was due, which includes all waiting
   * time.
   *
   * @param names names of connections, which take turns; each has its own thread
   * @param rate queries per second
   * @return milliseconds of each query, in the order of {@code binds}; NaN if the query failed
   */
  double[] offerLoad(String[] names, String sql, int[] binds, double rate) throws IOException;

  /**
   * Runs a statement that is not a query.
   *
   * @return milliseconds
   */
  double update(String name, String sql) throws IOException;

  /**
   * Writes {@code rows} rows with an UPSERT whose parameters are integers. The first parameter is
   * the number of the row, counted from {@code first}. The others are random, from 0 inclusive to
   * {@code bound} exclusive.
   *
   * @return milliseconds, including the last commit
   */
  double write(
      String name, String upsert, int first, int rows, int rowsOfCommit, int bound, long seed)
      throws IOException;

  /**
   * Executes a statement several times and measures the cost for this process.
   *
   * @param name name of the connection
   * @param bounds for each integer parameter, the exclusive bound of its random values from 0; if
   *     the bound is 0, the parameter is the number of the execution plus {@code first}
   * @param executionsOfCommit number of executions per commit
   * @param seed seed of the random parameters
   * @throws IOException if the statement fails, with Phoenix's message
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
}
