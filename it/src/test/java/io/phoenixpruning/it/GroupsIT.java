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
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.Test;

/**
 * Compares groups and distinct rows with those that the test computes from all rows. Some queries
 * sort, limit or group the rows again. The queries run along local indexes and on the data table.
 */
public class GroupsIT extends ExactModeTest {

  private static final int QUERIES = ALL_COMBINATIONS ? 120 : 40;

  private static final List<String> INDEXES =
      List.of("V", "V DESC", "V, A", "A, V", "S DESC", "V, S DESC", "S, V", "A DESC, S");

  private static final List<String> COLUMNS = List.of("V", "A", "S");

  private static final List<List<String>> GROUPS =
      List.of(
          List.of("V"),
          List.of("A"),
          List.of("S"),
          List.of("V", "A"),
          List.of("A", "V"),
          List.of("S", "V"),
          List.of("A", "S"),
          List.of("SUBSTR(S, 1, 1)"),
          List.of("CEIL(N)"),
          List.of("V", "SUBSTR(S, 1, 1)"));

  private static final List<String> CONDITIONS =
      List.of("", "V >= 0", "V = 1", "V > 1 AND A < 4", "S > 'b'", "A IN (1, 3)", "A > 1 OR V = 2");

  private static final List<String> TEXTS = List.of("a", "ab", "b", "bz", "bzz", "c", "ca");

  /**
   * A query with all rows that it has without a LIMIT.
   *
   * @param order order of the rows; compares all rows as equal if there is no ORDER BY
   */
  private record Query(String sql, List<List<Object>> rows, Comparator<List<Object>> order) {

    /** Appends a random ORDER BY of columns of the rows. */
    Query ordered(List<String> columns, Random random) {
      if (random.nextInt(4) == 0) {
        return this;
      }
      List<String> terms = new ArrayList<>();
      Comparator<List<Object>> comparator = order;
      int first = random.nextInt(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        int column = (first + i) % columns.size();
        int kind = random.nextInt(3);
        terms.add(columns.get(column) + List.of("", " DESC", " DESC NULLS LAST").get(kind));
        Comparator<List<Object>> values =
            Comparator.comparing(row -> row.get(column), comparator(kind > 0, kind == 2));
        comparator = comparator.thenComparing(values);
      }
      return new Query(sql + " ORDER BY " + String.join(", ", terms), rows, comparator);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Comparator<Object> comparator(boolean descending, boolean nullsLast) {
      Comparator<Object> values = (one, other) -> ((Comparable) one).compareTo(other);
      Comparator<Object> directed = descending ? values.reversed() : values;
      return nullsLast ? Comparator.nullsLast(directed) : Comparator.nullsFirst(directed);
    }

    /** Returns the fault of an answer, or null if the answer is right. */
    String fault(List<List<Object>> answer, int limit, int offset) {
      if (answer.size() != Math.max(0, Math.min(rows.size() - offset, limit))) {
        return "number of rows";
      }
      List<List<Object>> sorted = new ArrayList<>(rows);
      sorted.sort(order);
      List<List<Object>> left = new ArrayList<>(rows);
      for (int i = 0; i < answer.size(); i++) {
        if (!left.remove(answer.get(i))) {
          return "row " + answer.get(i);
        }
        if (order.compare(answer.get(i), sorted.get(offset + i)) != 0) {
          return "order";
        }
      }
      return null;
    }
  }

  private final String table = generateUniqueName();
  private Random random;

  @Test
  public void areRightInOneRegion() throws SQLException {
    check("", 1);
  }

  @Test
  public void areRightInSeveralRegions() throws SQLException {
    check(" SPLIT ON (" + splits(4, 20) + ")", 2);
  }

  @Test
  public void areRightInSaltedTables() throws SQLException {
    check(" SALT_BUCKETS = 3", 3);
  }

  private void check(String options, long seed) throws SQLException {
    execute(
        exact,
        "CREATE TABLE "
            + table
            + " (K INTEGER PRIMARY KEY, V INTEGER, A INTEGER, S VARCHAR, N DECIMAL)"
            + options);
    List<String> hints = new ArrayList<>(List.of("/*+ NO_INDEX */", ""));
    for (int i = 0; i < INDEXES.size(); i++) {
      String index = "I" + i + table;
      execute(exact, "CREATE LOCAL INDEX " + index + " ON " + table + " (" + INDEXES.get(i) + ")");
      hints.add("/*+ INDEX(" + table + " " + index + ") */");
    }
    random = new Random(seed);
    upsert();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      Query query = random.nextInt(3) == 0 ? derived() : grouped();
      int limit = random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(5);
      int offset = limit == Integer.MAX_VALUE || random.nextBoolean() ? 0 : random.nextInt(3);
      String limits =
          (limit == Integer.MAX_VALUE ? "" : " LIMIT " + limit)
              + (offset == 0 ? "" : " OFFSET " + offset);
      for (int j = 0; j < 4; j++) {
        String hint = hints.get(j == 0 ? 0 : random.nextInt(hints.size()));
        String sql = query.sql().replace("%hint", hint) + limits;
        List<List<Object>> answer = rows(exact, sql);
        String fault = query.fault(answer, limit, offset);
        if (fault != null) {
          String index = hint.contains(" I") ? INDEXES.get(hints.indexOf(hint) - 2) : "";
          wrong.add(
              String.join(" ", "wrong", fault, options, "(" + index + ")", sql, answer.toString()));
        }
      }
    }
    assertThat(wrong.stream().distinct()).as("seed %d", seed).isEmpty();
  }

