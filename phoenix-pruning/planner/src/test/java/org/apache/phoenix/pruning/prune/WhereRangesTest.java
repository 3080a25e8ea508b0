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
package org.apache.phoenix.pruning.prune;

import static org.apache.phoenix.pruning.prune.RandomRowConditions.condition;
import static org.apache.phoenix.pruning.prune.RowCondition.OPERATORS;
import static org.apache.phoenix.pruning.prune.RowCondition.and;
import static org.apache.phoenix.pruning.prune.RowCondition.between;
import static org.apache.phoenix.pruning.prune.RowCondition.compare;
import static org.apache.phoenix.pruning.prune.RowCondition.in;
import static org.apache.phoenix.pruning.prune.RowCondition.isNull;
import static org.apache.phoenix.pruning.prune.RowCondition.or;
import static org.apache.phoenix.pruning.prune.RowCondition.prefixIn;
import static org.apache.phoenix.pruning.prune.RowCondition.rowIn;
import static org.apache.phoenix.pruning.prune.RowCondition.rowValue;
import static org.apache.phoenix.pruning.prune.ScannedRows.boundaries;
import static org.apache.phoenix.pruning.prune.ScannedRows.check;
import static org.apache.phoenix.pruning.prune.ScannedRows.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.StatementContext;
import org.junit.Test;

/**
 * Tests which rows Phoenix's scan for a WHERE finds in a table with three key columns, without a
 * cluster.
 */
public class WhereRangesTest {

  @Test
  public void comparesRowValuesAndColumns() throws Exception {
    check(
        "I I I",
        and(rowValue("<=", 0, 4, 5, 2), in(0, 2, 4)),
        and(rowValue(">", 0, 0, 2, 5), in(0, 0, 3)),
        and(rowValue("<=", 0, 2, 0, 4), in(0, 3, 2, 0, 4)),
        or(and(rowValue("<=", 0, 4, 5, 2), in(0, 2, 4)), compare(0, "=", 5)),
        or(compare(0, "=", 1), rowValue(">", 0, 2, 5, 2)),
        or(compare(0, "=", 3), rowValue(">=", 0, 3, 4, 0)),
        and(compare(2, "<=", 4), rowValue("<", 0, 1, 3, 5)),
        and(rowValue("<=", 0, 2, 1), compare(0, "<", 4)),
        and(rowValue(">=", 0, 1, 4), compare(1, "<", 1)),
        and(rowValue(">", 0, 3, 3, 1), compare(0, ">", 2)),
        and(compare(2, ">=", 5), or(compare(0, ">", 4), rowValue("=", 0, 5, 1))),
        and(in(2, 2, 4, 5), rowValue(">=", 0, 0, 3, 5)),
        and(and(rowValue("<=", 0, 2, 0, 2), rowIn(1, 2, 3, 1, 0, 2, 5, 4)), in(0, 5, 2, 3)),
        and(and(rowIn(1, 2, 0, 4, 2, 0, 3, 5), compare(0, ">", 1)), rowValue("<", 0, 2, 2, 2)));
    check("Sd I I", or(compare(0, ">", "ab"), rowValue("<", 0, "ca", 3)));
    check("S? Id I", or(rowValue("<", 0, "a", 0, 2), compare(0, ">=", "a")));
    check("Id I I", and(and(rowValue(">=", 0, 4, 3, 2), between(0, 3, 4)), compare(1, "<=", 4)));
    check(
        "Id S I", and(and(rowIn(0, 2, 4, "ab", 2, "ab"), between(2, 2, 4)), compare(1, "<", "ca")));
    check(
        "I S Id",
        or(compare(0, ">=", 2), rowValue("<=", 0, 2, "ba", 2)),
        or(rowValue("<=", 0, 2, "d", 0), rowValue(">=", 0, 1, "b")));
    check("I I Id", and(in(0, 2, 1), and(rowValue(">=", 1, 1, 0), rowValue("<", 0, 1, 3))));
    check("Id Id I", and(rowIn(0, 2, 0, 2, 5, 2), between(2, 1, 3)));
    check(
        "I Sd Id",
        and(compare(0, "=", 1), rowIn(0, 3, 1, "ba", 1, 3, "ab", 2)),
        or(rowIn(0, 3, 5, "ca", 1, 2, "ab", 0), rowIn(0, 3, 3, "a", 4, 5, "ab", 2)),
        and(
            or(rowValue(">", 0, 1, "ab", 4), compare(1, "=", "a")),
            rowIn(0, 3, 3, "d", 3, 2, "a", 3)));
    check(
        "I I S?",
        and(rowValue(">=", 0, 1, 2, "b"), in(0, 1, 4)),
        and(rowValue("<=", 0, 4, 2, "b"), in(0, 1, 4)),
        and(and(rowValue(">=", 0, 1, 2, "b"), in(0, 1, 4)), compare(1, "=", 2)),
        and(
            and(in(1, 3, 5, 0), rowValue(">=", 0, 0, 2, "d")),
            and(rowValue(">", 1, 0, "b"), in(0, 5, 1, 4))));
    check("I S? I", and(rowValue(">=", 0, 1, "b"), in(0, 1, 4)));
  }

