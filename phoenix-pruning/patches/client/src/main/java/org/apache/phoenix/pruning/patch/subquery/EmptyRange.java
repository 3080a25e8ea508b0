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
import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.parse.TableNode;
import org.jspecify.annotations.Nullable;

/**
 * Adds a test for outer rows without rows of the subquery to a comparison with ALL or ANY. The
 * subquery gets a column with a constant, which is null in such a row after a left join.
 */
public final class EmptyRange {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private final boolean isAll;
  private final String marker = ParseNodeFactory.createTempAlias();
  private boolean isMarked;
  private @Nullable String table;

  /**
   * Creates the test for one comparison.
   *
   * @param isAll if false, the comparison is with ANY
   */
  public EmptyRange(boolean isAll) {
    this.isAll = isAll;
  }

  /** Returns whether one of the operands is a subquery. */
  public static boolean isIn(List<ParseNode> children) {
    return children.get(0) instanceof SubqueryParseNode;
  }

  /** Adds the constant to the columns of the subquery. */
  public List<AliasedNode> marked(List<AliasedNode> columns) {
    isMarked = true;
    List<AliasedNode> withMarker = new ArrayList<>(columns);
    withMarker.add(NODES.aliasedNode(marker, LiteralParseNode.ONE));
    return withMarker;
  }

  /** Stores the name of the joined subquery. Returns false if it has no column with a constant. */
  public boolean isOf(TableNode subquery) {
    table = subquery.getAlias();
    return isMarked;
  }

  /** Returns the comparison with the test. */
  public ParseNode complete(ParseNode comparison) {
    if (!isMarked || table == null) {
      return comparison;
    }
    ParseNode test = NODES.isNull(NODES.column(NODES.table(null, table), marker, null), !isAll);
    return isAll
        ? NODES.or(Arrays.asList(test, comparison))
        : NODES.and(Arrays.asList(test, comparison));
  }
}
