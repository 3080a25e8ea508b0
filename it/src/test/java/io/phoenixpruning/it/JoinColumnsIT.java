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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Compares hash joins, IN and EXISTS on several columns with joins that the client makes. Some of
 * the columns are in the key of the scanned table or index, and others are not. Without the
 * patches, Phoenix compares only columns of the key, or fails.
 */
public class JoinColumnsIT extends ClusterTest {

  private static final List<String> COLUMNS = List.of("K1", "K2", "A", "N");

  /** Suffixes of the index names of each table. */
  private static final List<String> INDEXES = List.of("L", "C", "G");

  private static final List<String> TYPES = List.of("INTEGER", "VARCHAR");

  /** Key of the table of each type. */
  private static final List<String> KEYS =
      List.of(
          "CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (3)",
          "CONSTRAINT PK PRIMARY KEY (K1 DESC, K2)) SALT_BUCKETS = 3");

  private Connection exact;
  private Connection withoutSemiJoin;
  private Connection withoutJoinColumns;

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      for (String type : TYPES) {
        createTable(connection, type);
        execute(
            connection,
            "CREATE TABLE PARTNERS_%1$s (ID INTEGER PRIMARY KEY, K1 %1$s, K2 %1$s, A %1$s, N %1$s)"
                .formatted(type));
        for (int i = 0; i < 24; i++) {
          // Every second partner differs from the row in one column.
          upsert(
              connection,
              "PARTNERS_%s VALUES (%d, ".formatted(type, i),
              Stream.of(
                  value(type, i / 4 + (i % 8 == 1 ? 1 : 0)),
                  value(type, i % 8 == 3 ? 9 : i % 4),
                  value(type, i % 8 == 5 ? 9 : i % 3),
                  value(type, i % 8 == 7 ? 9 : i % 5)));
        }
      }
    }
  }

  private static void createTable(Connection connection, String type) throws SQLException {
    String table = "KEYED_" + type;
    execute(
        connection,
        "CREATE TABLE %1$s (K1 %2$s NOT NULL, K2 %2$s NOT NULL, A %2$s, N %2$s %3$s"
            .formatted(table, type, KEYS.get(TYPES.indexOf(type))),
        "CREATE LOCAL INDEX %1$s_L ON %1$s (A)".formatted(table),
        "CREATE LOCAL INDEX %1$s_C ON %1$s (K2, A DESC) INCLUDE (N)".formatted(table),
        "CREATE INDEX %1$s_G ON %1$s (A) INCLUDE (N)".formatted(table));
    for (int i = 0; i < 24; i++) {
      upsert(
          connection,
          table + " VALUES (",
          Stream.of(
              value(type, i / 4),
              value(type, i % 4),
              i % 7 == 6 ? "NULL" : value(type, i % 3),
              i % 9 == 8 ? "NULL" : value(type, i % 5)));
    }
  }

  private static String value(String type, int number) {
    return type.equals("VARCHAR") ? "'v" + number + "'" : String.valueOf(number);
  }

  private static void upsert(Connection connection, String start, Stream<String> values)
      throws SQLException {
    execute(connection, "UPSERT INTO " + start + values.collect(Collectors.joining(", ")) + ")");
  }

  @Before
  public void connect() throws SQLException {
    exact = connect(PruningMode.EXACT);
    withoutSemiJoin = without(Patch.SEMI_JOIN);
    withoutJoinColumns = without(Patch.JOIN_COLUMNS);
  }

  private static Connection without(Patch patch) throws SQLException {
    return connect(Map.of(PruningOptions.PATCHES, "all,-" + patch.id()));
  }

  @After
  public void close() throws SQLException {
    exact.close();
    withoutSemiJoin.close();
    withoutJoinColumns.close();
  }

  /** Returns the orders of columns that run with a type: by default, every second one. */
  private static List<List<String>> orders(String type) {
    List<List<String>> orders = orders();
    return IntStream.range(0, orders.size())
        .filter(i -> ALL_COMBINATIONS || i % TYPES.size() == TYPES.indexOf(type))
        .mapToObj(orders::get)
        .collect(Collectors.toList());
  }

  /** Returns all orders of two or three columns. */
  private static List<List<String>> orders() {
    List<List<String>> orders = new ArrayList<>();
    for (String first : COLUMNS) {
      for (String second : COLUMNS) {
        if (!second.equals(first)) {
          orders.add(List.of(first, second));
          COLUMNS.stream()
              .filter(third -> !third.equals(first) && !third.equals(second))
              .forEach(third -> orders.add(List.of(first, second, third)));
        }
      }
    }
    return orders;
  }

  /** Returns queries that compare the columns, each without its SELECT. */
  private static List<String> queries(String table, String partners, List<String> columns) {
    String equal =
        columns.stream()
            .map(column -> "T.%1$s = D.%1$s".formatted(column))
            .collect(Collectors.joining(" AND "));
    String last = columns.get(columns.size() - 1);
    return List.of(
        "T.K1, T.K2 FROM %s T WHERE (%s) IN (SELECT %s FROM %s D)"
            .formatted(
                table,
                columns.stream().map("T."::concat).collect(Collectors.joining(", ")),
                columns.stream().map("D."::concat).collect(Collectors.joining(", ")),
                partners),
        "T.K1, T.K2 FROM %s T WHERE EXISTS (SELECT 1 FROM %s D WHERE %s)"
            .formatted(table, partners, equal),
        "T.K1, T.K2 FROM %s T WHERE T.%s IN (SELECT D.%s FROM %s D WHERE %s)"
            .formatted(table, last, last, partners, equal.substring(0, equal.lastIndexOf(" AND "))),
        "T.K1, T.K2 FROM %s T WHERE NOT EXISTS (SELECT 1 FROM %s D WHERE %s)"
            .formatted(table, partners, equal),
        "T.K1, T.K2, D.ID FROM %s T JOIN %s D ON %s".formatted(table, partners, equal));
  }

  private static List<List<Object>> hinted(Connection connection, String hint, String query)
      throws SQLException {
    return rows(connection, "SELECT /*+ %s */ %s".formatted(hint, query));
  }

  private static boolean isRight(
      Connection connection, String hint, String query, List<List<Object>> expected)
      throws SQLException {
    try {
      return hinted(connection, hint, query).equals(expected);
    } catch (IndexOutOfBoundsException e) {
      return false;
    }
  }

  @Test
  public void comparesAllColumns() throws SQLException {
    int count = 0;
    int matched = 0;
    int wrong = 0;
    int failed = 0;
    for (String type : TYPES) {
      String table = "KEYED_" + type;
      for (List<String> columns : orders(type)) {
        for (String query : queries(table, "PARTNERS_" + type, columns)) {
          List<List<Object>> expected = hinted(exact, "NO_INDEX USE_SORT_MERGE_JOIN", query);
          String index = INDEXES.get(count++ % INDEXES.size());
          String hint = "INDEX(T %s_%s)".formatted(table, index);
          for (String each : List.of("NO_INDEX", hint)) {
            assertThat(hinted(exact, each, query)).as("%s, %s", each, query).isEqualTo(expected);
          }
          matched += expected.size();
          wrong += isRight(withoutSemiJoin, "NO_INDEX", query, expected) ? 0 : 1;
          failed += isRight(withoutJoinColumns, hint, query, expected) ? 0 : 1;
        }
      }
    }
    assertThat(matched).as("matching rows").isGreaterThan(1_000);
    assertThat(wrong).as("wrong without semi-join").isGreaterThan(20);
    assertThat(failed).as("failed without join-columns").isGreaterThan(20);
  }
}
