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

import org.apache.phoenix.compile.SubselectRewriter;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.DerivedTableNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Keeps a derived table with DISTINCT as it is, unless the outer statement selects all its columns.
 * Phoenix's {@code SubselectRewriter} moves the DISTINCT to the outer statement, which may have
 * fewer columns (not reported).
 *
 * <p>Example: {@code SELECT X FROM (SELECT DISTINCT A X, K Y FROM T)} returns each X once.
 */
public aspect DerivedDistinctAspect {

  /** Matches the rewriting of a statement that reads only a derived table. */
  public pointcut rewriting(SelectStatement outer, PhoenixConnection connection) :
      execution(static SelectStatement SubselectRewriter.flatten(
          SelectStatement, PhoenixConnection))
      && args(outer, connection)
      && if(outer.getFrom() instanceof DerivedTableNode);

  SelectStatement around(
      SelectStatement outer, SelectStatement derived, PhoenixConnection connection) :
      execution(SelectStatement SubselectRewriter.flatten(SelectStatement, SelectStatement))
      && args(outer, derived)
      && cflow(rewriting(SelectStatement, connection)) {
    return derived.isDistinct()
            && !DerivedColumns.areSelected(outer, derived)
            && Patches.isOn(Patch.DERIVED_DISTINCT, connection)
        ? outer
        : proceed(outer, derived, connection);
  }
}
