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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.ColumnProjector;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.FamilyWildcardParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableName;
import org.apache.phoenix.parse.TableWildcardParseNode;
import org.apache.phoenix.parse.WildcardParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.apache.phoenix.schema.AmbiguousColumnException;
import org.apache.phoenix.schema.ColumnRef;
import org.apache.phoenix.schema.MetaDataEntityNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Names the columns of a statement before Phoenix translates it to an index. Each {@code *} becomes
 * the columns of the table. Columns and expressions keep the labels that they have on the data
 * table.
 */
public final class IndexColumns {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  /**
   * Separates the name of a table from a label, in the alias of a column. Only this class makes
   * such aliases, and no client sees them.
   */
  private static final String TABLE_END = "\0" + Patch.INDEX_COLUMNS.id() + "\0";

  private final SelectStatement select;
  private final QueryPlan dataPlan;
  private final PhoenixConnection connection;
  private final ColumnResolver resolver;
  private final boolean isJoin;

  private IndexColumns(SelectStatement select, QueryPlan dataPlan, boolean isJoin)
      throws SQLException {
    this.select = select;
    this.dataPlan = dataPlan;
    this.isJoin = isJoin;
    connection = dataPlan.getContext().getConnection();
    resolver =
        isJoin
            ? FromCompiler.getResolverForQuery(select, connection)
            : FromCompiler.getResolver(dataPlan.getTableRef());
  }

  /** Returns the statement of a single table, with names if the table has a local index. */
  public static SelectStatement ofTable(SelectStatement select, QueryPlan dataPlan) {
    return hasLocalIndex(dataPlan.getTableRef().getTable()) && isOn(select, dataPlan)
        ? named(select, dataPlan, false)
        : select;
  }

  /**
   * Returns a join, or a statement with a subquery, with names if one of its tables has a local
   * index. Returns other statements unchanged.
   */
  public static SelectStatement ofJoin(SelectStatement select, QueryPlan dataPlan) {
    boolean hasSubquery = select.getWhere() != null && select.getWhere().hasSubquery();
    if (select.isUnion() || !(select.isJoin() || hasSubquery) || dataPlan.getProjector() == null) {
      return select;
    }
    for (TableRef table : dataPlan.getSourceRefs()) {
      if (hasLocalIndex(table.getTable())) {
        return isOn(select, dataPlan) ? named(select, dataPlan, true) : select;
      }
    }
    return select;
  }

  private static boolean hasWildcard(SelectStatement select) {
    return select.getSelect().stream().anyMatch(selected -> isWildcard(selected.getNode()));
  }

