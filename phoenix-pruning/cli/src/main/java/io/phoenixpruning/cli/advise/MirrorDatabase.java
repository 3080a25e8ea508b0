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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.ClusterDatabase;
import io.phoenixpruning.cli.explain.ClusterlessPhoenix;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.Warning;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;

/**
 * Copy of a cluster's tables without their rows. The copy has the columns, indexes, regions and
 * statistics that the tables had when it was made. It plans statements as the cluster's client
 * does. DDL changes only the copy, so indexes can be tried that the cluster does not have.
 */
public final class MirrorDatabase implements Database, AutoCloseable {

  private final ClusterDatabase cluster;
  private final ClusterlessPhoenix phoenix;

  /** Full names of the tables and indexes that were copied from the cluster. */
  private final Set<String> copied = new HashSet<>();

  private MirrorDatabase(ClusterDatabase cluster, ClusterlessPhoenix phoenix) {
    this.cluster = cluster;
    this.phoenix = phoenix;
  }

  /**
   * Copies tables with all their indexes. Writes nothing to the cluster.
   *
   * @param cluster its settings also apply to the copy; the caller closes it after the copy
   * @param tables full names of the tables, as in {@link PTable#getName}
   * @throws RefusedException if a table cannot be copied
   */
  public static MirrorDatabase of(PhoenixConnection cluster, Collection<String> tables)
      throws SQLException {
    ClusterlessPhoenix phoenix = ClusterlessPhoenix.create(cluster.getQueryServices());
    MirrorDatabase mirror = new MirrorDatabase(new ClusterDatabase(cluster), phoenix);
    try {
      TableCopier copier = new TableCopier(cluster, phoenix);
      for (String table : tables) {
        mirror.recordCopied(copier.copy(table));
      }
    } catch (RefusedException | SQLException e) {
      try {
        mirror.close();
      } catch (SQLException notClosed) {
        e.addSuppressed(notClosed);
      }
      throw e;
    }
    return mirror;
  }

  private void recordCopied(PTable table) {
    copied.add(table.getName().getString());
    table.getIndexes().forEach(index -> copied.add(index.getName().getString()));
  }

  @Override
  public PhoenixConnection connection() {
    return phoenix.connection();
  }

  @Override
  public DataBlockEncoding encoding(PTable table, String family) throws SQLException {
    return cluster.encoding(table, family);
  }

  /**
   * Returns the cluster's warning for a copied table or index. An index that only the copy has gets
   * no warning, because it cannot have statistics.
   */
  @Override
  public Optional<Warning> statisticsWarning(PTable table) throws SQLException {
    return copied.contains(table.getName().getString())
        ? cluster.statisticsWarning(table)
        : Optional.empty();
  }

  @Override
  public String whereToDefine() {
    return cluster.whereToDefine();
  }

  @Override
  public void close() throws SQLException {
    phoenix.close();
  }
}
