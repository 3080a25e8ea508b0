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

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Compares aggregates with values that the test computes, in a table of four regions and along its
 * local indexes. The aggregates are FIRST_VALUE and similar functions, percentiles and standard
 * deviations.
 */
@RunWith(Parameterized.class)
public class AggregatesIT extends ClusterTest {

  private static final int ROWS = 60;
  private static final int STATEMENTS = 60;
  private static final long SEED = Long.getLong("aggregates.seed", 33);

  private static final String TABLE = "AGGREGATED";

  /** Columns with numbers. The other value columns have the groups (G) and texts (S). */
  private static final List<String> NUMBERS = List.of("V", "U", "D");

  private static Connection connection;
  private static List<Row> table;

  /**
   * Key columns and included columns of an index as in its DDL, or {@code table} for the data
   * table.
   */
  @Parameter public String columns;

  @Parameter(1)
  public String hint;

  private final Random random = new Random(SEED);

  private record Row(Map<String, Object> values) {
    Object get(String column) {
      return values.get(column);
    }
  }

  @Parameters(name = "{0}")
  public static List<Object[]> indexes() {
    List<String> indexes = indexedColumns();
    List<Object[]> parameters = new ArrayList<>();
    parameters.add(new Object[] {"table", "NO_INDEX"});
    for (int i = 0; i < indexes.size(); i++) {
      parameters.add(new Object[] {indexes.get(i), "INDEX(%s I%d)".formatted(TABLE, i)});
    }
    return parameters;
  }

  private static List<String> indexedColumns() {
    return List.of(
        "(G)",
        "(G) INCLUDE (V, U, D, S)",
        "(G, V, U, D, S)",
        "(G, D DESC, S DESC, V DESC, U DESC)",
        "(S DESC) INCLUDE (D)");
  }

