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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.config.PruningMode;
import org.assertj.core.api.SoftAssertions;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Tests conditions on a CAST of the key, of a column, and of a column along an index. */
@RunWith(Parameterized.class)
public class CastRangeIT extends ClusterTest {

  private static final List<String> OPERATORS = List.of("=", "<", "<=", ">", ">=", "<>", "IN");

  private static final List<String> SMALL_CONSTANTS =
      List.of("2", "2.5", "-2.5", "0", "100", "1000");

  private static final List<String> CONSTANTS =
      Stream.concat(SMALL_CONSTANTS.stream(), Stream.of("3000000000", "3000000000.5")).toList();

  /** A row: the key, and its CAST to another type. */
  private record Row(BigDecimal key, BigDecimal cast) {}

  @Parameters(name = "{0} {1}")
  public static List<Object[]> columns() {
    List<Object[]> few =
        List.of(
            new Object[] {"TINYINT", "ASC"},
            new Object[] {"INTEGER", "DESC"},
            new Object[] {"DOUBLE", "ASC"});
    List<Object[]> others =
        List.of(
            new Object[] {"SMALLINT", "DESC"},
            new Object[] {"BIGINT", "ASC"},
            new Object[] {"DOUBLE", "DESC"});
    return ALL_COMBINATIONS ? Stream.concat(few.stream(), others.stream()).toList() : few;
  }

  @Parameter(0)
  public String type;

  @Parameter(1)
  public String order;

  private List<String> values() {
    return type.equals("DOUBLE")
        ? List.of("-7.5", "-2.5", "-2.0", "-0.5", "0.0", "1.0", "2.0", "2.4", "2.5", "26.0")
        : List.of("-7", "-2", "0", "1", "2", "3", "25", "26", "100");
  }

  private String createTable(Connection connection) throws SQLException {
    String table = generateUniqueName();
    execute(
        connection,
        "CREATE TABLE %s (K %s NOT NULL, V %s CONSTRAINT PK PRIMARY KEY (K %s))"
            .formatted(table, type, type, order),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (V %2$s)".formatted(table, order));
    for (String value : values()) {
      execute(connection, "UPSERT INTO %s VALUES (%s, %s)".formatted(table, value, value));
    }
    connection.commit();
    return table;
  }

  private static boolean matches(BigDecimal value, String operator, BigDecimal constant) {
    int comparison = value.compareTo(constant);
    switch (operator) {
      case "=":
        return comparison == 0;
      case "<":
        return comparison < 0;
      case "<=":
        return comparison <= 0;
      case ">":
        return comparison > 0;
      case ">=":
        return comparison >= 0;
      case "<>":
        return comparison != 0;
      default:
        return comparison == 0 || value.compareTo(BigDecimal.ONE) == 0;
    }
  }

  private void assertRows(String castType, List<String> constants) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String table = createTable(connection);
      List<Row> rows = new ArrayList<>();
      String all =
          "SELECT /*+ NO_INDEX */ K, CAST(K AS %s) FROM %s ORDER BY K".formatted(castType, table);
      for (List<Object> row : rows(connection, all)) {
        rows.add(new Row((BigDecimal) row.get(0), (BigDecimal) row.get(1)));
      }
      SoftAssertions softly = new SoftAssertions();
      for (String operator : OPERATORS) {
        for (String constant : constants) {
          List<Object> expected = new ArrayList<>();
          for (Row row : rows) {
            if (matches(row.cast, operator, new BigDecimal(constant))) {
              expected.add(List.of(row.key));
            }
          }
          String condition =
              operator.equals("IN") ? "IN (%s, 1)".formatted(constant) : operator + " " + constant;
          for (String column : List.of("NO_INDEX, K", "NO_INDEX, V", "INDEX(%1$s I_%1$s), V")) {
            String[] hintAndColumn = column.formatted(table).split(", ");
            String query =
                "SELECT /*+ %s */ K FROM %s WHERE CAST(%s AS %s) %s ORDER BY K"
                    .formatted(hintAndColumn[0], table, hintAndColumn[1], castType, condition);
            softly.assertThat(rows(connection, query)).as(query).isEqualTo(expected);
          }
        }
      }
      softly.assertAll();
    }
  }

  /** Tests a constant that becomes infinite as a FLOAT. */
  @Test
  public void comparesAFloatWithALargerNumber() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String table = generateUniqueName();
      execute(
          connection,
          "CREATE TABLE %s (K FLOAT NOT NULL PRIMARY KEY)".formatted(table),
          "UPSERT INTO %s VALUES (1.5)".formatted(table));
      connection.commit();
      String query = "SELECT COUNT(*) FROM %s WHERE CAST(K AS DECIMAL) ".formatted(table);
      String large = "1" + "0".repeat(50);

      assertThat(rows(connection, query + "< " + large))
          .isEqualTo(List.of(List.of(BigDecimal.ONE)));
      assertThat(rows(connection, query + "> " + large))
          .isEqualTo(List.of(List.of(BigDecimal.ZERO)));
    }
  }

  @Test
  public void comparesCastsToBigint() throws SQLException {
    assertRows("BIGINT", CONSTANTS);
  }

  @Test
  public void comparesCastsToDecimal() throws SQLException {
    assertRows("DECIMAL", CONSTANTS);
  }

  @Test
  public void comparesCastsToDouble() throws SQLException {
    assertRows("DOUBLE", CONSTANTS);
  }

  /** Phoenix refuses to compare a FLOAT with a BIGINT. */
  @Test
  public void comparesCastsToFloat() throws SQLException {
    assertRows("FLOAT", SMALL_CONSTANTS);
  }
}
