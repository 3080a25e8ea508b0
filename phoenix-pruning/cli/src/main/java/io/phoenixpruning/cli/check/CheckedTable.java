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
package io.phoenixpruning.cli.check;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.layout.NamedTable;
import io.phoenixpruning.cli.layout.TableArgument;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PIndexState;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableRef;
import org.jspecify.annotations.Nullable;

/**
 * A table or a view, with the local indexes to compare with it. A view is not compared with the
 * indexes that it inherits.
 */
public final class CheckedTable {

  private final NamedTable named;
  private final List<IndexLayout> layouts = new ArrayList<>();
  private final List<CheckRequest.Index> indexes = new ArrayList<>();
  private final @Nullable Expression condition;

  private CheckedTable(NamedTable named, List<PTable> indexes) throws SQLException {
    this.named = named;
    this.condition = condition(named.connection(), named.table());
    for (PTable index : indexes) {
      this.layouts.add(IndexLayout.of(named.connection(), named.table(), index));
      this.indexes.add(CheckRequest.Index.of(named.table(), index, named.connection()));
    }
  }

  /**
   * Finds a table or a view.
   *
   * @throws RefusedException if there is no such table with a local index, or if its indexes cannot
   *     be compared
   */
  public static CheckedTable find(PhoenixConnection connection, TableArgument argument)
      throws SQLException {
    NamedTable named = NamedTable.find(connection, argument);
    PTable table = named.table();
    if (table.getType() == PTableType.INDEX) {
      throw argument.refused(
          "is an index. Expected a table or a view",
          "Give " + table.getParentName() + ", the table of the index");
    }
    if (table.isTransactional()) {
      throw argument.refused(
          "is transactional. Its rows depend on transactions, which check does not read",
          "Rebuild its indexes with ALTER INDEX ... REBUILD");
    }
    List<PTable> indexes = table.getIndexes().stream().filter(CheckedTable::isOwn).toList();
    if (indexes.isEmpty()) {
      throw argument.refused("has no local index", "Run CREATE LOCAL INDEX first");
    }
    for (PTable index : indexes) {
      requireComparable(argument, index);
    }
    return new CheckedTable(named, indexes);
  }

  /** Returns whether {@code index} is a local index that is not inherited from another table. */
  private static boolean isOwn(PTable index) {
    return index.getIndexType() == IndexType.LOCAL
        && !index.getName().getString().contains(QueryConstants.CHILD_VIEW_INDEX_NAME_SEPARATOR);
  }

  private static void requireComparable(TableArgument argument, PTable index) {
    if (index.getIndexState() != PIndexState.ACTIVE) {
      throw argument.refused(
          "has the index " + index.getName() + " in state " + index.getIndexState(),
          "Wait until it is built, rebuild it with ALTER INDEX ... REBUILD, or drop it");
    }
    if (index.getIndexWhere() != null) {
      throw argument.refused(
          "has the index " + index.getName() + " with a WHERE, which check does not support",
          "Rebuild it with ALTER INDEX ... REBUILD");
    }
  }

  private static @Nullable Expression condition(PhoenixConnection connection, PTable table)
      throws SQLException {
    if (table.getViewStatement() == null) {
      return null;
    }
    ParseNode where = new SQLParser(table.getViewStatement()).parseQuery().getWhere();
    if (where == null) {
      return null;
    }
    try (PhoenixStatement statement = new PhoenixStatement(connection)) {
      StatementContext context =
          new StatementContext(statement, FromCompiler.getResolver(new TableRef(table)));
      context.setCurrentTable(new TableRef(table));
      return WhereCompiler.compile(context, where);
    }
  }

  /** Returns the name with its schema. */
  public String name() {
    return named.name();
  }

  /** Returns the layouts of the indexes, in the order in which requests name the indexes. */
  public List<IndexLayout> layouts() {
    return layouts;
  }

  /** Opens the HBase table that stores the rows. */
  Table open() throws SQLException {
    return named.connection().getQueryServices().getTable(named.physicalName());
  }

  /** Returns the current descriptor of the table in HBase. */
  TableDescriptor descriptor() throws SQLException {
    return named.descriptor();
  }

  /** Looks up the current regions, in key order. */
  List<RegionInfo> regions() throws SQLException {
    return named.regions();
  }

  /**
   * Returns the requests that compare all indexes in {@code region}. If one request may not have
   * that many indexes, there are several.
   */
  List<IndexRange> requests(RegionInfo region, int seed, int bucketBits) throws IOException {
    List<IndexRange> requests = new ArrayList<>();
    int max = Math.min(CheckRequest.MAX_INDEXES, CheckRequest.MAX_BUCKETS >> bucketBits);
    for (int first = 0; first < indexes.size(); first += max) {
      requests.add(
          new IndexRange(
              first,
              CheckRequest.of(
                  seed,
                  bucketBits,
                  region.getStartKey(),
                  region.getEndKey(),
                  indexes.subList(first, Math.min(indexes.size(), first + max)),
                  condition)));
    }
    return requests;
  }

  /**
   * A request for some of the indexes.
   *
   * @param first position of the first index of the request in {@link #layouts}
   */
  record IndexRange(int first, CheckRequest request) {}
}
