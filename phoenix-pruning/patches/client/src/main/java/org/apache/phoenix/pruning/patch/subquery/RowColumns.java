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

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.RowValueConstructorParseNode;
import org.apache.phoenix.parse.TableName;

/** Columns of a subquery of which Phoenix makes a row value in one column. */
public final class RowColumns {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private final List<AliasedNode> selected;
  private final int size;

  private RowColumns(List<AliasedNode> selected, int size) {
    this.selected = selected;
    this.size = size;
  }

  /** Returns whether the first column is a row value. */
  public static boolean areIn(List<AliasedNode> columns) {
    return columns.get(0).getNode() instanceof RowValueConstructorParseNode;
  }

  /**
   * Separates the elements of the row value.
   *
   * @param columns the row value, and the columns of the join condition
   */
  public static RowColumns of(List<AliasedNode> columns) {
    List<ParseNode> elements = columns.get(0).getNode().getChildren();
    List<AliasedNode> selected = new ArrayList<>();
    for (ParseNode element : elements) {
      selected.add(NODES.aliasedNode(ParseNodeFactory.createTempAlias(), element));
    }
    selected.addAll(columns.subList(1, columns.size()));
    return new RowColumns(selected, elements.size());
  }

  /** Returns the elements, and the columns of the join condition. */
  public List<AliasedNode> selected() {
    return selected;
  }

  /**
   * Returns the row value in the outer query.
   *
   * @param column Phoenix's column for the row value, which names the table
   */
  public ParseNode rowValue(ParseNode column) {
    TableName table = NODES.table(null, ((ColumnParseNode) column).getTableName());
    List<ParseNode> elements = new ArrayList<>();
    for (AliasedNode element : selected.subList(0, size)) {
      elements.add(NODES.column(table, element.getAlias(), null));
    }
    return NODES.rowValueConstructor(elements);
  }
}
