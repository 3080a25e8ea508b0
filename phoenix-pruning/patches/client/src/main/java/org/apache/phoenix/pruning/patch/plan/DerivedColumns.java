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
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
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

  /**
   * Returns whether {@code outer}, which reads only {@code derived}, selects all its columns and no
   * expressions. Then both have the same rows that are distinct.
   */
  public static boolean areSelected(SelectStatement outer, SelectStatement derived) {
    Set<String> selected = new HashSet<>();
    for (AliasedNode column : outer.getSelect()) {
      ParseNode node = column.getNode();
      if (node instanceof ColumnParseNode) {
        selected.add(((ColumnParseNode) node).getName());
      } else if (!(node instanceof WildcardParseNode)
          && !(node instanceof TableWildcardParseNode)) {
        return false;
      } else {
        for (AliasedNode each : derived.getSelect()) {
          selected.add(String.valueOf(nameOf(each)));
        }
      }
    }
    for (AliasedNode column : derived.getSelect()) {
      if (!selected.contains(String.valueOf(nameOf(column)))) {
        return false;
      }
    }
    return true;
  }
}
