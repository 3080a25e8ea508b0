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
import java.util.List;
import org.apache.phoenix.compile.ColumnProjector;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.DerivedTableNode;
import org.apache.phoenix.parse.FamilyWildcardParseNode;
import org.apache.phoenix.parse.JoinTableNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableName;
import org.apache.phoenix.parse.TableNode;
import org.apache.phoenix.parse.TableWildcardParseNode;
import org.apache.phoenix.parse.WildcardParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.apache.phoenix.schema.AmbiguousColumnException;
import org.apache.phoenix.schema.MetaDataEntityNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Names the columns of a statement before Phoenix translates it to an index: each {@code *} becomes
 * the columns of the table, and columns and expressions keep the labels that they have on the data
 * table.
 */
public final class IndexColumns {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

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
   * index. Returns other statements unchanged, also a join with a {@code *} or {@code T.*}: the
   * names of their tables are a part of the labels.
   */
  public static SelectStatement ofJoin(SelectStatement select, QueryPlan dataPlan) {
    boolean hasSubquery = select.getWhere() != null && select.getWhere().hasSubquery();
    if (select.isUnion()
        || !(select.isJoin() || hasSubquery)
        || dataPlan.getProjector() == null
        || joinsTables(select.getFrom()) && hasWildcard(select)) {
      return select;
    }
    for (TableRef table : dataPlan.getSourceRefs()) {
      if (hasLocalIndex(table.getTable())) {
        return isOn(select, dataPlan) ? named(select, dataPlan, true) : select;
      }
    }
    return select;
  }

  /**
   * Returns whether a statement joins tables. Phoenix rewrites a subquery to a join, too, with a
   * derived table whose alias it makes.
   */
  private static boolean joinsTables(TableNode from) {
    TableNode left = from;
    while (left instanceof JoinTableNode) {
      TableNode right = ((JoinTableNode) left).getRHS();
      if (!(right instanceof DerivedTableNode) || !right.getAlias().startsWith("$")) {
        return true;
      }
      left = ((JoinTableNode) left).getLHS();
    }
    return false;
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
   * Returns whether to name the columns. They are unknown if a {@code *} has the dynamic columns of
   * each row, too.
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
    boolean isChanged = false;
    for (AliasedNode selected : select.getSelect()) {
      List<ParseNode> columns = columns(selected.getNode());
      boolean keepsLabel = columns == null && hasLabel(selected);
      isChanged |= !keepsLabel;
      if (columns == null) {
        if (nodes.size() == projectors.size()) {
          return select;
        }
        nodes.add(
            keepsLabel ? selected : labelled(projectors.get(nodes.size()), selected.getNode()));
        continue;
      }
      for (ParseNode column : columns) {
        if (nodes.size() == projectors.size()) {
          return select;
        }
        nodes.add(labelled(projectors.get(nodes.size()), column));
      }
    }
    return isChanged && nodes.size() == projectors.size()
        ? NODES.select(select, select.isDistinct(), nodes)
        : select;
  }

  private static AliasedNode labelled(ColumnProjector projector, ParseNode node) {
    String label = projector.getLabel();
    return NODES.aliasedNode(
        label.equals(SchemaUtil.normalizeIdentifier(label)) ? label : quoted(label), node);
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

  /** Returns the columns that a node selects, or null if it is no wildcard. */
  private @Nullable List<ParseNode> columns(ParseNode node) throws SQLException {
    if (!isWildcard(node)) {
      return null;
    }
    TableRef ref = dataPlan.getTableRef();
    TableName name = null;
    if (isJoin && node instanceof TableWildcardParseNode) {
      name = ((TableWildcardParseNode) node).getTableName();
      ref = resolver.resolveTable(name.getSchemaName(), name.getTableName());
    } else if (isJoin) {
      ref = resolver.getTables().get(0);
    }
    PTable table = ref.getTable();
    Collection<PColumn> columns =
        node instanceof FamilyWildcardParseNode
            ? table.getColumnFamily(((FamilyWildcardParseNode) node).getName()).getColumns()
            : visible(table);
    List<ParseNode> nodes = new ArrayList<>(columns.size());
    for (PColumn column : columns) {
      nodes.add(node(table, column, name));
    }
    return nodes;
  }

  /** Returns the columns of a {@code *}: all except the salt and the tenant of the connection. */
  private List<PColumn> visible(PTable table) {
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

  private static ParseNode node(PTable table, PColumn column, @Nullable TableName ofTable) {
    String name = column.getName().getString();
    TableName qualifier = ofTable;
    if (column.getFamilyName() != null && !isNamedAlone(table, column)) {
      String family = quoted(column.getFamilyName().getString());
      qualifier = TableName.create(ofTable == null ? null : quoted(ofTable.getTableName()), family);
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
