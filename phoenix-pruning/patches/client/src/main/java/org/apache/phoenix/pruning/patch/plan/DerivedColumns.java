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

import java.util.HashSet;
import java.util.Set;
import org.apache.phoenix.expression.function.RandomFunction;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableWildcardParseNode;
import org.apache.phoenix.parse.WildcardParseNode;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Finds the columns of a derived table by their names. */
public final class DerivedColumns {

  private DerivedColumns() {}

  /** Returns the name of a selected column in outer statements, or null if it has none. */
  static @Nullable String nameOf(AliasedNode selected) {
    String alias = selected.getAlias();
    return alias != null ? alias : SchemaUtil.normalizeIdentifier(selected.getNode().getAlias());
  }

  static boolean isWildcard(ParseNode node) {
    return node instanceof WildcardParseNode || node instanceof TableWildcardParseNode;
  }

  /** Returns whether {@code node} is the name of a column of a derived table. */
  static boolean isReference(ParseNode node, AliasedNode column) {
    return node instanceof ColumnParseNode
        && ((ColumnParseNode) node).getName().equals(nameOf(column));
  }

  /**
   * Returns whether Phoenix can move the DISTINCT of {@code derived} to {@code outer}, which reads
   * only this derived table. It can if {@code outer} selects all columns, because expressions of
   * them do not change which rows are distinct. It must if the derived table has a wildcard or a
   * sequence, because Phoenix supports them only in this way.
   */
  public static boolean areSelected(SelectStatement outer, SelectStatement derived) {
    if (derived.hasWildcard() || derived.hasSequence() || outer.hasSequence()) {
      return true;
    }
    Set<String> selected = new HashSet<>();
    for (AliasedNode column : outer.getSelect()) {
      ParseNode node = column.getNode();
      if (node instanceof ColumnParseNode) {
        selected.add(((ColumnParseNode) node).getName());
      } else if (isWildcard(node)) {
        for (AliasedNode each : derived.getSelect()) {
          selected.add(String.valueOf(nameOf(each)));
        }
      } else if (isRandom(node)) {
        return false;
      }
    }
    for (AliasedNode column : derived.getSelect()) {
      if (!selected.contains(String.valueOf(nameOf(column)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isRandom(ParseNode node) {
    if (node instanceof FunctionParseNode
        && RandomFunction.NAME.equals(((FunctionParseNode) node).getName())) {
      return true;
    }
    for (ParseNode child : node.getChildren()) {
      if (isRandom(child)) {
        return true;
      }
    }
    return false;
  }
}
