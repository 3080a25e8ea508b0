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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/** The tables of a running cluster. */
public final class ClusterDatabase implements Database {

  private final PhoenixConnection connection;
  private final StatisticsCheck statistics;

  /** Creates a database for {@code connection}, which the caller closes. */
  public ClusterDatabase(Connection connection) throws SQLException {
    this.connection = connection.unwrap(PhoenixConnection.class);
    this.statistics = new StatisticsCheck(this.connection);
  }

  @Override
  public PhoenixConnection connection() {
    return connection;
  }

  @Override
  public DataBlockEncoding encoding(PTable table, String family) throws SQLException {
    ColumnFamilyDescriptor descriptor =
        connection
            .getQueryServices()
            .getTableDescriptor(table.getPhysicalName().getBytes())
            .getColumnFamily(Bytes.toBytes(family));
    // The family may not exist yet, such as the family of the first local index. Phoenix would
    // create such a family with this encoding.
    return descriptor == null
        ? SchemaUtil.DEFAULT_DATA_BLOCK_ENCODING
        : descriptor.getDataBlockEncoding();
  }

  @Override
  public Optional<Warning> statisticsWarning(PTable table) throws SQLException {
    return statistics.warning(table);
  }

  @Override
  public String whereToDefine() {
    return "on the cluster";
  }
}
