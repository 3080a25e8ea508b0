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
package org.apache.phoenix.pruning.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.region.TestPredicate.Range;
import org.apache.phoenix.pruning.region.TestPredicate.Range.Op;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests every operator at every boundary of a region. The region is the middle one of three and has
 * the values 30 to 79 of its column.
 */
@RunWith(JUnitParamsRunner.class)
public class OperatorBoundaryTest {

  private static final int REGION = 1;

  /** First byte of all values. */
  private static final byte HEAD = 0x40;

  private static final List<TestColumn> COLUMNS =
      List.of(
          column(TestColumn.Kind.FIXED, false, false),
          column(TestColumn.Kind.FIXED, true, false),
          column(TestColumn.Kind.VARIABLE, false, false),
          column(TestColumn.Kind.VARIABLE, true, false),
          column(TestColumn.Kind.VARIABLE, false, true),
          column(TestColumn.Kind.VARIABLE, true, true),
          column(TestColumn.Kind.TRAILING_BINARY, false, false),
          column(TestColumn.Kind.TRAILING_BINARY, false, true));

  private static List<TestColumn> columns() {
    return COLUMNS;
  }

  private static List<Object[]> columnsAndComparisons() {
    List<Object[]> cases = new ArrayList<>();
    for (TestColumn column : COLUMNS) {
      for (Op op : List.of(Op.EQUAL, Op.LESS, Op.LESS_OR_EQUAL)) {
        cases.add(new Object[] {column, op});
      }
    }
    return cases;
  }

  private static TestColumn column(TestColumn.Kind kind, boolean descending, boolean nullable) {
    return new TestColumn("c", kind, 2, descending, nullable, List.of());
  }

  @Test
  @Parameters(method = "columns")
  public void readsRegionsThatMayHoldTheValue(TestColumn column) throws SQLException {
    shouldSkip(column, "value below the lower bound", Op.EQUAL, value(28));
    shouldSkip(column, "value just below the lower bound", Op.EQUAL, value(29));
    shouldRead(column, "value at the lower bound", Op.EQUAL, value(30));
    shouldRead(column, "value above the lower bound", Op.EQUAL, value(31));
    shouldRead(column, "value below the upper bound", Op.EQUAL, value(78));
    shouldRead(column, "value at the upper bound", Op.EQUAL, value(79));
    shouldSkip(column, "value just above the upper bound", Op.EQUAL, value(80));
    shouldSkip(column, "value above the upper bound", Op.EQUAL, value(81));
  }

  @Test
  @Parameters(method = "columns")
  public void readsRegionsThatMayHoldLessThanTheValue(TestColumn column) throws SQLException {
    shouldSkip(column, "upper bound below", Op.LESS, value(29));
    shouldRead(column, "one possible value", Op.LESS, value(31));
    shouldRead(column, "many possible values", Op.LESS, value(79));
    shouldRead(column, "all possible values", Op.LESS, value(80));
    if (startsAt30(column)) {
      shouldSkip(column, "upper bound at the lower bound, exclusive", Op.LESS, value(30));
    } else {
      shouldRead(column, "29x is less than 30 and greater than 29", Op.LESS, value(30));
    }
  }

  @Test
  @Parameters(method = "columns")
  public void readsRegionsThatMayHoldTheValueOrLess(TestColumn column) throws SQLException {
    shouldSkip(column, "upper bound below", Op.LESS_OR_EQUAL, value(28));
    shouldSkip(column, "upper bound just below", Op.LESS_OR_EQUAL, value(29));
    shouldRead(column, "one possible value", Op.LESS_OR_EQUAL, value(30));
    shouldRead(column, "many possible values", Op.LESS_OR_EQUAL, value(78));
    shouldRead(column, "all possible values", Op.LESS_OR_EQUAL, value(79));
  }

  @Test
  @Parameters(method = "columns")
  public void readsRegionsThatMayHoldMoreThanTheValue(TestColumn column) throws SQLException {
    shouldRead(column, "all possible values", Op.GREATER, value(29));
    shouldRead(column, "many possible values", Op.GREATER, value(30));
    shouldRead(column, "one possible value", Op.GREATER, value(78));
    shouldSkip(column, "lower bound above", Op.GREATER, value(80));
    if (endsAt79(column)) {
      shouldSkip(column, "lower bound at the upper bound, exclusive", Op.GREATER, value(79));
    } else {
      shouldRead(column, "79x is greater than 79 and less than 80", Op.GREATER, value(79));
    }
  }

