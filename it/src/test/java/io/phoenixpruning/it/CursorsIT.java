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
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.cache.GlobalCache;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests the rows that cursors return, and in which FETCH. */
public class CursorsIT extends ClusterTest {

  /** Without the patch, each FETCH of these cursors returns all rows, or DECLARE CURSOR fails. */
  private static final List<String> REPEATED =
      List.of(
          "SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID",
          "SELECT T.ID, D.X FROM T LEFT JOIN D ON T.ID = D.ID ORDER BY D.X DESC, T.ID",
          "SELECT T.ID, D.X FROM T RIGHT JOIN D ON T.ID = D.X",
          "SELECT T.ID, D.X FROM T FULL JOIN D ON T.ID = D.X",
          "SELECT /*+ USE_SORT_MERGE_JOIN */ T.ID, D.X FROM T JOIN D ON T.ID = D.ID",
          "SELECT T.B, COUNT(*) FROM T JOIN D ON T.ID = D.ID GROUP BY T.B",
          "SELECT DISTINCT T.B FROM T JOIN D ON T.ID = D.ID",
          "SELECT T.*, D.X FROM T JOIN D ON T.A = D.X * 10",
          "SELECT T.ID, D.X FROM T, D",
          "SELECT U.Z, T.A FROM (SELECT ID Z FROM T UNION ALL SELECT K FROM D) U JOIN T ON T.ID ="
              + " U.Z",
          "SELECT Z FROM (SELECT A Z FROM T ORDER BY A LIMIT 4) WHERE Z > 10",
          "SELECT Z, COUNT(*) FROM (SELECT B Z FROM T LIMIT 4) GROUP BY Z",
          "SELECT Z FROM (SELECT ID Z FROM T UNION ALL SELECT K FROM D) WHERE Z > 3",
          "SELECT ID FROM T UNION ALL SELECT K FROM D",
          "SELECT \"t\".ID FROM T AS \"t\" WHERE \"t\".A > 10",
          "SELECT ID FROM T UNION ALL SELECT K FROM D ORDER BY ID DESC LIMIT 5",
          "SELECT B, COUNT(*) FROM T GROUP BY B UNION ALL SELECT 'z', COUNT(*) FROM D",
          "SELECT ID FROM T WHERE ID IN (SELECT ID FROM D)",
          "SELECT ID FROM T WHERE A IN (SELECT X * 10 FROM D)",
          "SELECT ID FROM T WHERE ID NOT IN (SELECT ID FROM D)",
          "SELECT ID FROM T WHERE A > (SELECT MIN(X) FROM D)",
          "SELECT ID FROM T WHERE A > ANY (SELECT X FROM D)",
          "SELECT ID FROM T WHERE EXISTS (SELECT 1 FROM D WHERE D.ID = T.ID)",
          "SELECT ID FROM T WHERE NOT EXISTS (SELECT 1 FROM D WHERE D.ID = T.ID)");

  private static final List<String> OF_GROUPS =
      List.of(
          "SELECT B, COUNT(*) FROM T GROUP BY B",
          "SELECT B, COUNT(DISTINCT A), MIN(A), MAX(A) FROM T GROUP BY B LIMIT 3",
          "SELECT B, SUM(A) FROM T GROUP BY B HAVING SUM(A) > 30",
          "SELECT B, SUM(A) FROM T GROUP BY B LIMIT 2 OFFSET 1",
          "SELECT B, FIRST_VALUE(A) WITHIN GROUP (ORDER BY ID DESC) FROM T GROUP BY B",
          "SELECT Z FROM (SELECT B, COUNT(*) Z FROM T GROUP BY B) WHERE Z > 0");

  /** Phoenix returns the rows of these cursors. */
  private static final List<String> OF_ONE_TABLE =
      List.of(
          "SELECT * FROM T",
          "SELECT ID FROM T ORDER BY ID DESC",
          "SELECT ID, B FROM T ORDER BY B, ID LIMIT 3 OFFSET 2",
          "SELECT ID FROM T LIMIT 5",
          "SELECT ID FROM T WHERE ID > 100",
          "SELECT ID FROM T WHERE 1 = 0",
          "SELECT ID FROM T WHERE ID IN (1, 3, 5)",
          "SELECT ID, A FROM T WHERE A > 10",
          "SELECT ID, B FROM T WHERE A > 10 ORDER BY A",
          "SELECT /*+ NO_INDEX */ ID, A FROM T WHERE A > 10",
          "SELECT /*+ INDEX(T CURSOR_I) */ ID, B FROM T WHERE A > 10",
          "SELECT A, COUNT(*) FROM T GROUP BY A",
          "SELECT B, SUM(A) FROM T GROUP BY B ORDER BY SUM(A) DESC, B",
          "SELECT COUNT(*) FROM T",
          "SELECT DISTINCT B FROM T",
          "SELECT Z FROM (SELECT A Z FROM T)",
          "SELECT CASE WHEN B = 'it''s' THEN 'x' ELSE 'y' END AS \"low\" FROM T WHERE B LIKE 'a%'",
          "SELECT T.ID FROM T WHERE (ID, A) > (2, 20) OR ID = ANY(ARRAY[1, 2])");

