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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PTable;
import org.assertj.core.api.SoftAssertions;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Compares statements along local indexes with the same statements on the data table. The rows, the
 * labels and types of columns, and the values read by label must be equal.
 */
@RunWith(Parameterized.class)
public class IndexNamesIT extends ClusterTest {

  private static final String COVERING = "(V) INCLUDE (G.W, G.X, F.D, F.B)";

  /** Kind of the tables that exist now, or null. */
  private static String created;

  private static Connection connection;

  private final String kind;
  private final String options;
  private final String index;

  public IndexNamesIT(String kind, String options, String index) {
    this.kind = kind;
    this.options = options;
    this.index = index;
  }

  @Parameters(name = "{0}")
  public static List<Object[]> kinds() {
    return List.of(
        new Object[] {"PLAIN", "SPLIT ON (3)", "(V)"},
        new Object[] {"SALTED", "SALT_BUCKETS = 2", COVERING},
        new Object[] {"TENANTS", "MULTI_TENANT = true", "(V)"});
  }

  /**
   * Creates tables of this kind, and views of them:
   *
   * <ul>
   *   <li>one without a condition
   *   <li>one that fixes a key column, and a view of that view
   *   <li>one with its own index
   *   <li>one with more key columns, on a second table
   * </ul>
   */
  @Before
  public void createRelations() throws SQLException {
    if (kind.equals(created)) {
      return;
    }
    close();
    connection = connect(Map.of());
    boolean hasTenants = kind.equals("TENANTS");
    execute(
        connection,
        "CREATE TABLE IF NOT EXISTS E (K INTEGER PRIMARY KEY, Y INTEGER)",
        table("T"),
        table("BASE"),
        "CREATE LOCAL INDEX I_" + relation("T") + " ON " + relation("T") + " " + index,
        "CREATE VIEW " + relation("ALL") + " AS SELECT * FROM " + relation("T"),
        "CREATE VIEW " + relation("FIXED") + " AS SELECT * FROM " + relation("T") + " WHERE K1 = 4",
        "CREATE VIEW %s AS SELECT * FROM %s WHERE V = 1"
            .formatted(relation("CHILD"), relation("FIXED")),
        "CREATE VIEW " + relation("OWN") + " AS SELECT * FROM " + relation("T") + " WHERE K1 = 3",
        "CREATE LOCAL INDEX I_" + relation("OWN") + " ON " + relation("OWN") + " " + index,
        """
        CREATE VIEW %s (K4 INTEGER NOT NULL, F.M INTEGER CONSTRAINT PK PRIMARY KEY (K4))
          AS SELECT * FROM %s WHERE K1 = 2"""
            .formatted(relation("MORE"), relation("BASE")),
        "CREATE LOCAL INDEX I_" + relation("MORE") + " ON " + relation("MORE") + " (V)");
    upsert(relation("T") + (hasTenants ? " (TENANT, " : " (") + "K1, K2, K3, V, D, B, W, X)");
    upsert(relation("MORE") + (hasTenants ? " (TENANT, " : " (") + "K4, K2, K3, V, D, B, W, X)");
    for (int i = 0; i < 5; i++) {
      execute(connection, "UPSERT INTO E VALUES (" + i + ", " + i * 3 + ")");
    }
    connection.commit();
    execute(connection, "ALTER INDEX I_" + relation("OWN") + " ON " + relation("OWN") + " REBUILD");
    created = kind;
  }

  @AfterClass
  public static void close() throws SQLException {
    if (connection != null) {
      connection.close();
    }
    connection = null;
    created = null;
  }

  private String table(String name) {
    boolean hasTenants = kind.equals("TENANTS");
    return """
        CREATE TABLE %s (%sK1 INTEGER NOT NULL, K2 INTEGER NOT NULL, K3 INTEGER NOT NULL,
          F.V INTEGER, F.D DATE, F.B BOOLEAN, G.W INTEGER, G.X INTEGER
          CONSTRAINT PK PRIMARY KEY (%sK1, K2, K3)) %s"""
        .formatted(
            relation(name),
            hasTenants ? "TENANT VARCHAR NOT NULL, " : "",
            hasTenants ? "TENANT, " : "",
            options);
  }

  private String relation(String name) {
    return kind.charAt(0) + "_" + name;
  }

