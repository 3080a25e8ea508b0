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
package io.phoenixpruning.cli.explain;

import java.sql.SQLException;
import java.util.Optional;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;

/**
 * Database in which statements are planned: a cluster, or definitions of tables without a cluster.
 */
public interface Database {

  PhoenixConnection connection();

  /** Returns the data block encoding of a column family of {@code table}. */
  DataBlockEncoding encoding(PTable table, String family) throws SQLException;

  /**
   * Returns a warning if the statistics of {@code table} are missing or stale. The table may be an
   * index.
   */
  Optional<Warning> statisticsWarning(PTable table) throws SQLException;

  /**
   * Returns where a missing table can be defined, for messages: for example {@code on the cluster}.
   */
  String whereToDefine();
}
