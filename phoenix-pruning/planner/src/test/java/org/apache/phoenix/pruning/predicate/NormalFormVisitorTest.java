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
package org.apache.phoenix.pruning.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ArithmeticExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.function.ArrayAnyComparisonExpression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.junit.Test;

public class NormalFormVisitorTest {

  private static final Expression A = LiteralExpression.newConstant("A");
  private static final Expression B = LiteralExpression.newConstant("B");
  private static final Expression C = LiteralExpression.newConstant("C");

  private static Expression and(Expression... children) {
    return new AndExpression(Arrays.asList(children));
  }

  private static Expression or(Expression... children) {
    return new OrExpression(Arrays.asList(children));
  }

  private static Expression not(Expression child) {
    return new NotExpression(child);
  }

  private static String negation(boolean negated) {
    return negated ? "NOT " : "";
  }

  /** Prints AND, OR and literals, and the class of any other expression. */
  private static class Printer extends NormalFormVisitor<String> {

    String print(Expression expression) {
      return visit(expression);
    }

    private String children(Expression junction, boolean negated, String operator) {
      List<Expression> children = junction.getChildren();
      return children.stream()
          .map(child -> visit(child, negated))
          .collect(Collectors.joining(operator, "(", ")"));
    }

    @Override
    protected String and(Expression junction, boolean negated) {
      return children(junction, negated, " AND ");
    }

    @Override
    protected String or(Expression junction, boolean negated) {
      return children(junction, negated, " OR ");
    }

    @Override
    protected String literal(LiteralExpression literal, boolean negated) {
      return negation(negated) + literal.getValue();
    }

    @Override
    protected String other(Expression expression, boolean negated) {
      return negation(negated) + expression.getClass().getSimpleName();
    }
  }

  private static void assertVisited(Expression expression, String expected) {
    assertThat(new Printer().print(expression)).isEqualTo(expected);
  }

  @Test
  public void keepsExpressionsWithoutNot() {
    assertVisited(and(A, or(B, C)), "(A AND (B OR C))");
  }

  @Test
  public void pushesNotDownToTheLeaves() {
    assertVisited(not(A), "NOT A");
    assertVisited(not(and(A, B)), "(NOT A OR NOT B)");
    assertVisited(not(or(A, and(B, C))), "(NOT A AND (NOT B OR NOT C))");
  }

  @Test
  public void removesDoubleNegation() {
    assertVisited(not(not(A)), "A");
    assertVisited(not(not(not(A))), "NOT A");
    assertVisited(not(and(A, not(or(B, not(C))))), "(NOT A OR (B OR NOT C))");
  }

  @Test
  public void visitsKindsWithoutMethodByOther() {
    NormalFormVisitor<String> visitor =
        new NormalFormVisitor<>() {
          @Override
          protected String other(Expression expression, boolean negated) {
            return negation(negated) + expression.getClass().getSimpleName();
          }
        };
    assertThat(visitor.visit(A)).isEqualTo("LiteralExpression");
    assertThat(visitor.visit(not(and(A, B)))).isEqualTo("NOT AndExpression");
    assertThat(visitor.visit(not(or(A, B)))).isEqualTo("NOT OrExpression");
  }

  /** Returns the name of the method that visits an expression. */
  private static final class Kinds extends NormalFormVisitor<String> {

    String of(Expression expression) {
      return visit(expression);
    }

    @Override
    protected String literal(LiteralExpression literal, boolean negated) {
      return negation(negated) + "literal";
    }

    @Override
    protected String keyColumn(RowKeyColumnExpression column, boolean negated) {
      return negation(negated) + "keyColumn";
    }

    @Override
    protected String comparison(ComparisonExpression comparison, boolean negated) {
      return negation(negated) + "comparison";
    }

    @Override
    protected String in(InListExpression list, boolean negated) {
      return negation(negated) + "in";
    }

    @Override
    protected String isNull(IsNullExpression isNull, boolean negated) {
      return negation(negated) + "isNull";
    }

    @Override
    protected String like(LikeExpression like, boolean negated) {
      return negation(negated) + "like";
    }

    @Override
    protected String arrayComparison(ArrayAnyComparisonExpression comparison, boolean negated) {
      return negation(negated) + "arrayComparison";
    }

    @Override
    protected String caseWhen(CaseExpression caseWhen, boolean negated) {
      return negation(negated) + "caseWhen";
    }