  /**
   * A comparison of the first column excludes its nulls, also together with row values. Row values
   * on their own may find rows with nulls, see {@link #check}.
   */
  @Test
  public void comparisonsExcludeNullsTogetherWithRowValues() throws Exception {
    RowCondition values = rowIn(0, 3, "a", 4, 4, "b", 3, 4);
    for (String operator : List.of("<", "<=")) {
      RowCondition below = compare(0, operator, "aa");
      for (RowCondition condition :
          List.of(
              or(values, below),
              or(or(values, below), between(0, "b", "c c")),
              and(rowValue(operator, 0, "b", 3), compare(0, operator, "ca")),
              and(rowValue(operator, 0, "ca", 3), compare(0, operator, "b")))) {
        check("S? I I", condition);
        try (Connectionless driver = new Connectionless()) {
          TreeMap<byte[], Object[]> rows = new KeyShape("S? I I").createTable(driver);
          StatementContext context = compiled(driver, condition);
          SortedSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
          boundaries.add(HConstants.EMPTY_START_ROW);
          assertThat(SimulatedScans.found(context, context.getScan(), rows, boundaries))
              .as(condition.sql())
              .isNotEmpty()
              .allSatisfy(row -> assertThat(row[0]).isNotNull());
        }
      }
    }
  }

  /**
   * A range up to the greatest value includes all rows with this value, whatever columns follow.
   */
  @Test
  public void includesTheGreatestValue() throws Exception {
    for (String shape : List.of("I E I", "I Ed I", "S E I", "I E Id", "I E S")) {
      Object last = shape.endsWith("S") ? "a" : (Object) 0;
      int greatest = shape.contains("Ed") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
      for (String operator : List.of(">=", ">", "<=", "<")) {
        RowCondition range = rowValue(operator, 1, 0, last);
        for (String other : List.of("<=", ">=", "=")) {
          RowCondition to = compare(1, other, greatest);
          check(shape, and(range, to));
          check(shape, and(to, range));
        }
      }
    }
  }

  /**
   * Tests a condition on null on its own, in an OR, and in a skip scan. The column is at the
   * beginning of the key, inside, or at the end.
   */
  @Test
  public void findsNullsWhereTheyMatch() throws Exception {
    for (String shape :
        List.of("S? I I", "Sd? S I", "S S? I", "S Sd? I", "I Sd? S?", "S S? S?", "I I S?")) {
      for (int column = 0; column < 3; column++) {
        if (new KeyShape(shape).isNullable(column)) {
          List<RowCondition> conditions = new ArrayList<>();
          for (RowCondition condition : conditionsOfNull(column)) {
            conditions.add(condition);
            addWithOthers(shape, column, condition, conditions);
          }
          check(shape, conditions.toArray(RowCondition[]::new));
        }
      }
    }
    check(
        "S S? S?",
        and(
            or(rowValue(">=", 0, "ab", "c c"), rowIn(0, 2, "a", "ba", "ba", "d")),
            compare(2, ">", "ca")));
    check("Sd? S? S", or(or(compare(0, "=", "aa"), isNull(0, true)), compare(0, "<", "ba")));
    check(
        "S? S? Sd?",
        and(rowValue("<", 0, "ba", "d"), and(compare(2, "<=", "ca"), rowValue(">", 0, "b", "ca"))));
  }

  private static List<RowCondition> conditionsOfNull(int column) {
    List<RowCondition> conditions = new ArrayList<>();
    for (boolean isNull : List.of(true, false)) {
      RowCondition condition = isNull(column, isNull);
      conditions.add(condition);
      conditions.add(or(condition, in(column, "a", "b")));
      conditions.add(or(condition, between(column, "a", "b")));
      for (String operator : OPERATORS) {
        conditions.add(or(condition, compare(column, operator, "b")));
        conditions.add(and(condition, compare(column, operator, "b")));
      }
    }
    for (String operator : OPERATORS) {
      conditions.add(compare(column, operator, "b"));
      conditions.add(or(compare(column, "=", "ca"), compare(column, operator, "b")));
      conditions.add(or(compare(column, ">", "aa"), compare(column, operator, "b")));
    }
    return conditions;
  }

  /** Adds conditions that combine {@code condition} with conditions on the other columns. */
  private static void addWithOthers(
      String shape, int column, RowCondition condition, List<RowCondition> conditions) {
    for (int other = 0; other < 3; other++) {
      if (other != column) {
        List<?> values = new KeyShape(shape).values(other);
        int last = 3 - other - column;
        RowCondition skipping = and(in(other, values.subList(1, 4).toArray()), condition);
        conditions.add(skipping);
        conditions.add(and(skipping, compare(last, "<", new KeyShape(shape).values(last).get(4))));
        conditions.add(and(compare(other, "=", values.get(1)), condition));
      }
    }
  }

  /** Phoenix's server reads such a range as empty. */
  @Test
  public void readsDescendingRangesThatEndWithAPrefix() throws Exception {
    check("S Sd I", and(in(0, "a", "b"), between(1, "a", "aa")));
  }

  /** Phoenix 5.2.1 never finishes compiling this condition. */
  @Test(timeout = 60_000)
  public void unitesRangesOfPrefixes() throws Exception {
    check("S I I", and(prefixIn(0, 1, "a", "b"), compare(1, "=", 1)));
  }
}
