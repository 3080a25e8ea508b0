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
package org.apache.phoenix.pruning.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests what is counted, and how causes are described. */
public class FallbacksTest {

  private static Connectionless driver;

  private final Fallbacks fallbacks = new Fallbacks();

  @BeforeClass
  public static void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute("CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER)");
  }

  @AfterClass
  public static void dropTable() throws SQLException {
    driver.execute("DROP TABLE T");
    driver.close();
  }

  private static Expression where(String where) throws SQLException {
    try (PreparedStatement statement =
        driver.connection().prepareStatement("SELECT K FROM T WHERE " + where)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      return ((BoundWhere.Holder) (Object) plan.getContext()).getBoundWhere().expression();
    }
  }

  @Test
  public void countsConditionsWithOtherConstantsAsOneCause() throws SQLException {
    fallbacks.unsupported(where("K % 7 = 2"));
    fallbacks.unsupported(where("K % 8 = 3"));
    assertThat(fallbacks.unsupportedConditions()).isEqualTo(2);
    assertThat(fallbacks.byCause())
        .containsExactly(entry("unsupported expression: ComparisonExpression K INTEGER", 2L));
  }

  @Test
  public void truncatesTheDescriptionOfALongCondition() throws SQLException {
    String terms =
        IntStream.range(0, 100)
            .mapToObj(i -> "K % " + (i + 2) + " = 1")
            .collect(Collectors.joining(" OR "));
    fallbacks.unsupported(where(terms));
    assertThat(fallbacks.byCause().keySet())
        .singleElement()
        .asString()
        .startsWith("unsupported expression: OrExpression K INTEGER K INTEGER")
        .endsWith("...")
        .hasSizeLessThan(350);
  }

  @Test
  public void countsFailuresByClassAndActivity() {
    fallbacks.pruningFailed("of T", new IllegalStateException("one"));
    fallbacks.pruningFailed("of T", new IllegalStateException("other"));
    fallbacks.costEstimateFailed("T", new IllegalStateException());
    fallbacks.looseIndexScanFailed("I", new IllegalStateException());
    fallbacks.probingFailed("I", new IllegalStateException());
    fallbacks.probeFailed("I", new IllegalStateException());
    assertThat(fallbacks.failures()).isEqualTo(6);
    assertThat(fallbacks.exceededBudgets()).isZero();
    String exception = IllegalStateException.class.getName();
    assertThat(fallbacks.byCause())
        .containsOnly(
            entry(exception + " in pruning regions of T", 2L),
            entry(exception + " in comparing the costs of plans for T", 1L),
            entry(exception + " in planning a loose index scan of I", 1L),
            entry(exception + " in probing servers for I", 1L),
            entry(exception + " in a server probe for I", 1L));
  }

  @Test
  public void countsExceededBudgets() {
    fallbacks.budgetExceeded(10, 7);
    fallbacks.budgetExceeded(20, 7);
    assertThat(fallbacks.exceededBudgets()).isEqualTo(2);
    assertThat(fallbacks.failures()).isZero();
    assertThat(fallbacks.byCause()).hasSize(1).containsValue(2L);
  }
}
