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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.ConcreteTableNode;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.parse.DerivedTableNode;
import org.apache.phoenix.parse.JoinTableNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.parse.TableName;
import org.apache.phoenix.parse.TableNode;
import org.apache.phoenix.parse.UpsertStatement;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Collects the tables and the expressions of a SELECT, DELETE or UPSERT SELECT, including its
 * subqueries, joins and unions. Other statements have no parts.
 */
final class StatementParts {

  private final List<TableName> tables = new ArrayList<>();
  private final List<ParseNode> nodes = new ArrayList<>();

  private StatementParts() {}

  static StatementParts of(BindableStatement statement) {
    StatementParts parts = new StatementParts();
    if (statement instanceof SelectStatement select) {
      parts.addSelect(select);
    } else if (statement instanceof DeleteStatement delete) {
      parts.addTable(delete.getTable());
      parts.addNode(delete.getWhere());
    } else if (statement instanceof UpsertStatement upsert && upsert.getSelect() != null) {
      parts.addTable(upsert.getTable());
      parts.addSelect(upsert.getSelect());
    }
    return parts;
  }

  /** Returns the full name of a table, as Phoenix stores it. */
  static String fullName(TableName name, Connection connection) throws SQLException {
    String schema = name.getSchemaName() == null ? connection.getSchema() : name.getSchemaName();
    return SchemaUtil.getTableName(schema, name.getTableName());
  }

  /**
   * Returns the full names of all tables, views and indexes that the statement names outside hints.
   *
   * @param connection provides the schema for names without a schema
   */
  Set<String> tables(Connection connection) throws SQLException {
    Set<String> names = new HashSet<>();
    for (TableName table : tables) {
      names.add(fullName(table, connection));
    }
    return names;
  }

  /** Returns all expressions, each followed by the expressions in it. */
  List<ParseNode> nodes() {
    return nodes;
  }

  private void addSelect(SelectStatement select) {
    select.getSelects().forEach(this::addSelect);
    select.getSelect().forEach(column -> addNode(column.getNode()));
    addTable(select.getFrom());
    addNode(select.getWhere());
    addNode(select.getHaving());
  }

  /**
   * @param table the FROM clause, or null if the statement has none
   */
  private void addTable(@Nullable TableNode table) {
    if (table instanceof ConcreteTableNode named) {
      tables.add(named.getName());
    } else if (table instanceof DerivedTableNode derived) {
      addSelect(derived.getSelect());
    } else if (table instanceof JoinTableNode join) {
      addTable(join.getLHS());
      addTable(join.getRHS());
      addNode(join.getOnNode());
    }
  }

  /**
   * @param node the expression of a clause, or null if the statement has no such clause
   */
  private void addNode(@Nullable ParseNode node) {
    if (node == null) {
      return;
    }
    nodes.add(node);
    if (node instanceof SubqueryParseNode subquery) {
      addSelect(subquery.getSelectNode());
    }
    node.getChildren().forEach(this::addNode);
  }
}