    @Override
    protected String cast(CoerceExpression cast, boolean negated) {
      return negation(negated) + "cast";
    }

    @Override
    protected String arithmetic(ArithmeticExpression operation, boolean negated) {
      return negation(negated) + "arithmetic";
    }

    @Override
    protected String coalesce(CoalesceFunction coalesce, boolean negated) {
      return negation(negated) + "coalesce";
    }

    @Override
    protected String function(ScalarFunction function, boolean negated) {
      return negation(negated) + "function";
    }

    @Override
    protected String other(Expression expression, boolean negated) {
      return negation(negated) + "other";
    }
  }

  @Test
  public void callsTheMethodOfTheKind() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS KINDS");
      driver.execute("CREATE TABLE KINDS (I INTEGER NOT NULL PRIMARY KEY, T VARCHAR, B BOOLEAN)");
      assertKind(driver, "I + 1 > 2", "comparison");
      assertKind(driver, "I IN (1, 2)", "in");
      assertKind(driver, "I NOT IN (1, 2)", "NOT in");
      assertKind(driver, "T IS NULL", "isNull");
      assertKind(driver, "T IS NOT NULL", "isNull");
      assertKind(driver, "T LIKE 'a_'", "like");
      assertKind(driver, "T NOT LIKE 'a_'", "NOT like");
      assertKind(driver, "I = ANY(ARRAY[1, 2])", "arrayComparison");
      assertKind(driver, "I < ALL(ARRAY[1, 2])", "arrayComparison");
      assertKind(driver, "CASE WHEN I = 1 THEN TRUE ELSE B END", "caseWhen");
      assertKind(driver, "COALESCE(B, TRUE)", "comparison");
      assertKind(driver, "REGEXP_SUBSTR(T, 'a') IS NULL", "isNull");
      assertKind(driver, "B", "comparison");
      assertKind(driver, "NOT B", "NOT other");
      assertOperandKind(driver, "I > 2", "keyColumn");
      assertOperandKind(driver, "I + 1 > 2", "arithmetic");
      assertOperandKind(driver, "COALESCE(I, 1) > 2", "coalesce");
      assertOperandKind(driver, "CAST(T AS CHAR(9)) > 'a'", "cast");
      assertOperandKind(driver, "LENGTH(T) > 2", "function");
      assertOperandKind(driver, "T || 'a' > 'b'", "other");
    }
  }

  private static void assertKind(Connectionless driver, String condition, String expected)
      throws SQLException {
    assertThat(new Kinds().of(where(driver, condition))).as(condition).isEqualTo(expected);
  }

  @Test
  public void visitsEachKindByOtherWithoutMethod() throws SQLException {
    NormalFormVisitor<Class<?>> visitor =
        new NormalFormVisitor<>() {
          @Override
          protected Class<?> other(Expression expression, boolean negated) {
            return expression.getClass();
          }
        };
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS KINDS");
      driver.execute("CREATE TABLE KINDS (I INTEGER NOT NULL PRIMARY KEY, T VARCHAR, B BOOLEAN)");
      for (String condition :
          List.of(
              "I > 2",
              "I + 1 > 2",
              "CAST(T AS CHAR(9)) > 'a'",
              "I IN (1, 2)",
              "T IS NULL",
              "T LIKE 'a_'",
              "I = ANY(ARRAY[1, 2])",
              "CASE WHEN I = 1 THEN TRUE ELSE B END",
              "COALESCE(I, 1) > 2",
              "LENGTH(T) > 2")) {
        Expression where = where(driver, condition);
        Expression operand = where.getChildren().get(0);
        assertThat(visitor.visit(where)).as(condition).isEqualTo(where.getClass());
        assertThat(visitor.visit(operand))
            .as("first operand of %s", condition)
            .isEqualTo(operand.getClass());
      }
    }
  }

  /** Checks the kind of the first operand. */
  private static void assertOperandKind(Connectionless driver, String condition, String expected)
      throws SQLException {
    assertThat(new Kinds().of(where(driver, condition).getChildren().get(0)))
        .as(condition)
        .isEqualTo(expected);
  }

  private static Expression where(Connectionless driver, String condition) throws SQLException {
    try (PreparedStatement statement =
        driver.connection().prepareStatement("SELECT I FROM KINDS WHERE " + condition)) {
      return ((BoundWhere.Holder)
              (Object)
                  statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery().getContext())
          .getBoundWhere()
          .expression();
    }
  }
}
