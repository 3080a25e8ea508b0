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
package io.phoenixpruning.it.dropin;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Predicate;

/**
 * A program that uses Phoenix as an application does: through {@code java.sql}, with the client jar
 * as its only jar of Phoenix, HBase and Hadoop. If a row is wrong, the program prints the reason
 * and exits with 1.
 *
 * <p>Arguments: {@code load}, {@code query} or {@code watch}; the JDBC URL; the table; and the
 * modes to query in. {@code watch} repeats the queries until a line arrives on standard input, and
 * runs failed queries again.
 */
public final class Smoke {

  /**
   * Stands for the mode in hbase-site.xml, which is {@code none}. No connection property is set.
   */
  static final String MODE_OF_SITE = "site";

  /** Line that is printed when the rows were right in all modes. */
  static final String ROUND = "A round is done.";

  private static final int REGIONS = 4;

  private record Row(int k1, int k2, int v, int w) {}

  /**
   * A query.
   *
   * @param regions number of regions that can hold a matching row
   */
  private record Query(String where, int regions, Predicate<Row> matches) {}

  private static final List<Query> QUERIES =
      List.of(
          new Query("v = 3", 4, r -> r.v == 3),
          new Query("v = 3 AND k1 = 25", 1, r -> r.v == 3 && r.k1 == 25),
          new Query(
              "v < 5 AND k1 IN (1, 15, 39)", 3, r -> r.v < 5 && List.of(1, 15, 39).contains(r.k1)),
          new Query("v = 3 AND k1 BETWEEN 8 AND 12", 2, r -> r.v == 3 && r.k1 >= 8 && r.k1 <= 12),
          new Query("v = 3 AND (k1 = 5 OR k1 > 35)", 2, r -> r.v == 3 && (r.k1 == 5 || r.k1 > 35)),
          new Query("v = 3 AND k1 = 25 AND w > 27", 1, r -> r.v == 3 && r.k1 == 25 && r.w > 27),
          new Query("v = 3 AND NOT k1 < 38", 1, r -> r.v == 3 && r.k1 >= 38));

  private final String url;
  private final String table;
  private final List<String> modes;

  private Smoke(String url, String table, List<String> modes) {
    this.url = url;
    this.table = table;
    this.modes = modes;
  }

  public static void main(String[] args) throws SQLException, IOException {
    List<String> arguments = List.of(args);
    Smoke smoke = new Smoke(args[1], args[2], arguments.subList(3, arguments.size()));
    if (args[0].equals("load")) {
      smoke.load();
    }
    boolean right = args[0].equals("watch") ? smoke.watch() : smoke.query();
    if (!right) {
      System.exit(1);
    }
    System.out.println("All rows are right.");
  }

  /** Repeats the queries. A query may fail while a server dies, but no row may be wrong. */
  private boolean watch() throws IOException {
    boolean right = true;
    boolean failed = false;
    while (right && (failed || System.in.available() == 0)) {
      try {
        right = query();
        failed = false;
        System.out.println(ROUND);
      } catch (SQLException e) {
        failed = true;
        System.out.println("To be run again: " + e);
      }
    }
    return right;
  }

