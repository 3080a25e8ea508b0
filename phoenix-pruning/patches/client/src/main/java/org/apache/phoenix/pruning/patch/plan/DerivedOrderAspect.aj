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

import java.util.Set;
import org.apache.phoenix.compile.SubselectRewriter;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Replaces positions in the ORDER BY of a derived table by the expressions of its columns.
 * Phoenix's {@code SubselectRewriter} moves the ORDER BY to the outer statement, or drops columns
 * of the derived table. The positions then stand for other columns (not reported).
 *
 * <p>Example: {@code SELECT Y, X FROM (SELECT K X, 10 - K Y FROM T ORDER BY 1 LIMIT 2)} sorts by Y.
 */
public aspect DerivedOrderAspect {

  // Positions in the ORDER BY are those of all columns, so they are replaced first.
  declare precedence : DerivedOrderAspect, DerivedDistinctAspect, UnionConditionAspect;

  SelectStatement around(
      SelectStatement outer, SelectStatement derived, PhoenixConnection connection) :
      execution(SelectStatement SubselectRewriter.flatten(SelectStatement, SelectStatement))
      && args(outer, derived)
      && cflow(DerivedDistinctAspect.rewriting(SelectStatement, connection)) {
    if (DerivedOrder.isMovable(derived, outer)
        || !Patches.isOn(Patch.DERIVED_ORDER, connection)) {
      return proceed(outer, derived, connection);
    }
    SelectStatement named = DerivedOrder.withoutPositions(derived, outer);
    return named == derived ? outer : proceed(outer, named, connection);
  }

  /** Drops no columns if the positions cannot be replaced. */
  SelectStatement around(SelectStatement derived, PhoenixConnection connection) :
      execution(static SelectStatement SubselectRewriter.pruneSelectAliasedNodes(
          SelectStatement, Set, PhoenixConnection))
      && args(derived, *, connection) {
    if (!DerivedOrder.hasPositions(derived)
        || !Patches.isOn(Patch.DERIVED_ORDER, connection)) {
      return proceed(derived, connection);
    }
    SelectStatement named = DerivedOrder.withoutPositions(derived, derived);
    return named == derived ? derived : proceed(named, connection);
  }
}
