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
import java.sql.SQLFeatureNotSupportedException;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.NamedParseNode;
import org.apache.phoenix.parse.OrderByNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;

/** Finds subqueries that Phoenix does not run. */
public final class MisplacedSubqueries {

  private MisplacedSubqueries() {}

  /** Returns whether SELECT, GROUP BY or ORDER BY has a subquery. */
  public static boolean areIn(SelectStatement select) {
    for (AliasedNode selected : select.getSelect()) {
      if (isIn(selected.getNode())) {
        return true;
      }
    }
    for (ParseNode group : select.getGroupBy()) {
      if (isIn(group)) {
        return true;
      }
    }
    for (OrderByNode sorted : select.getOrderBy()) {
      if (isIn(sorted.getNode())) {
        return true;
      }
    }
    return false;
  }

  /** Does not look into columns, because most statements select nothing else. */
  private static boolean isIn(ParseNode node) {
    return !(node instanceof NamedParseNode) && node.hasSubquery();
  }

  /** Returns the error that names the clauses. */
  public static SQLException unsupported() {
    return new SQLFeatureNotSupportedException(
        "A subquery in SELECT, GROUP BY or ORDER BY is not supported."
            + " Move it to the WHERE of a derived table, or run it as a statement of its own.");
  }
}