  private void load() throws SQLException {
    try (Connection connection = connect("exact");
        Statement statement = connection.createStatement()) {
      if (table.contains(".")) {
        statement.execute("CREATE SCHEMA " + table.substring(0, table.indexOf('.')));
      }
      statement.execute(
          """
          CREATE TABLE %s (k1 INTEGER NOT NULL, k2 INTEGER NOT NULL, v INTEGER, w INTEGER,
            CONSTRAINT pk PRIMARY KEY (k1, k2)) SPLIT ON (10, 20, 30)"""
              .formatted(table));
      statement.execute("CREATE LOCAL INDEX SMOKE_V ON " + table + " (v)");
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?, ?)")) {
        for (Row row : rows()) {
          upsert.setInt(1, row.k1);
          upsert.setInt(2, row.k2);
          upsert.setInt(3, row.v);
          upsert.setInt(4, row.w);
          upsert.execute();
        }
      }
      connection.commit();
      statement.execute("UPSERT INTO " + table + " VALUES (100, 0, 3, 100)");
      connection.commit();
      statement.execute("DELETE FROM " + table + " WHERE v = 3 AND k1 = 100");
      connection.commit();
    }
  }

  private boolean query() throws SQLException {
    boolean right = true;
    for (String mode : modes) {
      try (Connection connection = connect(mode)) {
        for (Query query : QUERIES) {
          System.out.println(mode + ": " + query.where);
          right &= verifyRows(connection, query);
          right &= verifyPlan(connection, query, mode);
        }
        right &= verifyJoin(connection);
      }
    }
    return right;
  }

  private boolean verifyRows(Connection connection, Query query) throws SQLException {
    List<String> expected =
        rows().stream()
            .filter(query.matches)
            .map(row -> row.k1 + "," + row.k2 + "," + row.w)
            .sorted()
            .toList();
    List<String> actual = read(connection, select("k1, k2, w", query));
    boolean right = verify("rows", expected, actual.stream().sorted().toList());
    return right
        & verify(
            "count",
            List.of(String.valueOf(expected.size())),
            read(connection, select("count(*)", query)));
  }

  /** Verifies a join, whose keys are sent only to the servers of some regions. */
  private boolean verifyJoin(Connection connection) throws SQLException {
    String join =
        """
        SELECT /*+ INDEX(t SMOKE_V) */ t.k1, t.k2, t.w FROM %1$s t JOIN (SELECT k1 AS j
          FROM %1$s WHERE k2 = 0 AND w IN (5, 37)) x ON t.k1 = x.j WHERE t.v = 3""";
    List<String> expected =
        rows().stream()
            .filter(row -> row.v == 3 && List.of(5, 37).contains(row.k1))
            .map(row -> row.k1 + "," + row.k2 + "," + row.w)
            .sorted()
            .toList();
    List<String> actual = read(connection, join.formatted(table));
    return verify("joined rows", expected, actual.stream().sorted().toList());
  }

  private boolean verifyPlan(Connection connection, Query query, String mode) throws SQLException {
    String plan = String.join("\n    ", read(connection, "EXPLAIN " + select("k1, k2, w", query)));
    System.out.println("    " + plan);
    int planned = mode.equals("exact") ? query.regions : REGIONS;
    boolean right = verify("index", true, plan.contains("SMOKE_V("));
    return right
        & (mode.equals("stock")
            ? verify("no report", false, plan.contains("REGIONS PLANNED"))
            : verify(
                "regions", true, plan.contains("REGIONS PLANNED " + planned + " OF " + REGIONS)));
  }

  private String select(String columns, Query query) {
    return "SELECT /*+ INDEX(%1$s SMOKE_V) */ %2$s FROM %1$s WHERE %3$s"
        .formatted(table, columns, query.where);
  }

  private static boolean verify(String what, Object expected, Object actual) {
    if (expected.equals(actual)) {
      return true;
    }
    System.out.println("WRONG: " + what + "\n  expected " + expected + "\n  but was  " + actual);
    return false;
  }

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int k1 = 0; k1 < 40; k1++) {
      for (int k2 = 0; k2 < 10; k2++) {
        rows.add(new Row(k1, k2, (k1 * 7 + k2) % 11, k1 + k2));
      }
    }
    return rows;
  }

  private static List<String> read(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = sql.startsWith("EXPLAIN") ? 1 : result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(result.getString(i));
        }
        rows.add(String.join(",", row));
      }
    }
    return rows;
  }

  private Connection connect(String mode) throws SQLException {
    Properties properties = new Properties();
    if (!mode.equals(MODE_OF_SITE)) {
      properties.setProperty("phoenix.pruning.mode", mode);
    }
    return DriverManager.getConnection(url, properties);
  }
}
