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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.compile.JoinCompiler.JoinSpec;
import org.apache.phoenix.compile.JoinCompiler.JoinTable;
import org.apache.phoenix.compile.JoinCompiler.Strategy;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.iterate.DelegateResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.parse.InParseNode;
import org.apache.phoenix.schema.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** Keys of a join in which no null matches, for the patch {@code null-join-key}. */
public final class NullJoinKeys {

  /** End of the alias of a subquery whose nulls match. Phoenix's own aliases end with a digit. */
  private static final String MATCHING_NULLS = "$";

  private final Pair<List<Expression>, List<Expression>> compared;
  private final List<Expression> built;

  private NullJoinKeys(Pair<List<Expression>, List<Expression>> compared, List<Expression> built) {
    this.compared = compared;
    this.built = built;
  }

  /**
   * Returns true if nulls must match. For NOT IN, SQL has other rules, which a join cannot follow.
   * Phoenix itself adds an IN to look up the rows of an index by keys, which can have nulls.
   */
  public static boolean matchesNulls(InParseNode in) {
    return in.isNegate() || in.isSubqueryDistinct();
  }

  /** Returns the alias of a subquery whose nulls match. */
  public static String matchingNulls(String alias) {
    return alias + MATCHING_NULLS;
  }

  /**
   * Returns the keys of {@code join}, or null if its nulls match, or if there can be none in the
   * hash table.
   *
   * @param keys expressions of the left side, and those of the right side
   */
  public static @Nullable NullJoinKeys of(
      JoinSpec join, Strategy strategy, Pair<List<Expression>, List<Expression>> keys) {
    JoinTable right = join.getRhsJoinTable();
    String alias = right.getLeftTable().getTableNode().getAlias();
    if (join.getOnConditions().isEmpty()
        || (alias != null && alias.startsWith("$") && alias.endsWith(MATCHING_NULLS))) {
      return null;
    }
    if (strategy == Strategy.SORT_MERGE) {
      return new NullJoinKeys(
          new Pair<>(distinct(keys.getFirst(), false), distinct(keys.getSecond(), true)),
          Collections.emptyList());
    }
    if (strategy == Strategy.HASH_BUILD_LEFT) {
      return new NullJoinKeys(keys, keys.getFirst());
    }
    List<Expression> built = new ArrayList<>(keys.getSecond());
    if (right.getJoinSpecs().isEmpty() && !right.getLeftTable().isSubselect()) {
      // An outer join makes nulls of columns that are not nullable. Here is none.
      built.removeIf(key -> !key.isNullable());
    }
    return built.isEmpty() ? null : new NullJoinKeys(keys, built);
  }

  /**
   * Adds a key that is null if no key is null. Otherwise, it is {@code side}, and so differs from
   * that of the other side. It follows from the other keys, so the rows stay sorted.
   */
  private static List<Expression> distinct(List<Expression> keys, boolean side) {
    List<Expression> parts = new ArrayList<>();
    for (Expression key : keys) {
      parts.add(LiteralExpression.newConstant(side));
      parts.add(new IsNullExpression(Collections.singletonList(key), false));
    }
    List<Expression> distinct = new ArrayList<>(keys);
    distinct.add(new CaseExpression(parts));
    return distinct;
  }

  /** Returns the expressions whose values are compared: those of the left and the right side. */
  public Pair<List<Expression>, List<Expression>> compared() {
    return compared;
  }

  /** Returns the rows of the hash table without those that have a null in a key. */
  public ResultIterator withoutNulls(ResultIterator rows) {
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    return new DelegateResultIterator(rows) {
      @Override
      public Tuple next() throws SQLException {
        Tuple row = super.next();
        while (row != null && hasNull(row, value)) {
          row = super.next();
        }
        return row;
      }
    };
  }

  private boolean hasNull(Tuple row, ImmutableBytesWritable value) {
    for (Expression key : built) {
      key.reset();
      if (!key.evaluate(row, value) || value.getLength() == 0) {
        return true;
      }
    }
    return false;
  }
}