  /** Returns a DISTINCT or a GROUP BY, sometimes with an aggregate or a HAVING. */
  private Query grouped() throws SQLException {
    List<String> by = pick(GROUPS);
    String columns = String.join(", ", by);
    String where = where();
    Map<List<Object>, Integer> groups = count(all(by, where));
    String from = " FROM " + table + where;
    String group = from + " GROUP BY " + columns;
    Query query =
        switch (random.nextInt(4)) {
          case 0 -> query("SELECT %hint DISTINCT " + columns + from, groups.keySet());
          case 1 -> query("SELECT %hint " + columns + ", COUNT(*)" + group, counted(groups));
          case 2 -> query("SELECT %hint " + columns + group, groups.keySet());
          default -> {
            groups.values().removeIf(count -> count <= 4);
            yield query(
                "SELECT %hint " + columns + group + " HAVING COUNT(*) > 4", groups.keySet());
          }
        };
    return query.ordered(by, random);
  }

  /**
   * Returns a query on a derived table that groups by several columns but selects only one of them.
   */
  private Query derived() throws SQLException {
    List<String> by = new ArrayList<>(pick(GROUPS));
    String other = pick(COLUMNS);
    if (!by.contains(other)) {
      by.add(random.nextInt(by.size() + 1), other);
    }
    int kept = random.nextInt(by.size());
    String where = where();
    List<List<Object>> rows =
        count(all(by, where)).keySet().stream()
            .map(row -> row.subList(kept, kept + 1))
            .collect(Collectors.toList());
    String from =
        " FROM (SELECT %hint "
            + by.get(kept)
            + " X"
            + (random.nextBoolean() ? ", COUNT(*) C" : "")
            + " FROM "
            + table
            + where
            + " GROUP BY "
            + String.join(", ", by)
            + ")";
    Map<List<Object>, Integer> groups = count(rows);
    Query query =
        switch (random.nextInt(3)) {
          case 0 -> query("SELECT X, COUNT(*)" + from + " GROUP BY X", counted(groups));
          case 1 -> query("SELECT DISTINCT X" + from, groups.keySet());
          default -> query("SELECT X" + from, rows);
        };
    return query.ordered(List.of("X"), random);
  }

  private static Query query(String sql, Iterable<List<Object>> rows) {
    List<List<Object>> list = new ArrayList<>();
    rows.forEach(list::add);
    return new Query(sql, list, (one, other) -> 0);
  }

  private String where() {
    String condition = pick(CONDITIONS);
    return condition.isEmpty() ? "" : " WHERE " + condition;
  }

  private List<List<Object>> all(List<String> expressions, String where) throws SQLException {
    return rows(
        exact,
        "SELECT /*+ NO_INDEX */ " + String.join(", ", expressions) + " FROM " + table + where);
  }

  private static Map<List<Object>, Integer> count(List<List<Object>> rows) {
    Map<List<Object>, Integer> counts = new LinkedHashMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    return counts;
  }

  private static List<List<Object>> counted(Map<List<Object>, Integer> counts) {
    List<List<Object>> rows = new ArrayList<>();
    counts.forEach(
        (group, count) -> {
          List<Object> row = new ArrayList<>(group);
          row.add(new BigDecimal(count).stripTrailingZeros());
          rows.add(row);
        });
    return rows;
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private void upsert() throws SQLException {
    try (PreparedStatement upsert =
        exact.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < 80; i++) {
        upsert.setInt(1, i);
        upsert.setObject(2, random.nextInt(8) == 0 ? null : random.nextInt(5));
        upsert.setObject(3, random.nextInt(8) == 0 ? null : random.nextInt(6));
        upsert.setString(4, random.nextInt(8) == 0 ? null : pick(TEXTS));
        upsert.setBigDecimal(5, BigDecimal.valueOf(random.nextInt(50), 1));
        upsert.execute();
      }
    }
    exact.commit();
  }
}
