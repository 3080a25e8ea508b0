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

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.FunctionExpression;
import org.apache.phoenix.expression.function.GetBitFunction;
import org.apache.phoenix.expression.function.GetByteFunction;
import org.apache.phoenix.expression.function.RowKeyBytesStringFunction;
import org.apache.phoenix.expression.function.ScalarFunction;
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

  private static final List<String> NUMBERS =
      List.of("-7.5", "-3.2", "-3.1", "-1", "-0.4", "0", "0.4", "1", "1.5", "2", "3.1", "7.5", "9");
  private static final List<String> INTEGERS =
      List.of("-9", "-7", "-3", "-2", "-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
  private static final List<String> TIMES =
      List.of(
          "DATE '2019-12-31 23:59:59'",
          "DATE '2020-01-01 00:00:00'",
          "DATE '2020-01-01 00:00:01'",
          "DATE '2020-01-01 12:00:00'",
          "DATE '2020-01-01 12:29:00'",
          "DATE '2020-01-01 12:30:00'",
          "DATE '2020-02-28 10:00:00'",
          "DATE '2020-03-01 10:00:00'",
          "DATE '2021-07-01 10:00:00'");
  private static final List<String> TEXTS =
      List.of("'a'", "'a '", "'a b'", "'aa'", "'ab'", "'b'", "'ba'", "'bab'", "'c'");

  /** Functions of {@code $}, with a column for {@code $} and ascending values of its type. */
  private static final Map<String, Map.Entry<String, List<String>>> FUNCTIONS = functions();

  private static Map<String, Map.Entry<String, List<String>>> functions() {
    Map<String, Map.Entry<String, List<String>>> functions = new LinkedHashMap<>();
    for (String function : List.of("SQRT", "LN", "LOG")) {
      functions.put(function + "($)", Map.entry("K", List.of("0.5", "1", "2", "9")));
    }
    for (String function : List.of("COS", "SIN", "TAN", "EXP", "CBRT", "SIGN")) {
      functions.put(function + "($)", Map.entry("K", NUMBERS));
      functions.put(function + "($) ", Map.entry("I", INTEGERS));
    }
    functions.put("LOG($, 0.5)", Map.entry("K", List.of("1", "2", "4")));
    for (String function : List.of("ROUND", "FLOOR", "CEIL")) {
      functions.put(function + "($)", Map.entry("L", NUMBERS));
      functions.put(function + "($, 1)", Map.entry("L", NUMBERS));
    }
    for (String function : List.of("ROUND", "FLOOR", "CEIL", "TRUNC")) {
      for (String unit :
          List.of("'SECOND'", "'MINUTE'", "'HOUR'", "'HOUR', 7", "'DAY'", "'DAY', 3")) {
        functions.put(function + "($, " + unit + ")", Map.entry("D", TIMES));
      }
    }
    for (String function : List.of("ROUND", "FLOOR", "CEIL")) {
      for (String unit : List.of("'WEEK'", "'MONTH'", "'YEAR'")) {
        functions.put(function + "($, " + unit + ")", Map.entry("D", TIMES));
      }
    }
    functions.put("SUBSTR($, 1, 1)", Map.entry("S", TEXTS));
    functions.put("SUBSTR($, 1)", Map.entry("S", TEXTS));
    functions.put("RTRIM($)", Map.entry("S", TEXTS));
    functions.put("REGEXP_SUBSTR($, '[^b]+')", Map.entry("S", TEXTS));
    functions.put("INVERT($)", Map.entry("S", TEXTS));
    return functions;
  }

  /**
   * Compares the order of values with the order of a function's results. A function that loses the
   * order must not be monotone.
   */
  @Test
  public void holdsForTheValuesOfEachFunction() throws SQLException {
    for (Map.Entry<String, Map.Entry<String, List<String>>> entry : FUNCTIONS.entrySet()) {
      String function = entry.getKey();
      Monotonicity claimed = monotonicity(function.replace("$", entry.getValue().getKey()));
      List<Comparable<Object>> results = new ArrayList<>();
      for (String value : entry.getValue().getValue()) {
        results.add(result(function.replace("$", value)));
      }
      List<Integer> steps = new ArrayList<>();
      for (int i = 1; i < results.size(); i++) {
        if (results.get(i - 1) != null && results.get(i) != null) {
          steps.add(Integer.signum(results.get(i - 1).compareTo(results.get(i))));
        }
      }
      boolean isMonotone = !(steps.contains(1) && steps.contains(-1));
      if (claimed != Monotonicity.NONE) {
        assertThat(isMonotone).as(function).isTrue();
      }
      if (claimed == Monotonicity.STRICT) {
        assertThat(steps).as(function).doesNotContain(0);
      }
    }
  }

  /** Returns the value of a constant expression. Numbers are compared as DECIMAL. */
  @SuppressWarnings("unchecked")
  private static Comparable<Object> result(String constant) throws SQLException {
    Object value = ((LiteralExpression) expression(constant)).getValue();
    return (Comparable<Object>)
        (value instanceof Number ? new BigDecimal(value.toString()) : value);
  }

  /** Checks that the test above has each function of Phoenix that declares to preserve order. */
  @Test
  public void isTestedForEachFunctionThatPreservesOrder() throws Exception {
    Set<Class<?>> tested = new HashSet<>();
    for (Map.Entry<String, Map.Entry<String, List<String>>> entry : FUNCTIONS.entrySet()) {
      Expression expression = expression(entry.getKey().replace("$", entry.getValue().getKey()));
      while (expression != null) {
        if (expression instanceof ScalarFunction) {
          tested.add(declaring(expression.getClass()));
        }
        expression = KeyOrder.argument(expression);
      }
    }
    Set<Class<?>> preserving = new HashSet<>();
    for (ExpressionType type : ExpressionType.values()) {
      Class<?> function = type.getExpressionClass();
      if (ScalarFunction.class.isAssignableFrom(function)) {
        preserving.add(declaring(function));
      }
    }
    preserving.remove(FunctionExpression.class);
    tested.remove(FunctionExpression.class);
    // The first two functions read bytes, and the third has no argument. The next test has
    // user-defined functions.
    preserving.removeAll(
        List.of(
            GetByteFunction.class,
            GetBitFunction.class,
            RowKeyBytesStringFunction.class,
            UDFExpression.class));
    assertThat(tested).isEqualTo(preserving);
  }

  /** Returns the class that implements {@code preservesOrder} for a function. */
  private static Class<?> declaring(Class<?> function) throws NoSuchMethodException {
    return function.getMethod("preservesOrder").getDeclaringClass();
  }

  /** A user-defined function declares itself whether it preserves order. */
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
