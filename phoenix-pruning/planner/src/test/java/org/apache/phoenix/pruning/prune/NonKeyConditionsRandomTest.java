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

import static org.apache.phoenix.pruning.prune.RowCondition.OPERATORS;
import static org.apache.phoenix.pruning.prune.RowCondition.and;
import static org.apache.phoenix.pruning.prune.RowCondition.compare;
import static org.apache.phoenix.pruning.prune.RowCondition.equalColumns;
import static org.apache.phoenix.pruning.prune.RowCondition.in;
import static org.apache.phoenix.pruning.prune.RowCondition.isNull;
import static org.apache.phoenix.pruning.prune.RowCondition.not;
import static org.apache.phoenix.pruning.prune.RowCondition.or;
import static org.apache.phoenix.pruning.prune.RowCondition.rowValue;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Compares the planned regions of random conditions with the regions that have a matching row. B is
 * the key, and each region has one value of B. A and C are other columns. The rows have all
 * combinations of the values, which include values between and around the constants.
 */
@RunWith(Parameterized.class)
public class NonKeyConditionsRandomTest {

  private static final int CONDITIONS = 400;
  private static final int REGIONS = 10;
  private static final Object[] NUMBERS = {2, 5, 8};
  private static final Object[] TEXTS = {"b", "d"};

  private final String types;
  private final String index;

  public NonKeyConditionsRandomTest(String types, String index) {
    this.types = types;
    this.index = index;
  }

  @Parameters(name = "{0}, {1}")
  public static Collection<Object[]> cases() {
    List<Object[]> cases = new ArrayList<>();
    for (String types : List.of("INTEGER, VARCHAR", "BIGINT, CHAR(1)", "DECIMAL, VARCHAR")) {
      for (String index : List.of("(A)", "(A DESC)", "(C DESC, A)", "(A) INCLUDE (C)", "(B, A)")) {
        cases.add(new Object[] {types, index});
      }
    }
    return cases;
  }

  private static List<Object[]> rows(int b, boolean withNull) {
    List<Object[]> rows = new ArrayList<>();
    for (int a = withNull ? 0 : 1; a < REGIONS; a++) {
      for (char c = withNull ? '`' : 'a'; c <= 'e'; c++) {
        rows.add(new Object[] {a == 0 ? null : (Object) a, b, c == '`' ? null : String.valueOf(c)});
      }
    }
    return rows;
  }

  /** Phoenix orders null before other values in row values. SQL does not. */
  private static boolean isNeeded(RowCondition condition, int b) {
    return rows(b, !condition.hasRowValues()).stream()
        .anyMatch(row -> Boolean.TRUE.equals(condition.of().apply(row)));
  }

  private static RowCondition condition(Random random, int depth, boolean ofColumns) {
    if (depth == 0) {
      return leaf(random, ofColumns);
    }
    RowCondition one = condition(random, depth - 1 - random.nextInt(depth), ofColumns);
    RowCondition other = condition(random, depth - 1, ofColumns);
    RowCondition both = random.nextBoolean() ? and(one, other) : or(one, other);
    return random.nextInt(5) == 0 && !both.hasRowValues() ? not(both) : both;
  }

  private static RowCondition leaf(Random random, boolean ofColumns) {
    Object number = NUMBERS[random.nextInt(NUMBERS.length)];
    String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    switch (random.nextInt(ofColumns ? 9 : 8)) {
      case 0:
      case 1:
        return compare(0, operator, number);
      case 2:
        return compare(1, operator, number);
      case 3:
        return compare(2, random.nextBoolean() ? "=" : operator, TEXTS[random.nextInt(2)]);
      case 4:
        return in(0, 2, number);
      case 5:
        return isNull(random.nextBoolean() ? 0 : 2, random.nextInt(3) == 0);
      case 6:
        return rowValue(operator, 0, number, NUMBERS[random.nextInt(NUMBERS.length)]);
      case 7:
        return compare(0, "=", number);
      default:
        return equalColumns(random.nextBoolean() ? 0 : 1, random.nextBoolean() ? 0 : 1);
    }
  }

  private static List<Integer> planned(Connectionless driver, RowCondition condition)
      throws SQLException {
    String sql = "SELECT /*+ INDEX(R RI) */ B FROM R WHERE " + condition.sql();
    List<PlannedRegion> regions = driver.plannedRegions(sql);
    return IntStream.range(0, REGIONS)
        .filter(
            b ->
                regions.stream()
                    .anyMatch(
                        region ->
                            RowsThatMatchTest.holds(
                                region, PInteger.INSTANCE.toBytes(b, SortOrder.ASC))))
        .boxed()
        .collect(Collectors.toList());
  }

  @Test
  public void plansTheRegionsWithAMatchingRow() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(driver);
      int seed = (types + index).hashCode();
      Random random = new Random(seed);
      int exact = 0;
      for (int i = 0; i < CONDITIONS; i++) {
        boolean ofColumns = i % 4 == 0;
        RowCondition condition = condition(random, 1 + random.nextInt(4), ofColumns);
        List<Integer> needed =
            IntStream.range(0, REGIONS)
                .filter(b -> isNeeded(condition, b))
                .boxed()
                .collect(Collectors.toList());
        String description = "seed " + seed + ": " + types + " " + index + ": " + condition.sql();
        List<Integer> planned = planned(driver, condition);
        assertThat(planned).as(description).containsAll(needed);
        if (isExact(condition) && !ofColumns && !needed.isEmpty()) {
          assertThat(planned).as(description).isEqualTo(needed);
          exact++;
        }
      }
      assertThat(exact).isGreaterThan(types.contains("CHAR(1)") ? -1 : CONDITIONS / 5);
    }
  }

  /**
   * Row values can match rows with null, which the expected regions do not include. A CHAR of
   * blanks is treated as null, which may meet most conditions.
   */
  private boolean isExact(RowCondition condition) {
    return !condition.hasRowValues() && !types.contains("CHAR(1)");
  }

  private void create(Connectionless driver) throws SQLException {
    String[] type = types.split(", ");
    driver.execute("DROP TABLE IF EXISTS R");
    driver.execute(
        "CREATE TABLE R (A %s, B INTEGER NOT NULL PRIMARY KEY, C %s) SPLIT ON (%s)"
            .formatted(
                type[0],
                type[1],
                IntStream.range(1, REGIONS)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(", "))));
    driver.execute("CREATE LOCAL INDEX RI ON R " + index);
  }
}
