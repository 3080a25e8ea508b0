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
package io.phoenixpruning.it.change;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.phoenixpruning.it.change.ChangingTable.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Generates statements with known results along the index of a table. */
final class Statements {

  private static final String KEYS = "KEYS_";
  private static final int KEY_GROUPS = 5;

  private static final Comparator<Row> BY_KEY = comparing(Row::k1).thenComparing(Row::k2);
  private static final Comparator<Row> BY_VALUE = comparing(Row::v).thenComparing(BY_KEY);

  /** Source of numbers that identify the rows that a statement writes. */
  private static final AtomicInteger NUMBER = new AtomicInteger(1000);

  private final ChangingTable table;
  private final Random random;

  Statements(ChangingTable table, Random random) {
    this.table = table;
    this.random = random;
  }

  /** Creates the tables that statements join or write. */
  static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + KEYS + " (K INTEGER PRIMARY KEY, X INTEGER)");
    }
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + KEYS + " VALUES (?, ?)")) {
      for (int k = 0; k < ChangingTable.FIRST_KEYS; k += 2) {
        upsert.setInt(1, k);
        upsert.setInt(2, k % KEY_GROUPS);
        upsert.execute();
      }
    }
    connection.commit();
    CheckedUpsertSelect.create(connection);
  }

  /** Returns a random statement of any kind. */
  CheckedStatement next() {
    return switch (random.nextInt(8)) {
      case 0 -> new CheckedUpsertSelect(table, condition(), NUMBER.incrementAndGet());
      case 1 -> {
        int from = random.nextInt(ChangingTable.FIRST_KEYS);
        int to = from + random.nextInt(ChangingTable.FIRST_KEYS - from);
        yield new CheckedDelete(table, NUMBER.incrementAndGet(), from, to);
      }
      default -> nextQuery();
    };
  }

  /** Returns a random statement that only reads. */
  CheckedQuery nextQuery() {
    RowPredicate where = condition();
    return switch (random.nextInt(18)) {
      case 0 -> rows("K1, K2, V", where, Row::k1, Row::k2, Row::v);
      case 1 -> rows("K1, K2, V, W", where, Row::k1, Row::k2, Row::v, Row::w);
      case 2 -> ordered("V, K1, K2", where, BY_VALUE, Integer.MAX_VALUE, 0);
      case 3 ->
          ordered("V DESC, K1 DESC, K2 DESC", where, BY_VALUE.reversed(), Integer.MAX_VALUE, 0);
      case 4 -> {
        RowPredicate equal = RowPredicate.equalValue(random).and(RowPredicate.onKey(random));
        yield ordered("K1 DESC, K2 DESC", equal, BY_KEY.reversed(), Integer.MAX_VALUE, 0);
      }
      case 5 -> ordered("K1, K2", where, BY_KEY, 1 + random.nextInt(20), 0);
      case 6 ->
          ordered("V DESC, K1 DESC, K2 DESC", where, BY_VALUE.reversed(), 1 + random.nextInt(9), 0);
      case 7 -> ordered("K1, K2, V", where, BY_KEY, 5, random.nextInt(20));
      case 8 -> {
        int limit = 1 + random.nextInt(30);
        yield new CheckedQuery(
            select("K1, K2, V", where) + " LIMIT " + limit,
            CheckedQuery.Rows.SOME,
            values(where.rows().stream(), Row::k1, Row::k2, Row::v),
            limit);
      }
      case 9 -> totals("COUNT(*), SUM(K1), SUM(V)", where, row -> 1, Row::k1, Row::v);
      case 10 -> totals("COUNT(*), SUM(W)", where, row -> 1, Row::w);
      case 11 -> totals("COUNT(*), SUM(A) + SUM(B)", where, row -> 1, row -> ChangingTable.BALANCE);
      case 12 -> counts("V", where, Row::v);
      case 13 -> counts("K1", where, Row::k1);
      case 14 ->
          new CheckedQuery(
              // DISTINCT on a column that no index starts with: stock is wrong there.
              select("DISTINCT K2", where),
              CheckedQuery.Rows.IN_ANY_ORDER,
              where.rows().stream().map(row -> List.of((long) row.k2())).distinct().toList(),
              0);
      case 15 -> join("");
      case 16 -> random.nextBoolean() ? join("USE_SORT_MERGE_JOIN ") : subquery();
      default -> table.layout().statistics() ? subquery() : moving();
    };
  }

  private RowPredicate condition() {
    RowPredicate value = RowPredicate.onValue(random);
    return random.nextInt(6) == 0 ? value : value.and(RowPredicate.onKey(random));
  }

  private String select(String columns, RowPredicate where) {
    return "SELECT %s%s FROM %s WHERE %s"
        .formatted(table.hint(), columns, table.relation(), where.sql());
  }

  @SafeVarargs
  private static List<List<Long>> values(Stream<Row> rows, ToIntFunction<Row>... columns) {
    return rows.map(row -> Stream.of(columns).map(column -> (long) column.applyAsInt(row)).toList())
        .toList();
  }

  @SafeVarargs
  private CheckedQuery rows(String select, RowPredicate where, ToIntFunction<Row>... columns) {
    return new CheckedQuery(
        select(select, where),
        CheckedQuery.Rows.IN_ANY_ORDER,
        values(where.rows().stream(), columns),
        0);
  }

  private CheckedQuery ordered(
      String order, RowPredicate where, Comparator<Row> comparator, int limit, int offset) {
    String sql = select("K1, K2, V", where) + " ORDER BY " + order;
    if (limit < Integer.MAX_VALUE) {
      sql += " LIMIT " + limit;
    }
    if (offset > 0) {
      sql += " OFFSET " + offset;
    }
    return new CheckedQuery(
        sql,
        CheckedQuery.Rows.IN_ORDER,
        values(
            where.rows().stream().sorted(comparator).skip(offset).limit(limit),
            Row::k1,
            Row::k2,
            Row::v),
        0);
  }

  /** Returns a query whose result is a single row with the sum of each column. */
  @SafeVarargs
  private CheckedQuery totals(String select, RowPredicate where, ToIntFunction<Row>... columns) {
    List<Long> sums =
        Stream.of(columns)
            .map(column -> (long) where.rows().stream().mapToInt(column).sum())
            .toList();
    return new CheckedQuery(select(select, where), CheckedQuery.Rows.IN_ORDER, List.of(sums), 0);
  }

  private CheckedQuery counts(String group, RowPredicate where, ToIntFunction<Row> column) {
    List<List<Long>> groups =
        where.rows().stream()
            .collect(groupingBy(row -> (long) column.applyAsInt(row), counting()))
            .entrySet()
            .stream()
            .map(entry -> List.of(entry.getKey(), entry.getValue()))
            .toList();
    return new CheckedQuery(
        select(group + ", COUNT(*)", where) + " GROUP BY " + group,
        CheckedQuery.Rows.IN_ANY_ORDER,
        groups,
        0);
  }

  /** Returns a join. The regions to scan are known only after the other table has been read. */
  private CheckedQuery join(String hint) {
    RowPredicate where = RowPredicate.onValue(random);
    int group = random.nextInt(KEY_GROUPS);
    return new CheckedQuery(
        """
        SELECT /*+ %sINDEX(T %s) */ T.K1, T.K2, T.V FROM %s T JOIN %s D ON T.K1 = D.K
          WHERE D.X = %s AND T.%s"""
            .formatted(hint, table.index(), table.relation(), KEYS, group, where.sql()),
        CheckedQuery.Rows.IN_ANY_ORDER,
        values(where.rows().stream().filter(row -> isKeyOf(group, row)), Row::k1, Row::k2, Row::v),
        0);
  }

  private CheckedQuery subquery() {
    int group = random.nextInt(KEY_GROUPS);
    String keys = " FROM " + KEYS + " WHERE X = " + group + ")";
    int largest =
        IntStream.range(0, ChangingTable.FIRST_KEYS)
            .filter(k -> k % 2 == 0 && k % KEY_GROUPS == group)
            .max()
            .getAsInt();
    RowPredicate key =
        random.nextBoolean()
            ? new RowPredicate("K1 IN (SELECT K" + keys, row -> isKeyOf(group, row))
            : new RowPredicate("K1 = (SELECT MAX(K)" + keys, row -> row.k1() == largest);
    return rows("K1, K2, V", RowPredicate.onValue(random).and(key), Row::k1, Row::k2, Row::v);
  }

  private static boolean isKeyOf(int group, Row row) {
    return row.k1() % 2 == 0 && row.k1() % KEY_GROUPS == group;
  }

  /**
   * Returns a query of rows that move between two values of the index while they are read. Each row
   * is found exactly once, because one scan reads a snapshot of its region. Tables with guideposts
   * are excluded, because each scan between guideposts has its own snapshot.
   */
  private CheckedQuery moving() {
    int from = random.nextInt(ChangingTable.FIRST_KEYS);
    int to = from + random.nextInt(ChangingTable.FIRST_KEYS - from);
    return new CheckedQuery(
        "SELECT %sK1 FROM %s WHERE V IN (%d, %d) AND K1 BETWEEN %d AND %d"
            .formatted(
                table.hint(),
                table.relation(),
                ChangingTable.MOVING,
                ChangingTable.MOVING + 1,
                from,
                to),
        CheckedQuery.Rows.IN_ANY_ORDER,
        IntStream.rangeClosed(from, to).mapToObj(k1 -> List.of((long) k1)).toList(),
        0);
  }
}