  @BeforeClass
  public static void createTable() throws SQLException {
    connection = connect(PruningMode.EXACT);
    execute(
        connection,
        "CREATE TABLE %s (K VARCHAR PRIMARY KEY, G VARCHAR, V INTEGER, U UNSIGNED_INT,"
                .formatted(TABLE)
            + " D DECIMAL(10, 2), S VARCHAR) SPLIT ON ('k15', 'k30', 'k45')");
    List<String> indexes = indexedColumns();
    for (int i = 0; i < indexes.size(); i++) {
      execute(connection, "CREATE LOCAL INDEX I%d ON %s %s".formatted(i, TABLE, indexes.get(i)));
    }
    Random random = new Random(SEED);
    // Each value occurs once, so the order is unique. Some texts are prefixes of other texts.
    List<Integer> order = IntStream.range(0, ROWS).boxed().collect(Collectors.toList());
    Collections.shuffle(order, random);
    table = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      Map<String, Object> row = new TreeMap<>();
      int n = order.get(k);
      row.put("K", "k%02d".formatted(k));
      row.put("G", List.of("a", "b", "c", "d").get(k % 13 == 0 ? 3 : random.nextInt(3)));
      row.put("V", sometimesNull(random, row, n - ROWS / 2));
      row.put("U", sometimesNull(random, row, n * 1000));
      row.put("D", sometimesNull(random, row, new BigDecimal(n).divide(new BigDecimal(4))));
      row.put("S", sometimesNull(random, row, "s".repeat(1 + n)));
      table.add(new Row(row));
      execute(
          connection,
          "UPSERT INTO %s (K, G, V, U, D, S) VALUES (%s)"
              .formatted(
                  TABLE,
                  List.of("K", "G", "V", "U", "D", "S").stream()
                      .map(column -> literal(row.get(column)))
                      .collect(Collectors.joining(", "))));
    }
    connection.commit();
  }

  /** Returns {@code value}. Returns null for a quarter of the rows, and for all rows of group d. */
  private static <T> T sometimesNull(Random random, Map<String, Object> row, T value) {
    return row.get("G").equals("d") || random.nextInt(4) == 0 ? null : value;
  }

  private static String literal(Object value) {
    return value instanceof String ? "'" + value + "'" : String.valueOf(value);
  }

  @AfterClass
  public static void close() throws SQLException {
    connection.close();
  }

  @Test
  public void findsTheFirstAndLastValues() throws SQLException {
    for (int i = 0; i < STATEMENTS; i++) {
      String value = choose(List.of("V", "U", "D", "S", "K"));
      String order = choose(List.of("K", "D", "S", "V"));
      boolean isAscending = random.nextBoolean();
      int count = 1 + random.nextInt(4);
      String within =
          " WITHIN GROUP (ORDER BY %s %s)".formatted(order, isAscending ? "ASC" : "DESC");
      check(
          List.of(
              "FIRST_VALUE(" + value + ")" + within,
              "LAST_VALUE(" + value + ")" + within,
              "NTH_VALUE(" + value + ", " + count + ")" + within,
              "FIRST_VALUES(" + value + ", " + count + ")" + within,
              "LAST_VALUES(" + value + ", " + count + ")" + within,
              "SUM(V)",
              "COUNT(*)"),
          group -> {
            List<Object> values = ordered(group, value, order, isAscending);
            List<Object> reversed = ordered(group, value, order, !isAscending);
            return Arrays.asList(
                at(values, 1),
                at(reversed, 1),
                at(values, count),
                first(values, count),
                first(reversed, count),
                sum(group),
                group.size());
          });
    }
  }

  /** HyperLogLog counts so few values exactly. */
  @Test
  public void countsDistinctValuesApproximately() throws SQLException {
    for (String column : List.of("K", "V", "S")) {
      check(
          List.of("APPROX_COUNT_DISTINCT(" + column + ")", "SUM(V)"),
          group -> Arrays.asList(ordered(group, column, column, true).size(), sum(group)));
    }
  }

  @Test
  public void computesPercentiles() throws SQLException {
    for (int i = 0; i < STATEMENTS; i++) {
      String column = choose(NUMBERS);
      int added = random.nextInt(2);
      boolean isAscending = random.nextBoolean();
      float share = choose(List.of(0F, 0.1F, 0.25F, 0.5F, 0.9F, 1F));
      int limit = random.nextInt(30);
      String within =
          " WITHIN GROUP (ORDER BY %s%s %s)"
              .formatted(column, added == 0 ? "" : " + " + added, isAscending ? "ASC" : "DESC");
      check(
          List.of(
              "PERCENTILE_DISC(" + share + ")" + within,
              "PERCENTILE_CONT(0.5)" + within,
              "PERCENT_RANK(" + limit + ")" + within,
              "SUM(V)"),
          group -> {
            List<BigDecimal> values = numbers(ordered(group, column, column, isAscending));
            values.replaceAll(value -> value.add(new BigDecimal(added)));
            return values.isEmpty()
                ? Arrays.asList(null, null, null, sum(group))
                : Arrays.asList(
                    values.get((int) Math.max(0, Math.ceil(share * values.size() - 1e-4) - 1)),
                    median(values),
                    new BigDecimal((float) rank(values, limit, isAscending) / values.size()),
                    sum(group));
          });
    }
  }

  @Test
  public void computesStandardDeviations() throws SQLException {
    for (String column : NUMBERS) {
      check(
          List.of("STDDEV_POP(" + column + ")", "STDDEV_SAMP(" + column + ")", "SUM(V)"),
          group -> {
            List<BigDecimal> values = numbers(ordered(group, column, column, true));
            return Arrays.asList(
                deviation(values, values.size()), deviation(values, values.size() - 1), sum(group));
          });
    }
  }

  /** STDDEV_SAMP of one row is null, even for a key column, which cannot be null. */
  @Test
  public void computesDeviationsOfOneRow() throws SQLException {
    String name = generateUniqueName();
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, G VARCHAR)".formatted(name),
        "UPSERT INTO %s VALUES (5, 'a')".formatted(name));
    connection.commit();
    for (String order : List.of("", " ORDER BY COUNT(*)")) {
      assertThat(
              rows(
                  connection,
                  "SELECT STDDEV_SAMP(K), STDDEV_POP(K), SUM(K) FROM %s GROUP BY G%s"
                      .formatted(name, order)))
          .as(order)
          .containsExactly(Arrays.asList(null, BigDecimal.ZERO, new BigDecimal(5)));
    }
  }

  /** Runs a SELECT of {@code functions} without groups, with groups, and with sorted groups. */
  private void check(List<String> functions, Function<List<Row>, List<Object>> expected)
      throws SQLException {
    String selected = String.join(", ", functions);
    String from = " FROM " + TABLE;
    String hinted = "SELECT /*+ " + hint + " */ ";
    Map<Object, List<Row>> groups =
        table.stream()
            .collect(Collectors.groupingBy(row -> row.get("G"), TreeMap::new, Collectors.toList()));
    check(hinted + selected + from, List.of(expected.apply(table)), false);
    List<List<Object>> ofGroups = new ArrayList<>();
    groups.forEach(
        (name, group) -> {
          List<Object> row = new ArrayList<>();
          row.add(name);
          row.addAll(expected.apply(group));
          ofGroups.add(row);
        });
    check(hinted + "G, " + selected + from + " GROUP BY G", ofGroups, false);
    ofGroups.sort(
        comparing(
            row -> comparable(row.get(1) instanceof Number ? number(row.get(1)) : row.get(1)),
            nullsFirst(naturalOrder())));
    check(
        hinted + "G, " + selected + from + " GROUP BY G ORDER BY " + functions.get(0) + ", G",
        ofGroups,
        true);
  }

  private static void check(String sql, List<List<Object>> expected, boolean isOrdered)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getObject(i));
        }
        rows.add(row);
      }
      if (!isOrdered) {
        rows.sort(comparing(row -> String.valueOf(row.get(0))));
      }
      assertThat(rows).as("seed %d, %s", SEED, sql).hasSameSizeAs(expected);
      for (int i = 0; i < rows.size(); i++) {
        assertThat(rows.get(i).stream().map(AggregatesIT::readable))
            .as("seed %d, %s", SEED, sql)
            .containsExactlyElementsOf(
                expected.get(i).stream().map(AggregatesIT::readable).collect(Collectors.toList()));
      }
    }
  }

  /** Makes numbers of all types comparable, with two digits. */
  private static String readable(Object value) {
    if (value instanceof Array array) {
      try {
        return readable(
            IntStream.range(0, java.lang.reflect.Array.getLength(array.getArray()))
                .mapToObj(i -> element(array, i))
                .collect(Collectors.toList()));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    if (value instanceof List<?> list) {
      return list.stream().map(AggregatesIT::readable).collect(Collectors.toList()).toString();
    }
    return value instanceof Number
        ? new BigDecimal(value.toString()).setScale(2, RoundingMode.HALF_UP).toString()
        : String.valueOf(value);
  }

  private static Object element(Array array, int i) {
    try {
      return java.lang.reflect.Array.get(array.getArray(), i);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the values of rows in which neither column is null, sorted by the column {@code order}.
   */
  private static List<Object> ordered(
      List<Row> group, String value, String order, boolean isAscending) {
    List<Object> values =
        group.stream()
            .filter(row -> row.get(value) != null && row.get(order) != null)
            .sorted(comparing(row -> comparable(row.get(order)), nullsFirst(naturalOrder())))
            .map(row -> row.get(value))
            .collect(Collectors.toCollection(ArrayList::new));
    if (!isAscending) {
      Collections.reverse(values);
    }
    return values;
  }

  @SuppressWarnings("unchecked")
  private static Comparable<Object> comparable(Object value) {
    return (Comparable<Object>) value;
  }

  private static Object at(List<Object> values, int position) {
    return position <= values.size() ? values.get(position - 1) : null;
  }

  private static List<Object> first(List<Object> values, int count) {
    return values.isEmpty() ? null : values.subList(0, Math.min(count, values.size()));
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  private static BigDecimal sum(List<Row> group) {
    return numbers(group.stream().map(row -> row.get("V")).collect(Collectors.toList())).stream()
        .reduce(BigDecimal::add)
        .orElse(null);
  }

  private static List<BigDecimal> numbers(List<Object> values) {
    return values.stream()
        .filter(Objects::nonNull)
        .map(AggregatesIT::number)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static BigDecimal median(List<BigDecimal> values) {
    int half = values.size() / 2;
    return values.size() % 2 == 1
        ? values.get(half)
        : values.get(half - 1).add(values.get(half)).divide(new BigDecimal(2));
  }

  /**
   * Counts the values up to {@code limit} in ascending order, or above {@code limit} in descending
   * order.
   */
  private static long rank(List<BigDecimal> values, int limit, boolean isAscending) {
    BigDecimal bound = new BigDecimal(limit);
    return values.stream()
        .filter(value -> isAscending ? value.compareTo(bound) <= 0 : value.compareTo(bound) > 0)
        .count();
  }

  private static Double deviation(List<BigDecimal> values, int divisor) {
    if (divisor < 1) {
      return null;
    }
    double mean = values.stream().mapToDouble(BigDecimal::doubleValue).average().orElseThrow();
    return Math.sqrt(
        values.stream().mapToDouble(value -> Math.pow(value.doubleValue() - mean, 2)).sum()
            / divisor);
  }

  private <T> T choose(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