  private static boolean hasLocalIndex(PTable table) {
    List<PTable> indexes = table.getIndexes();
    for (int i = 0; i < indexes.size(); i++) {
      if (indexes.get(i).getIndexType() == PTable.IndexType.LOCAL) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether to name the columns. If a {@code *} includes dynamic columns, its columns are
   * known only when a row is read.
   */
  private static boolean isOn(SelectStatement select, QueryPlan dataPlan) {
    PhoenixConnection connection = dataPlan.getContext().getConnection();
    return Patches.isOn(Patch.INDEX_COLUMNS, connection)
        && !(hasWildcard(select) && hasDynamicColumns(connection));
  }

  private static boolean hasDynamicColumns(PhoenixConnection connection) {
    return connection
        .getQueryServices()
        .getConfiguration()
        .getBoolean(
            QueryServices.WILDCARD_QUERY_DYNAMIC_COLS_ATTRIB,
            QueryServicesOptions.DEFAULT_WILDCARD_QUERY_DYNAMIC_COLS_ATTRIB);
  }

  /** Returns whether {@code node} selects several columns. */
  public static boolean isWildcard(ParseNode node) {
    return node instanceof WildcardParseNode
        || node instanceof TableWildcardParseNode
        || node instanceof FamilyWildcardParseNode;
  }

  private static SelectStatement named(SelectStatement select, QueryPlan dataPlan, boolean isJoin) {
    try {
      return new IndexColumns(select, dataPlan, isJoin).named();
    } catch (SQLException e) {
      // Phoenix looks up the same names next, and reports the error.
      return select;
    }
  }

  private SelectStatement named() throws SQLException {
    List<? extends ColumnProjector> projectors = dataPlan.getProjector().getColumnProjectors();
    List<AliasedNode> nodes = new ArrayList<>(projectors.size());
    int position = 0;
    boolean isChanged = false;
    for (AliasedNode selected : select.getSelect()) {
      ParseNode node = selected.getNode();
      PTable table = isWildcard(node) ? tableOfWildcard(node) : null;
      List<ParseNode> columns =
          table == null ? Collections.singletonList(node) : columns(node, table);
      if (position + columns.size() > projectors.size()) {
        return select;
      }
      if (table == null ? hasLabel(selected) : !hasNames(table) || !isFound(node, table)) {
        nodes.add(selected);
        position += columns.size();
        continue;
      }
      isChanged = true;
      for (ParseNode column : columns) {
        ColumnProjector projector = projectors.get(position++);
        nodes.add(
            table != null && isJoin
                ? labelledWithTable(projector, column)
                : labelled(projector, column));
      }
    }
    return isChanged && position == projectors.size()
        ? NODES.select(select, select.isDistinct(), nodes)
        : select;
  }

  private static AliasedNode labelled(ColumnProjector projector, ParseNode node) {
    String label = projector.getLabel();
    return NODES.aliasedNode(
        label.equals(SchemaUtil.normalizeIdentifier(label)) ? label : quoted(label), node);
  }

  /**
   * Gives a column of a {@code T.*} an alias of its label and the name of its table. A client can
   * read the column by both: {@code getString("T.V")}.
   */
  private static AliasedNode labelledWithTable(ColumnProjector projector, ParseNode node) {
    return NODES.aliasedNode(
        quoted(projector.getTableName() + TABLE_END + projector.getLabel()), node);
  }

  /** Returns the name of the table in an alias, or null if the alias is only a label. */
  public static @Nullable String tableOf(String alias) {
    int end = alias.indexOf(TABLE_END);
    return end < 0 ? null : alias.substring(0, end);
  }

  /** Returns the label in an alias that has the name of a table. */
  public static String labelOf(String alias) {
    return alias.substring(alias.indexOf(TABLE_END) + TABLE_END.length());
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  /** Returns whether Phoenix gives a node the same label along an index. */
  private boolean hasLabel(AliasedNode selected) throws SQLException {
    if (selected.getAlias() != null) {
      return true;
    }
    if (!(selected.getNode() instanceof ColumnParseNode)) {
      return false;
    }
    ColumnParseNode node = (ColumnParseNode) selected.getNode();
    try {
      return resolver
              .resolveColumn(node.getSchemaName(), node.getTableName(), node.getName())
              .getColumn()
              .getViewConstant()
          == null;
    } catch (MetaDataEntityNotFoundException e) {
      return true;
    }
  }

  /** Returns the table whose columns a wildcard selects. */
  private PTable tableOfWildcard(ParseNode wildcard) throws SQLException {
    if (isJoin && wildcard instanceof TableWildcardParseNode) {
      TableName name = ((TableWildcardParseNode) wildcard).getTableName();
      return resolver.resolveTable(name.getSchemaName(), name.getTableName()).getTable();
    }
    return (isJoin ? resolver.getTables().get(0) : dataPlan.getTableRef()).getTable();
  }

  /** Returns the columns that a wildcard selects from {@code table}. */
  private List<ParseNode> columns(ParseNode node, PTable table) throws SQLException {
    TableName name =
        isJoin && node instanceof TableWildcardParseNode
            ? ((TableWildcardParseNode) node).getTableName()
            : null;
    Collection<PColumn> columns =
        node instanceof FamilyWildcardParseNode
            ? table.getColumnFamily(((FamilyWildcardParseNode) node).getName()).getColumns()
            : visible(table, connection);
    List<ParseNode> nodes = new ArrayList<>(columns.size());
    for (PColumn column : columns) {
      nodes.add(node(table, column, name));
    }
    return nodes;
  }

  /**
   * Returns whether the columns of a table can be selected by name. In a derived table, Phoenix
   * gives a column without a name its position, which no other clause can use.
   */
  private static boolean hasNames(PTable table) {
    return table.getType() != PTableType.SUBQUERY
        || table.getColumns().stream()
            .allMatch(
                column ->
                    isNamedAlone(table, column)
                        && !column
                            .getName()
                            .getString()
                            .equals(Integer.toString(column.getPosition())));
  }

  /**
   * Returns whether Phoenix finds the columns of a {@code T.*} by name. In a join, it finds {@code
   * T.F.C} only if T is an alias. Otherwise, {@code F.C} must name a column of T.
   */
  private boolean isFound(ParseNode wildcard, PTable table) throws SQLException {
    if (!isJoin || !(wildcard instanceof TableWildcardParseNode)) {
      return true;
    }
    if (isAliased(((TableWildcardParseNode) wildcard).getTableName())) {
      return true;
    }
    for (PColumn column : visible(table, connection)) {
      if (!isNamedAlone(table, column) && !isNamedByFamily(table, column)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAliased(TableName name) throws SQLException {
    return resolver.resolveTable(name.getSchemaName(), name.getTableName()).getTableAlias() != null;
  }

  private boolean isNamedByFamily(PTable table, PColumn column) throws SQLException {
    try {
      ColumnRef found =
          resolver.resolveColumn(
              null, column.getFamilyName().getString(), column.getName().getString());
      return found.getTable().getKey().equals(table.getKey())
          && found.getColumnPosition() == column.getPosition();
    } catch (MetaDataEntityNotFoundException | AmbiguousColumnException e) {
      return false;
    }
  }

  /**
   * Returns whether {@link #ofJoin} can name the columns that a join selects from a table, if it
   * reads them along an index. If not, and the index lacks a column, Phoenix cannot compile the
   * join.
   *
   * @param dataPlan the plan of the columns and conditions of this table
   * @param plan the plan along an index, or {@code dataPlan}
   */
  public static boolean areNamed(QueryPlan dataPlan, QueryPlan plan) {
    TableRef table = dataPlan.getTableRef();
    SelectStatement select = (SelectStatement) dataPlan.getStatement();
    return plan == dataPlan
        || table.getTableAlias() != null
        || !hasWildcard(select)
        || !isOn(select, dataPlan)
        || hasAllColumns(plan.getTableRef().getTable(), table.getTable())
        || visible(table.getTable(), dataPlan.getContext().getConnection()).stream()
            .allMatch(column -> isNamedAlone(table.getTable(), column));
  }

  private static boolean hasAllColumns(PTable index, PTable table) {
    for (PColumn column : table.getColumns()) {
      try {
        index.getColumnForColumnName(IndexUtil.getIndexColumnName(column));
      } catch (MetaDataEntityNotFoundException | AmbiguousColumnException e) {
        return false;
      }
    }
    return true;
  }

  /** Returns the columns of a {@code *}: all except the salt and the tenant of the connection. */
  private static List<PColumn> visible(PTable table, PhoenixConnection connection) {
    int hidden =
        (table.getBucketNum() == null ? 0 : 1)
            + (table.isMultiTenant() && connection.getTenantId() != null ? 1 : 0)
            + (table.getViewIndexId() == null ? 0 : 1);
    List<PColumn> columns = new ArrayList<>(table.getColumns().size());
    for (PColumn column : table.getColumns()) {
      if (hidden > 0 && SchemaUtil.isPKColumn(column)) {
        hidden--;
      } else {
        columns.add(column);
      }
    }
    return columns;
  }

  private ParseNode node(PTable table, PColumn column, @Nullable TableName ofTable)
      throws SQLException {
    String name = column.getName().getString();
    TableName qualifier = ofTable;
    if (column.getFamilyName() != null && !isNamedAlone(table, column)) {
      String family = quoted(column.getFamilyName().getString());
      qualifier =
          TableName.createNormalized(
              ofTable == null || !isAliased(ofTable) ? null : quoted(ofTable.getTableName()),
              family);
    }
    return new ColumnParseNode(qualifier, quoted(name), quoted(name));
  }

  /** Returns whether the name of a column, without a family, names this column. */
  private static boolean isNamedAlone(PTable table, PColumn column) {
    try {
      return table.getColumnForColumnName(column.getName().getString()).getPosition()
          == column.getPosition();
    } catch (MetaDataEntityNotFoundException | AmbiguousColumnException e) {
      return false;
    }
  }
}