  @Test
  @Parameters(method = "columns")
  public void readsRegionsThatMayHoldTheValueOrMore(TestColumn column) throws SQLException {
    shouldRead(column, "all possible values", Op.GREATER_OR_EQUAL, value(30));
    shouldRead(column, "many possible values", Op.GREATER_OR_EQUAL, value(31));
    shouldRead(column, "one possible value", Op.GREATER_OR_EQUAL, value(79));
    shouldSkip(column, "lower bound just above", Op.GREATER_OR_EQUAL, value(80));
    shouldSkip(column, "lower bound above", Op.GREATER_OR_EQUAL, value(81));
  }

  @Test
  @Parameters(method = "columns")
  public void readsRegionsThatMayHoldAValueWithThePrefix(TestColumn column) throws SQLException {
    shouldSkip(column, "all that start so are below", Op.STARTS_WITH, HEAD - 1);
    shouldRead(column, "all possible values start so", Op.STARTS_WITH, HEAD);
    shouldSkip(column, "all that start so are above", Op.STARTS_WITH, HEAD + 1);
    shouldSkip(column, "all that start so are below", Op.STARTS_WITH, value(28));
    shouldRead(column, "value at the lower bound", Op.STARTS_WITH, value(30));
    shouldRead(column, "value at the upper bound", Op.STARTS_WITH, value(79));
    shouldSkip(column, "value just above the upper bound", Op.STARTS_WITH, value(80));
    if (startsAt30(column)) {
      shouldSkip(column, "value just below the lower bound", Op.STARTS_WITH, value(29));
    } else {
      shouldRead(column, "29x is greater than 29", Op.STARTS_WITH, value(29));
    }
  }

  @Test
  @Parameters(method = "columns")
  public void readsTheFirstRegionForNull(TestColumn column) throws SQLException {
    assertThat(planned(column, Op.IS_NULL))
        .as("%s IS NULL: nulls come first", column)
        .isEqualTo(column.nullable() ? List.of(0) : List.of());
    assertThat(planned(column, Op.IS_NOT_NULL))
        .as("%s IS NOT NULL: values can be everywhere", column)
        .containsExactly(0, 1, 2);
  }

  @Test
  @Parameters(method = "columnsAndComparisons")
  public void comparisonIsNeverTrueForNull(TestColumn column, Op op) throws SQLException {
    assertThat(planned(column, op)).as("%s %s nothing", column, op).isEmpty();
  }

  /**
   * Returns whether the region has no value below 30. In descending strings, 29x sorts before 29.
   */
  private static boolean startsAt30(TestColumn column) {
    return column.isFixed() || !column.descending();
  }

  /** Returns whether the region has no value above 79. In ascending strings, 79x sorts after 79. */
  private static boolean endsAt79(TestColumn column) {
    return column.isFixed() || column.descending();
  }

  private static void shouldSkip(TestColumn column, String why, Op op, int... value)
      throws SQLException {
    assertThat(planned(column, op, value))
        .as("%s %s %s: should skip: %s", column, op, Arrays.toString(value), why)
        .doesNotContain(REGION);
  }

  private static void shouldRead(TestColumn column, String why, Op op, int... value)
      throws SQLException {
    assertThat(planned(column, op, value))
        .as("%s %s %s: should read: %s", column, op, Arrays.toString(value), why)
        .contains(REGION);
  }

  private static List<Integer> planned(TestColumn column, Op op, int... value) throws SQLException {
    TestColumn before = new TestColumn("p", TestColumn.Kind.FIXED, 1, false, false, List.of());
    TestTable table = new TestTable(List.of(before, column), 0);
    TestRegions regions =
        new TestRegions(
            column.descending()
                ? List.of(key(table, 79), key(table, 29))
                : List.of(key(table, 30), key(table, 80)));
    TestPredicate where =
        new TestPredicate.And(
            List.of(
                new TestPredicate.In(0, List.of(new Range(Op.EQUAL, new byte[] {HEAD}))),
                new TestPredicate.In(1, List.of(new Range(op, bytes(value))))));
    return regions.indexesOf(RegionWalk.plan(where.keySpace(table.layout()), regions));
  }

  private static byte[] key(TestTable table, int value) {
    return table.rowKey(new byte[][] {{HEAD}, bytes(value(value))});
  }

  private static int[] value(int value) {
    return new int[] {HEAD, value};
  }

  private static byte[] bytes(int... value) {
    byte[] bytes = new byte[value.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) value[i];
    }
    return bytes;
  }
}
