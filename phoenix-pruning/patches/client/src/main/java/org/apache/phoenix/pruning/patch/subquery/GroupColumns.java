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
package org.apache.phoenix.pruning.patch.subquery;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.CompoundParseNode;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.ParseNodeRewriter;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableName;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the columns and aggregates of a grouped query with the columns of a derived table that
 * has a row for each group.
 */
final class GroupColumns extends ParseNodeRewriter {

  private final SelectStatement select;
  private final String alias = ParseNodeFactory.createTempAlias();
  private final TableName table = NODE_FACTORY.table(null, alias);

  /** Maps expressions over a group to the columns of the derived table. */
  private final Map<ParseNode, String> names = new LinkedHashMap<>();

  private final Map<String, ParseNode> aliases = new HashMap<>();

  /** Expression of GROUP BY whose columns are being visited, or null. */
  private @Nullable ParseNode grouped;

  GroupColumns(SelectStatement select) {
    this.select = select;
    for (AliasedNode column : select.getSelect()) {
      if (column.getAlias() != null) {
        aliases.put(column.getAlias(), column.getNode());
      }
    }
  }

  String alias() {
    return alias;
  }

  /** Returns the columns of the outer query, with the labels of the grouped query. */
  List<AliasedNode> outerColumns() {
    List<AliasedNode> columns = new ArrayList<>();
    for (AliasedNode column : select.getSelect()) {
      columns.add(
          NODE_FACTORY.aliasedNode('"' + label(column) + '"', outerColumn(column.getNode())));
    }
    return columns;
  }

  private static String label(AliasedNode column) {
    if (column.getAlias() != null) {
      return column.getAlias();
    }
    String name = SchemaUtil.normalizeIdentifier(column.getNode().getAlias());
    return name == null ? column.getNode().toString().trim().replace("\"", "") : name;
  }

  /** Returns the columns of the derived table that other methods have named so far. */
  List<AliasedNode> innerColumns() {
    List<AliasedNode> columns = new ArrayList<>();
    names.forEach((node, name) -> columns.add(NODE_FACTORY.aliasedNode(name, node)));
    return columns;
  }

  /** Returns a part of the grouped query for the outer query. */
  ParseNode outer(ParseNode node) throws SQLException {
    return names.containsKey(node) ? outerColumn(node) : node.accept(this);
  }

  private ParseNode outerColumn(ParseNode node) {
    String name = names.computeIfAbsent(node, unnamed -> ParseNodeFactory.createTempAlias());
    return NODE_FACTORY.column(table, '"' + name + '"', null);
  }

  @Override
  protected void enterParseNode(ParseNode node) {
    if (grouped == null && select.getGroupBy().contains(node)) {
      grouped = node;
    }
    super.enterParseNode(node);
  }

  @Override
  protected ParseNode leaveCompoundNode(
      CompoundParseNode node, List<ParseNode> children, CompoundNodeFactory factory) {
    if (grouped == node) {
      grouped = null;
      return outerColumn(node);
    }
    return super.leaveCompoundNode(node, children, factory);
  }

  @Override
  public boolean visitEnter(FunctionParseNode node) throws SQLException {
    return !node.isAggregate() && super.visitEnter(node);
  }

  @Override
  public ParseNode visitLeave(FunctionParseNode node, List<ParseNode> children)
      throws SQLException {
    return node.isAggregate() ? outerColumn(node) : super.visitLeave(node, children);
  }

  @Override
  public ParseNode visit(ColumnParseNode node) {
    if (grouped != null) {
      return node;
    }
    ParseNode aliased = node.getTableName() == null ? aliases.get(node.getName()) : null;
    return outerColumn(aliased == null || select.getGroupBy().contains(node) ? node : aliased);
  }
}
