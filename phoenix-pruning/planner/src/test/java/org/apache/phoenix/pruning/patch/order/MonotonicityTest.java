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
package org.apache.phoenix.pruning.patch.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.SqrtFunction;
import org.apache.phoenix.expression.function.UDFExpression;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PName;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which functions of a column keep the order of its values. */
@RunWith(JUnitParamsRunner.class)
public class MonotonicityTest {

  private static Connectionless driver;

  @BeforeClass
  public static void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute(
        """
        CREATE TABLE T (D DATE NOT NULL, K DOUBLE NOT NULL, L DECIMAL NOT NULL, I INTEGER NOT NULL,
          S VARCHAR NOT NULL CONSTRAINT PK PRIMARY KEY (D, K, L, I, S))""");
  }

  @AfterClass
  public static void dropTable() throws SQLException {
    driver.execute("DROP TABLE T");
    driver.close();
  }

  private static Monotonicity monotonicity(String expression) throws SQLException {
    return Monotonicity.of(expression(expression));
  }

  private static Expression expression(String expression) throws SQLException {
    try (PreparedStatement statement =
        driver.connection().prepareStatement("SELECT " + expression + " FROM T")) {
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .optimizeQuery()
          .getProjector()
          .getColumnProjector(0)
          .getExpression();
    }
  }

  @Test
  @Parameters({"D", "INVERT(D)", "CAST(I AS BIGINT)", "INVERT(CAST(I AS BIGINT))"})
  public void isStrictIfNoTwoValuesBecomeEqual(String expression) throws SQLException {
    assertThat(monotonicity(expression)).isEqualTo(Monotonicity.STRICT);
  }

  @Test
  @Parameters(
      value = {
        "TRUNC(D\\, 'HOUR')",
        "INVERT(TRUNC(D\\, 'HOUR'))",
        "TRUNC(INVERT(INVERT(D))\\, 'DAY')",
        "CAST(L AS INTEGER)",
        "SIGN(K)",
        "EXP(K)",
        "FLOOR(L)",
        "SUBSTR(S\\, 1\\, 1)"
      })
  public void isNotStrictIfValuesBecomeEqual(String expression) throws SQLException {
    assertThat(monotonicity(expression)).isEqualTo(Monotonicity.MONOTONE);
  }

  /** A user's function says itself whether it preserves order. */
  @Test
  @Parameters({"K, MONOTONE", "SIGN(K), MONOTONE", "COS(K), NONE"})
  public void isThatOfTheArgumentForFunctionsOfUsers(String argument, Monotonicity expected)
      throws SQLException {
    List<Expression> arguments = List.of(expression(argument));
    Expression function =
        new UDFExpression(arguments, PName.EMPTY_NAME, "Users", null, new SqrtFunction(arguments));
    assertThat(Monotonicity.of(function)).isEqualTo(expected);
  }

  @Test
  @Parameters({"COS(K)", "SIGN(COS(K))", "SQRT(K)", "RTRIM(S)", "CAST(L AS BOOLEAN)"})
  public void isNoneIfTheOrderChanges(String expression) throws SQLException {
    assertThat(monotonicity(expression)).isEqualTo(Monotonicity.NONE);
  }
}
