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

import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.FamilyWildcardParseNode;
import org.apache.phoenix.parse.NamedTableNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableWildcardParseNode;
import org.apache.phoenix.parse.WildcardParseNode;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.ImmutableStorageScheme;
import org.apache.phoenix.schema.PTableType;

/** Decides if the server may return an element of an array instead of the array. */
public final class ArrayElements {

  private ArrayElements() {}

  /**
   * Returns true if the server may return elements instead of arrays. {@code select} must read one
   * table with a cell for each column, and have no ORDER BY, no OFFSET and no wildcard. Phoenix
   * does not project the columns of a UNION ALL or a derived table first. There, the server would
   * look for the array in rows of an index that lacks the array.
   */
  public static boolean areReadOnServer(StatementContext context, SelectStatement select) {
    return select.getFrom() instanceof NamedTableNode
        && select.getOrderBy().isEmpty()
        && select.getOffset() == null
        && select.getSelect().stream().noneMatch(ArrayElements::isWildcard)
        && hasACellForEachColumn(context.getResolver().getTables().get(0).getTable());
  }

  private static boolean hasACellForEachColumn(PTable projected) {
    return projected.getType() == PTableType.PROJECTED
        && projected.getImmutableStorageScheme() == ImmutableStorageScheme.ONE_CELL_PER_COLUMN;
  }

  private static boolean isWildcard(AliasedNode selected) {
    return selected.getNode() instanceof WildcardParseNode
        || selected.getNode() instanceof TableWildcardParseNode
        || selected.getNode() instanceof FamilyWildcardParseNode;
  }
}