  private void upsert(String into) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "UPSERT INTO "
                + into
                + (kind.equals("TENANTS") ? " VALUES ('a', " : " VALUES (")
                + "?, ?, ?, ?, TO_DATE('2020-01-01'), TRUE, ?, ?)")) {
      for (int i = 0; i < 40; i++) {
        int[] values = {i % 5, i % 4, i, i % 3, i % 7, i % 2};
        for (int j = 0; j < values.length; j++) {
          upsert.setInt(j + 1, values[j]);
        }
        upsert.execute();
      }
    }
  }

  /**
   * Compares the answers along an index and of the data table, for all relations. In a statement, R
   * stands for the relation.
   */
  private void compare(String... statements) throws SQLException {
    boolean hasAll = ALL_COMBINATIONS || kind.equals("PLAIN");
    compare(
        hasAll ? List.of("T", "ALL", "FIXED", "CHILD", "OWN", "MORE") : List.of("T", "OWN"),
        statements);
  }

  private void compare(List<String> relations, String... statements) throws SQLException {
    SoftAssertions softly = new SoftAssertions();
    for (String relation : relations) {
      Combinations combinations = Combinations.oneOf(2, relations.indexOf(relation));
      String name = relation(relation);
      List<String> indexes =
          connection.unwrap(PhoenixConnection.class).getTable(name).getIndexes().stream()
              .map(PTable::getTableName)
              .map(Object::toString)
              .collect(Collectors.toList());
      String hint =
          List.of(name, "A", "B").stream()
              .map(alias -> "INDEX(" + alias + " \"" + indexes.get(0) + "\")")
              .collect(Collectors.joining(" "));
      for (String statement : statements) {
        if (!combinations.chooseNext()) {
          continue;
        }
        String sql = statement.replaceAll("\\bR\\b", name);
        softly
            .assertThat(answer(sql.replace("HINT", hint)))
            .as(relation + ": " + statement)
            .isEqualTo(answer(sql.replace("HINT", "NO_INDEX")));
      }
    }
    softly.assertAll();
  }

  /** Returns the labels, the types and the rows of a result, by these names. */
  private static Map<String, Object> answer(String sql) throws SQLException {
    Map<String, Object> answer = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData columns = result.getMetaData();
      List<Integer> positions =
          IntStream.rangeClosed(1, columns.getColumnCount()).boxed().collect(Collectors.toList());
      List<String> labels = new ArrayList<>();
      List<String> types = new ArrayList<>();
      for (int i : positions) {
        labels.add(columns.getColumnLabel(i));
        types.add(columns.getColumnTypeName(i));
      }
      answer.put("labels", labels);
      answer.put("types", types);
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i : positions) {
          row.add(result.getObject(i));
        }
        for (String label : labels) {
          row.add(label.matches("\\w+") ? result.getString(label) : null);
        }
        rows.add(row);
      }
      if (!sql.contains("ORDER BY")) {
        rows.sort(Comparator.comparing(List::toString));
      }
      answer.put("rows", rows);
    }
    return answer;
  }

  @Test
  public void readsTheRowsOfTheViewOnly() throws SQLException {
    compare(
        "SELECT /*+ HINT */ K1, K2, K3 FROM R WHERE V = 1",
        "SELECT /*+ HINT */ COUNT(*) FROM R WHERE W > 1",
        "SELECT /*+ HINT */ COUNT(*) FROM R WHERE V = 1 AND K2 > 1");
    String child = relation("CHILD");
    String along = child + "#" + relation("FIXED") + "#I_" + relation("T");
    assertThat(
            explain(
                connection,
                "SELECT /*+ INDEX(" + child + " \"" + along + "\") */ K2 FROM " + child))
        .asString()
        .contains(" OVER I_" + relation("T") + "(");
  }

  @Test
  public void selectsTheColumnsOfTheTable() throws SQLException {
    compare(
        "SELECT /*+ HINT */ * FROM R WHERE V = 1",
        "SELECT /*+ HINT */ F.*, K1 FROM R WHERE V = 1",
        "SELECT /*+ HINT */ * FROM R A WHERE A.V = 1 AND A.W > 0",
        "SELECT /*+ HINT */ * FROM R WHERE V = 1 ORDER BY K1 DESC, K2 DESC, K3 DESC",
        "SELECT /*+ HINT */ K1, K2, V, W, D, B, K1 + K2, W + 1 FROM R WHERE V = 1",
        "SELECT /*+ HINT */ * FROM R WHERE V = 1 AND K2 IN (SELECT K FROM E WHERE K < 3)",
        "SELECT /*+ HINT */ * FROM R WHERE V = 1 AND K2 = (SELECT MIN(K) FROM E)",
        "SELECT /*+ HINT */ * FROM (SELECT * FROM R WHERE V = 1) AS Q WHERE K2 > 0",
        "SELECT /*+ HINT */ R.K1, R.B, E.Y FROM R JOIN E ON R.K2 = E.K WHERE V = 1");
  }

  @Test
  public void selectsTheColumnsOfJoinedTables() throws SQLException {
    compare(
        "SELECT /*+ HINT */ * FROM R JOIN E ON R.K2 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ R.* FROM R JOIN E ON R.K2 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ E.*, R.*, E.Y + R.W FROM E JOIN R ON R.K2 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ * FROM E LEFT JOIN R A ON A.K2 = E.K AND A.V = 1",
        "SELECT /*+ HINT USE_SORT_MERGE_JOIN */ * FROM R JOIN E ON R.K2 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ * FROM R A JOIN E ON A.K2 = E.K WHERE A.V = 1"
            + " ORDER BY A.K1, A.K2, A.K3 LIMIT 5",
        "SELECT /*+ HINT */ * FROM R A JOIN R B ON A.K3 = B.K3 WHERE A.V = 1",
        "SELECT /*+ HINT */ * FROM R A JOIN (SELECT K, Y FROM E WHERE Y > 0) Q ON A.K2 = Q.K"
            + " WHERE A.V = 1",
        "SELECT /*+ HINT */ A.K1, Q.* FROM R A JOIN (SELECT K, MAX(Y) FROM E GROUP BY K) Q"
            + " ON A.K2 = Q.K WHERE A.V = 1");
  }

  /**
   * Tests a derived table with an unnamed column. Columns can have the types that the index stores.
   */
  @Test
  public void selectsTheColumnsOfADerivedTable() throws SQLException {
    String sql =
        "SELECT /*+ HINT */ * FROM T A JOIN (SELECT K, MAX(Y) FROM E GROUP BY K) Q ON A.K2 = Q.K"
                .replace(" T ", " " + relation("T") + " ")
            + " WHERE A.V = 1 AND A.W > 2 ORDER BY A.K3";
    List<List<Object>> expected = rows(connection, sql.replace("HINT", "NO_INDEX"));
    String along = sql.replace("HINT", "INDEX(A I_" + relation("T") + ")");
    assertThat(explain(connection, along)).asString().contains(" OVER I_" + relation("T") + "(");
    assertThat(rows(connection, along)).isNotEmpty().isEqualTo(expected);
  }

  @Test
  public void readsColumnsOfJoinedTablesByTableAndLabel() throws SQLException {
    String sql =
        "SELECT /*+ INDEX(A I_T) INDEX(B I_T) */ * FROM T A JOIN T B ON A.K2 = B.K3 JOIN E ON A.K2 = E.K"
            .replace("I_T", "I_" + relation("T"))
            .replace(" T ", " " + relation("T") + " ");
    sql += " WHERE A.V = 1 AND B.V = 1";
    assertThat(explain(connection, sql)).asString().contains(" OVER I_" + relation("T") + "(");
    int rows = 0;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData columns = result.getMetaData();
      int ofT = (columns.getColumnCount() - 2) / 2;
      while (result.next()) {
        rows++;
        for (int i = 1; i <= ofT; i++) {
          String label = columns.getColumnLabel(i);
          assertThat(result.getString("A." + label)).as(label).isEqualTo(result.getString(i));
          assertThat(result.getString("b." + label)).as(label).isEqualTo(result.getString(ofT + i));
        }
        assertThat(result.getInt("E.Y"))
            .as("E.Y of row %s", rows)
            .isEqualTo(result.getInt(2 * ofT + 2));
        assertThat(result.getInt("B.K3"))
            .as("B.K3 of row %s", rows)
            .isEqualTo(result.getInt("A.K2"));
      }
    }
    assertThat(rows).isPositive();
  }

  /** Compares the columns that a connection of a tenant sees. */
  @Test
  public void selectsTheColumnsOfATenant() throws SQLException {
    if (!kind.equals("TENANTS")) {
      return;
    }
    try (Connection tenant = connect(Map.of("TenantId", "a"))) {
      Connection ofAll = connection;
      connection = tenant;
      try {
        execute(
            connection,
            "CREATE VIEW " + relation("TENANT") + " AS SELECT * FROM " + relation("FIXED"));
        compare(
            List.of("FIXED", "TENANT"),
            "SELECT /*+ HINT */ * FROM R WHERE V = 1",
            "SELECT /*+ HINT */ * FROM R WHERE V = 1 AND K2 = (SELECT MIN(K) FROM E)",
            "SELECT /*+ HINT */ A.K1, B.W FROM R A JOIN R B ON A.K3 = B.K3 WHERE A.V = 1",
            "SELECT /*+ HINT */ * FROM R A JOIN R B ON A.K3 = B.K3 JOIN E ON A.K2 = E.K WHERE A.V = 1");
      } finally {
        connection = ofAll;
      }
    }
  }

  @Test
  public void ordersAndGroupsByFixedColumns() throws SQLException {
    compare(
        "SELECT /*+ HINT */ K1, K2 FROM R WHERE V = 1 ORDER BY K1, K2 DESC, K3",
        "SELECT /*+ HINT */ K3, W FROM R WHERE V = 1 ORDER BY K1, 2 DESC, K2, K3",
        "SELECT /*+ HINT */ K1, COUNT(*) FROM R WHERE V = 1 GROUP BY K1 ORDER BY K1",
        "SELECT /*+ HINT */ K1, K2, COUNT(*) FROM R WHERE V = 1 GROUP BY K1, K2",
        "SELECT /*+ HINT */ K1 + 1, MAX(K3) FROM R WHERE V = 1 GROUP BY K1, K1 + 1 ORDER BY K1",
        "SELECT /*+ HINT */ K1, COUNT(*) FROM R WHERE V = 1 AND K3 > 100 GROUP BY K1",
        "SELECT /*+ HINT */ DISTINCT K1 FROM R WHERE V = 1",
        "SELECT /*+ HINT */ R.K2 FROM R JOIN E ON R.K2 = E.K WHERE V = 1 ORDER BY R.K1, R.K3");
  }

  @Test
  public void joinsATableWithItself() throws SQLException {
    compare(
        "SELECT /*+ HINT */ A.W, B.W FROM R A JOIN R B ON A.K2 = B.K3 WHERE A.V = 1 AND B.V = 1",
        "SELECT /*+ HINT */ A.W, B.W, B.X FROM R A JOIN R B ON A.K3 = B.K3 WHERE A.V = 1",
        "SELECT /*+ HINT */ A.K3, B.W, C.X FROM R A JOIN R B ON A.K3 = B.K3"
            + " JOIN R C ON C.K3 = A.K3 WHERE A.V = 1",
        "SELECT /*+ HINT USE_SORT_MERGE_JOIN */ A.K3, A.X, B.W FROM R A JOIN R B ON A.K3 = B.K3"
            + " WHERE A.V = 1 AND B.V = 1",
        "SELECT /*+ HINT */ A.K3, B.W FROM R A LEFT JOIN R B ON A.W = B.K3 WHERE A.V = 1",
        "SELECT /*+ HINT */ A.W, B.K3 FROM R A RIGHT JOIN R B ON A.W = B.K3 WHERE B.V = 1",
        "SELECT /*+ HINT */ A.V, COUNT(*) FROM R A JOIN R B ON A.V = B.V GROUP BY A.V",
        "SELECT /*+ HINT */ K2, W FROM R A WHERE V = 1 AND EXISTS"
            + " (SELECT 1 FROM R B WHERE B.V = 1 AND A.K2 = B.K3 AND B.W = A.W)");
  }

  @Test
  public void joinsOnFixedColumns() throws SQLException {
    compare(
        "SELECT /*+ HINT */ R.K1, E.Y FROM R JOIN E ON R.K1 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ R.K1, E.Y FROM E JOIN R ON R.K1 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ R.K1, E.Y FROM E JOIN R ON R.K1 = E.K AND R.K2 = E.Y WHERE V = 1",
        "SELECT /*+ HINT USE_SORT_MERGE_JOIN */ R.K1, E.Y FROM E JOIN R ON R.K1 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ R.K1, P.Y, O.Y FROM E P JOIN E O ON P.K = O.K JOIN R ON R.K1 = P.K"
            + " WHERE V = 1",
        "SELECT /*+ HINT */ R.K2, P.Y, O.Y FROM R JOIN E P ON R.K2 = P.Y JOIN E O ON O.K = R.K1",
        "SELECT /*+ HINT */ R.K2, E.Y FROM R LEFT JOIN E ON R.K1 = E.K WHERE V = 1",
        "SELECT /*+ HINT */ R.K2, E.Y FROM R RIGHT JOIN E ON R.K1 = E.K",
        "SELECT /*+ HINT */ R.K2, E.Y FROM E LEFT JOIN R ON R.K1 = E.K",
        "SELECT /*+ HINT USE_SORT_MERGE_JOIN */ R.K2, E.Y FROM E LEFT JOIN R ON R.K1 = E.K",
        "SELECT /*+ HINT */ E.Y FROM E WHERE EXISTS"
            + " (SELECT 1 FROM R WHERE R.K1 = E.K AND V = 1)",
        "SELECT /*+ HINT */ K2 FROM R WHERE V = 1 AND EXISTS (SELECT 1 FROM E WHERE R.K1 = E.K)",
        "SELECT /*+ HINT */ K2 FROM R WHERE V = 1 AND K1 IN (SELECT K FROM E)");
  }

  @Test
  public void namesColumnsThatDoNotExist() {
    for (String from : List.of("I_" + relation("T"), "I_" + relation("OWN"))) {
      assertThatThrownBy(() -> rows(connection, "SELECT NONE FROM " + from))
          .as(from)
          .isInstanceOf(ColumnNotFoundException.class)
          .hasMessageContaining("NONE");
      assertThatThrownBy(() -> rows(connection, "SELECT * FROM " + from + " WHERE NONE = 1"))
          .as(from)
          .isInstanceOf(ColumnNotFoundException.class);
    }
  }
}