  private Connection exact;
  private Connection without;

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          "CREATE TABLE CURSOR_T (ID INTEGER PRIMARY KEY, A INTEGER, B VARCHAR) SPLIT ON (3, 6)",
          "CREATE LOCAL INDEX CURSOR_I ON CURSOR_T (A)",
          "CREATE TABLE CURSOR_D (K INTEGER PRIMARY KEY, ID INTEGER, X INTEGER)",
          "UPSERT INTO CURSOR_T VALUES (1, 10, 'a')",
          "UPSERT INTO CURSOR_T VALUES (2, 20, 'b')",
          "UPSERT INTO CURSOR_T VALUES (3, 30, 'a')",
          "UPSERT INTO CURSOR_T VALUES (4, 40, 'c')",
          "UPSERT INTO CURSOR_T VALUES (5, 50, 'b')",
          "UPSERT INTO CURSOR_T VALUES (7, 70, 'd')",
          "UPSERT INTO CURSOR_D VALUES (1, 1, 1)",
          "UPSERT INTO CURSOR_D VALUES (2, 1, 2)",
          "UPSERT INTO CURSOR_D VALUES (3, 2, 3)",
          "UPSERT INTO CURSOR_D VALUES (4, 3, 4)",
          "UPSERT INTO CURSOR_D VALUES (5, 4, 9)");
    }
  }

  @Before
  public void connect() throws SQLException {
    exact = connect(PruningMode.EXACT);
    without = connect(Map.of(PruningOptions.PATCHES, "all,-" + Patch.CURSOR_FETCH.id()));
  }

  @After
  public void close() throws SQLException {
    exact.close();
    without.close();
  }

  @Test
  public void fetchesEachRowOnce() throws SQLException {
    try (Connection none = connect(PruningMode.NONE);
        Connection stock = connect(PruningMode.STOCK)) {
      for (String query : REPEATED) {
        String expected = rightRows(query);
        assertThat(fetched(exact, query)).as(query).isEqualTo(expected);
        assertThat(fetched(none, query)).as("mode none: " + query).isEqualTo(expected);
        assertThat(fetchedOrError(stock, query)).as("stock: " + query).isNotEqualTo(expected);
        assertThat(fetchedOrError(without, query))
            .as("without the patch: " + query)
            .isNotEqualTo(expected);
      }
    }
  }

  @Test
  public void fetchesTheAggregatesOfEachGroup() throws SQLException {
    for (String query : OF_GROUPS) {
      String expected = rightRows(query);
      assertThat(fetched(exact, query)).as(query).isEqualTo(expected);
      assertThat(fetched(without, query)).as("without the patch: " + query).isNotEqualTo(expected);
    }
  }

  @Test
  public void fetchesTheRowsOfOneTable() throws SQLException {
    try (Connection none = connect(PruningMode.NONE);
        Connection stock = connect(PruningMode.STOCK)) {
      for (String query : OF_ONE_TABLE) {
        String expected = rightRows(query);
        for (Connection connection : List.of(exact, none, stock, without)) {
          assertThat(fetched(connection, query)).as(query).isEqualTo(expected);
        }
      }
    }
  }

  /** The cursors keep their place among other statements of the connection. */
  @Test
  public void fetchesInAnyNumberOfSteps() throws SQLException {
    String groups = open(exact, "SELECT B, COUNT(*) FROM T GROUP BY B");
    String join = open(exact, "SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID ORDER BY D.X");
    assertThat(fetch(exact, groups, 1)).hasToString("[[a, 2]]");
    assertThat(fetch(exact, join, 2)).hasToString("[[1, 1], [1, 2]]");
    assertThat(fetch(exact, join, 0)).isEmpty();
    assertThat(fetch(exact, groups, 2)).hasToString("[[b, 2], [c, 1]]");
    assertThat(rows(exact, named("SELECT COUNT(*) FROM T JOIN D ON T.ID = D.ID")))
        .hasToString("[[5]]");
    assertThat(fetch(exact, join, 9)).hasToString("[[2, 3], [3, 4], [4, 9]]");
    assertThat(fetch(exact, groups, 9)).hasToString("[[d, 1]]");
    for (String cursor : List.of(join, groups)) {
      String place = "after the last row of the " + (cursor.equals(join) ? "join" : "groups");
      assertThat(fetch(exact, cursor, 1)).as(place).isEmpty();
      assertThat(fetch(exact, cursor, 9)).as(place).isEmpty();
      execute(exact, "CLOSE " + cursor);
      assertThatThrownBy(() -> fetch(exact, cursor, 1))
          .as(place + ", closed")
          .hasMessageContaining("not declared");
    }
  }

  @Test
  public void declaresAClosedCursorAgain() throws SQLException {
    String cursor = open(exact, "SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID ORDER BY D.X");
    assertThat(fetch(exact, cursor, 1)).hasToString("[[1, 1]]");
    execute(
        exact,
        "CLOSE " + cursor,
        named(
            "DECLARE "
                + cursor
                + " CURSOR FOR SELECT ID FROM T UNION ALL SELECT K FROM D"
                + " ORDER BY ID DESC"),
        "OPEN " + cursor);
    assertThat(fetch(exact, cursor, 2)).hasToString("[[7], [5]]");
    execute(exact, "CLOSE " + cursor);
    String unread = open(exact, "SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID");
    execute(exact, "CLOSE " + unread);
  }

  /** Rows that an application does not read from the result of a FETCH are in the next FETCH. */
  @Test
  public void continuesAfterTheLastRowThatWasRead() throws SQLException {
    String cursor = open(exact, "SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID ORDER BY D.X");
    try (Statement statement = exact.createStatement();
        ResultSet result = statement.executeQuery("FETCH NEXT 3 ROWS FROM " + cursor)) {
      assertThat(result.next()).isTrue();
      assertThat(result.getInt(2)).isEqualTo(1);
    }
    assertThat(fetch(exact, cursor, 9)).hasToString("[[1, 2], [2, 3], [3, 4], [4, 9]]");
    execute(exact, "CLOSE " + cursor);
  }

  /** sqlline and other clients run each statement with {@code execute}. */
  @Test
  public void hasTheRowsInTheStatementOfTheFetch() throws SQLException {
    for (String query : List.of("SELECT ID FROM T ORDER BY ID", REPEATED.get(0))) {
      String cursor = generateUniqueName();
      try (Statement declare = exact.createStatement();
          Statement fetch = exact.createStatement()) {
        declare.execute(named("DECLARE " + cursor + " CURSOR FOR " + query));
        declare.execute("OPEN " + cursor);
        assertThat(fetch.execute("FETCH NEXT 2 ROWS FROM " + cursor)).as(query).isTrue();
        ResultSet result = fetch.getResultSet();
        assertThat(result.getStatement()).as(query).isSameAs(fetch);
        declare.close();
        assertThat(result.next()).as(query).isTrue();
        assertThat(result.next()).as(query).isTrue();
        assertThat(result.next()).as(query).isFalse();
        fetch.close();
        assertThat(result.isClosed()).as(query).isTrue();
      }
      assertThat(fetch(exact, cursor, 2)).as(query).hasSize(2);
      execute(exact, "CLOSE " + cursor);
    }
  }

  @Test
  public void fetchesWithPreparedStatements() throws SQLException {
    String cursor = generateUniqueName();
    String query = named("SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID ORDER BY D.X");
    for (String sql : List.of("DECLARE " + cursor + " CURSOR FOR " + query, "OPEN " + cursor)) {
      try (PreparedStatement statement = exact.prepareStatement(sql)) {
        assertThat(statement.execute()).as(sql).isFalse();
      }
    }
    try (PreparedStatement statement = exact.prepareStatement("FETCH NEXT ROW FROM " + cursor)) {
      assertThat(statement.getMetaData().getColumnCount()).isEqualTo(2);
      for (String row : List.of("[[1, 1]]", "[[1, 2]]", "[[2, 3]]")) {
        try (ResultSet result = statement.executeQuery()) {
          assertThat(rows(result, true)).as(row).hasToString(row);
        }
      }
    }
    execute(exact, "CLOSE " + cursor);
  }

  /** The servers keep the hash table of a join while the cursor is open. */
  @Test
  public void freesTheHashTableOnClose() throws SQLException {
    freeServerCache();
    String cursor = open(exact, "SELECT T.ID, D.X FROM T JOIN D ON T.ID = D.ID");
    assertThat(fetch(exact, cursor, 1)).hasSize(1);
    execute(exact, "CLOSE " + cursor);
    assertThat(GlobalCache.getInstance(null).clearTenantCache()).isZero();
  }

  @Test
  public void refusesParametersAndWrongColumns() {
    for (Connection connection : List.of(exact, without)) {
      for (String query : List.of("SELECT ID FROM T WHERE ID > ?", "SELECT NOPE FROM T")) {
        assertThatThrownBy(() -> open(connection, query))
            .as("%s, %s the patch", query, connection == exact ? "with" : "without")
            .isInstanceOf(SQLException.class);
      }
    }
  }

  /** As for other queries, the scans of data tables continue in the new regions. */
  @Test
  public void fetchesWhileARegionSplits() throws Exception {
    String table = generateUniqueName();
    exact.setAutoCommit(true);
    execute(exact, "CREATE TABLE " + table + " (ID INTEGER PRIMARY KEY) SPLIT ON (20)");
    for (int i = 0; i < 40; i++) {
      execute(exact, "UPSERT INTO %s VALUES (%d)".formatted(table, i));
    }
    Map<String, List<List<Object>>> rowsByCursor = new HashMap<>();
    for (String from : List.of(table, table + " JOIN CURSOR_D ON CURSOR_D.K = 1")) {
      String cursor = (from.equals(table) ? "PLAIN_" : "JOIN_") + generateUniqueName();
      try (Statement statement = exact.createStatement()) {
        // Otherwise the client would have all rows before the split.
        statement.setFetchSize(2);
        statement.execute(
            "DECLARE %s CURSOR FOR SELECT %s.ID FROM %s".formatted(cursor, table, from));
        statement.execute("OPEN " + cursor);
      }
      rowsByCursor.put(cursor, new ArrayList<>(fetch(exact, cursor, 5)));
    }
    split(regions(table).get(0), PInteger.INSTANCE.toBytes(10));
    List<List<Object>> all = rows(exact, "SELECT ID FROM " + table);
    for (Map.Entry<String, List<List<Object>>> entry : rowsByCursor.entrySet()) {
      entry.getValue().addAll(fetch(exact, entry.getKey(), 100));
      assertThat(sorted(entry.getValue())).as(entry.getKey()).isEqualTo(all).hasSize(40);
      execute(exact, "CLOSE " + entry.getKey());
    }
  }

  /** Returns the right results of FETCH NEXT 2 ROWS, for each two rows of the query. */
  private String rightRows(String query) throws SQLException {
    List<List<Object>> rows = rows(exact, named(query));
    return rows.toString() + sizes(rows.size());
  }

  /** Returns the rows of a cursor, and the number of rows that each FETCH NEXT 2 ROWS returns. */
  private static String fetched(Connection connection, String query) throws SQLException {
    String cursor = open(connection, query);
    try {
      List<List<Object>> rows = new ArrayList<>();
      List<Integer> sizes = new ArrayList<>();
      do {
        List<List<Object>> some = fetch(connection, cursor, 2);
        rows.addAll(some);
        sizes.add(some.size());
      } while (sizes.get(sizes.size() - 1) == 2 && sizes.size() < 40);
      return (query.contains("ORDER BY") ? rows : sorted(rows)).toString() + sizes;
    } finally {
      execute(connection, "CLOSE " + cursor);
    }
  }

  private static String sizes(int rows) {
    List<Integer> sizes = new ArrayList<>();
    for (int left = rows; left >= 0; left -= 2) {
      sizes.add(Math.min(left, 2));
    }
    return sizes.toString();
  }

  private static String fetchedOrError(Connection connection, String query) {
    try {
      return fetched(connection, query);
    } catch (SQLException e) {
      return e.toString();
    }
  }

  private static String open(Connection connection, String query) throws SQLException {
    String cursor = generateUniqueName();
    execute(connection, named("DECLARE " + cursor + " CURSOR FOR " + query), "OPEN " + cursor);
    return cursor;
  }

  private static List<List<Object>> fetch(Connection connection, String cursor, int count)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("FETCH NEXT " + count + " ROWS FROM " + cursor)) {
      return rows(result, true);
    }
  }

  private static List<List<Object>> sorted(List<List<Object>> rows) {
    return rows.stream().sorted(Comparator.comparing(List::toString)).collect(Collectors.toList());
  }

  /** Replaces T and D by the names of the tables, except where they are names of columns. */
  private static String named(String sql) {
    return sql.replaceAll("(FROM|JOIN|,) ([TD])\\b(?!\\.)", "$1 CURSOR_$2 $2")
        .replace("CURSOR_T T AS", "CURSOR_T AS");
  }
}
