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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.tuple.SingleKeyValueTuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;

/**
 * Compares the residual check, which knows only the bounds of regions, with the results of
 * Phoenix's own expressions for each key of a small domain.
 */
public class ResidualCheckTest {

  private static final List<Integer> NUMBERS = List.of(-3, -1, 0, 1, 2, 5);
  private static final List<String> TEXTS = List.of("a", "ab", "b");
  private static final String SALTED = " (salted)";
  private static final int RANDOM_CONDITIONS = 1_000;

  /** Number of random regions that each condition is tested with. */
  private static final int REGIONS =
      Math.max(1, Math.min(1_000, Integer.getInteger("tests.cases", 10_000) / 200));

  /** Table with two or three key columns, its keys, and possible region boundaries. */
  private static final class Keys implements AutoCloseable {

    private final Connectionless driver = new Connectionless();
    private final List<byte[]> rows = new ArrayList<>();
    private final List<byte[]> boundaries = new ArrayList<>();
    private final String key;
    private final PTable table;
    private final int salts;

    Keys(String columns, String key) throws SQLException {
      this.key = key;
      driver.execute("DROP TABLE IF EXISTS C");
      driver.execute(
          "CREATE TABLE C (%s, V INTEGER CONSTRAINT PK PRIMARY KEY (%s)) %s"
              .formatted(
                  columns,
                  key.replace(SALTED, ""),
                  key.endsWith(SALTED) ? "SALT_BUCKETS = 3" : ""));
      table =
          driver.connection().unwrap(PhoenixConnection.class).getTable(new PTableKey(null, "C"));
      salts = table.getBucketNum() == null ? 0 : 1;
      addRows(new byte[salts][]);
      rows.sort(Bytes.BYTES_COMPARATOR);
      TreeMap<byte[], Boolean> all = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      for (byte[] row : rows) {
        for (int length = 1; length <= row.length; length++) {
          byte[] boundary = new byte[row.length];
          System.arraycopy(row, 0, boundary, 0, length);
          all.put(length % 2 == 0 ? boundary : Bytes.copy(row, 0, length), true);
        }
      }
      boundaries.addAll(all.keySet());
    }

    private void addRows(byte[][] values) {
      int column = values.length;
      if (column == table.getPKColumns().size()) {
        ImmutableBytesPtr key = new ImmutableBytesPtr();
        table.newKey(key, values);
        byte[] row = key.copyBytes();
        if (salts > 0) {
          row[0] = SaltingUtil.getSaltingByte(row, 1, row.length - 1, table.getBucketNum());
        }
        rows.add(row);
        return;
      }
      SortOrder order = table.getPKColumns().get(column).getSortOrder();
      boolean isText = table.getPKColumns().get(column).getDataType() == PVarchar.INSTANCE;
      byte[][] further = Arrays.copyOf(values, column + 1);
      for (Object value : isText ? TEXTS : NUMBERS) {
        further[column] =
            isText
                ? PVarchar.INSTANCE.toBytes(value, order)
                : PInteger.INSTANCE.toBytes(value, order);
        addRows(further);
      }
      if (isText && table.getPKColumns().get(column).isNullable()) {
        further[column] = new byte[0];
        addRows(further);
      }
    }

    private Expression where(String condition) throws SQLException {
      try (PreparedStatement statement =
          driver.connection().prepareStatement("SELECT V FROM C WHERE " + condition)) {
        StatementContext context =
            statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery().getContext();
        return ((BoundWhere.Holder) (Object) context).getBoundWhere().expression();
      }
    }

    /** Resets all parts of {@code expression}. A CASE does not reset its own parts. */
    private static void reset(Expression expression) {
      expression.reset();
      expression.getChildren().forEach(Keys::reset);
    }

    /** Returns the result of {@code where} for {@code row}: true, false, or null. */
    private static Boolean evaluate(Expression where, byte[] row) {
      reset(where);
      return evaluateOnce(where, row);
    }

    private static Boolean evaluateOnce(Expression where, byte[] row) {
      ImmutableBytesPtr value = new ImmutableBytesPtr();
      KeyValue cell = new KeyValue(row, Bytes.toBytes("0"), new byte[1], 1, new byte[1]);
      return where.evaluate(new SingleKeyValueTuple(cell), value) && value.getLength() > 0
          ? (Boolean) PBoolean.INSTANCE.toObject(value)
          : null;
    }

    private ResidualCheck check(Expression where) {
      return check(where, new Fallbacks());
    }

    private ResidualCheck check(Expression where, Fallbacks fallbacks) {
      return new ResidualCheck(
          DataKey.of(table),
          column -> column.getPosition() - salts,
          table,
          List.of(where),
          NonKeyBounds.NONE,
          fallbacks);
    }

    private static boolean canMatchIn(ResidualCheck check, byte[] row) {
      return check.canMatch(row, Bytes.add(row, new byte[1]));
    }

    /**
     * Returns the number of one-row regions that the check keeps although the row does not match.
     * Fails if the check drops a region with a match.
     */
    private int check(String condition, Random random) throws SQLException {
      Expression where = where(condition);
      String what = key + ": " + condition;
      Fallbacks fallbacks = new Fallbacks();
      ResidualCheck check = check(where, fallbacks);
      List<byte[]> matching = new ArrayList<>();
      int tooMany = 0;
      for (byte[] row : rows) {
        boolean matches = Boolean.TRUE.equals(evaluate(where, row));
        boolean kept = canMatchIn(check, row);
        if (matches) {
          matching.add(row);
          assertThat(kept).as("%s of %s", what, Bytes.toStringBinary(row)).isTrue();
        } else if (kept) {
          tooMany++;
        }
      }
      for (int i = 0; i < REGIONS; i++) {
        byte[] start = random.nextInt(9) == 0 ? new byte[0] : boundary(random);
        byte[] end = random.nextInt(9) == 0 ? new byte[0] : boundary(random);
        if (end.length == 0 || Bytes.compareTo(start, end) < 0) {
          boolean holds =
              matching.stream()
                  .anyMatch(
                      row ->
                          Bytes.compareTo(start, row) <= 0
                              && (end.length == 0 || Bytes.compareTo(row, end) < 0));
          assertThat(check.canMatch(start, end) || !holds)
              .as("%s in [%s, %s)", what, Bytes.toStringBinary(start), Bytes.toStringBinary(end))
              .isTrue();
        }
      }
      assertThat(fallbacks.failures()).as(what).isZero();
      return where instanceof LiteralExpression ? 0 : tooMany;
    }

    private byte[] boundary(Random random) {
      return boundaries.get(random.nextInt(boundaries.size()));
    }

    @Override
    public void close() throws SQLException {
      driver.close();
    }
  }

  @Test
  public void decidesRegionsOfOneKey() throws SQLException {
    for (String key : List.of("K1, K2", "K1 DESC, K2", "K1 DESC, K2 DESC", "K1, K2" + SALTED)) {
      try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", key)) {
        for (String term :
            List.of(
                "K1 + 1",
                "1 - K1",
                "K1 * K2",
                "K1 + K2 - 2",
                "(K1 - K2) * 2",
                "(K1 + 7) / 2",
                "K1 * 1.5",
                "K1 - 0.25 * K2",
                "CASE WHEN K1 = 1 THEN 2 WHEN K1 > 1 THEN 5 ELSE 0 END",
                "CASE WHEN K1 + K2 > 1 THEN 2 END",
                "COALESCE(K1 + 1, 2)",
                "CAST(K1 AS BIGINT) + 1",
                "CAST(K1 AS DECIMAL) - K2",
                "K1 % 3",
                "K1 * CAST(K2 AS DECIMAL) / 3",
                "ROUND(K1 * 0.3)",
                "ABS(K1) - SIGN(K2)",
                "CAST(K1 AS DOUBLE) / 2")) {
          List<String> conditions = new ArrayList<>();
          for (String operator : List.of("=", "<>", "<", "<=", ">", ">=")) {
            String comparison = term + " " + operator + " ";
            conditions.add(comparison + "2");
            conditions.add("NOT (" + comparison + "2)");
            conditions.add(comparison + "1 OR K1 * K1 = 25");
            conditions.add(comparison + "1 AND NOT (K2 - 1 IN (0, 1))");
          }
          conditions.add(term + " IN (0, 2)");
          conditions.add(term + " IS NULL");
          conditions.add("NOT (" + term + " IS NOT NULL)");
          conditions.add(term + " BETWEEN 0 AND 3");
          for (String condition : conditions) {
            assertThat(keys.check(condition, new Random(1))).as(key + ": " + condition).isZero();
          }
        }
      }
    }
  }

  @Test
  public void decidesRegionsOfOneTextByAnyFunction() throws SQLException {
    for (String key : List.of("K1, K2", "K1 DESC, K2", "K1, K2 DESC", "K1, K2" + SALTED)) {
      try (Keys keys = new Keys("K1 VARCHAR, K2 INTEGER NOT NULL", key)) {
        for (String condition :
            List.of(
                "REVERSE(K1) = 'ba'",
                "NOT (REVERSE(K1) IN ('a', 'c'))",
                "REVERSE(K1) LIKE 'b%'",
                "NOT (K1 LIKE '%b' AND K2 > 1)",
                "LENGTH(K1) + K2 = 3",
                "K1 || 'x' > 'ab' OR K2 % 2 = 0",
                "SUBSTR(K1, 2) = 'b'",
                "TRIM(K1) = 'ab' OR REVERSE(K1) = 'b'",
                "INSTR(K1, 'b') = 2",
                "CASE WHEN REVERSE(K1) = 'a' THEN K2 ELSE 7 END < 1",
                "ABS(CASE WHEN REVERSE(K1) = 'a' AND K2 > 1 THEN 1 ELSE 2 END) = 1",
                "ABS(CASE WHEN REVERSE(K1) = 'a' OR K2 > 1 THEN 1 ELSE 2 END) = 2")) {
          for (int seed = 0; seed < 3; seed++) {
            int tooMany = keys.check(condition, new Random(seed));
            // If the key column is null, there is no value to evaluate, so a one-row region is not
            // decided.
            assertThat(tooMany).as(key + ": " + condition).isLessThanOrEqualTo(NUMBERS.size());
          }
        }
      }
    }
  }

  /**
   * ORDER BY can share parts of a condition. These parts keep state of the row that they were
   * evaluated for.
   */
  @Test
  public void leavesTheConditionAsItIs() throws SQLException {
    try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2")) {
      Expression where = keys.where("ABS(CASE WHEN K1 % 2 = 0 THEN 1 ELSE 3 END) = 1");
      ResidualCheck check = keys.check(where);
      for (byte[] row : keys.rows) {
        boolean matches = Keys.evaluate(where, row);
        String what = Bytes.toStringBinary(row);
        assertThat(Keys.canMatchIn(check, row)).as(what).isEqualTo(matches);
        Keys.reset(where);
        keys.rows.forEach(other -> Keys.canMatchIn(check, other));
        assertThat(Keys.evaluateOnce(where, row)).as(what).isEqualTo(matches);
      }
    }
  }

  /** An AND keeps the state that one of its parts was null. */
  @Test
  public void evaluatesEachRowAnew() throws SQLException {
    try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2")) {
      String condition =
          "ABS(CASE WHEN CASE WHEN K1 > 0 THEN 1 END = 1 AND K2 > 0 THEN 1 ELSE 2 END) = 1";
      assertThat(keys.check(condition, new Random(1))).isZero();
    }
  }

  /** If the condition of a WHEN can be null, the value of ELSE is possible. */
  @Test
  public void knowsThatConditionsCanBeNull() throws SQLException {
    try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2")) {
      String isPositive = "CASE WHEN K1 > 0 THEN 5 END = 5";
      for (String condition :
          List.of(
              isPositive + " AND K2 > -9", isPositive + " OR K2 > 9", "NOT (" + isPositive + ")")) {
        String isElse = "CASE WHEN " + condition + " THEN 1 ELSE 2 END = 2";
        assertThat(keys.check(isElse, new Random(1))).as(isElse).isZero();
        assertThat(keys.check(keys.where(isElse)).canMatch(new byte[0], new byte[0]))
            .as(isElse)
            .isTrue();
      }
    }
  }

  /** A stock server compares values of different sort orders in another way. */
  @Test
  public void decidesNoOrderOfDifferentSortOrders() throws SQLException {
    try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1 DESC, K2")) {
      for (String operator : List.of("<", "<=", ">", ">=")) {
        ResidualCheck check = keys.check(keys.where("K1 " + operator + " K2"));
        assertThat(keys.rows).as(operator).allMatch(row -> Keys.canMatchIn(check, row));
      }
      ResidualCheck equal = keys.check(keys.where("K1 = K2"));
      assertThat(equal.canMatch(keys.rows.get(0), keys.rows.get(4)))
          .as("K1 is 5, and K2 is less")
          .isFalse();
      assertThat(keys.check("K1 = K2", new Random(1))).isZero();
      assertThat(keys.check("K1 <> K2", new Random(1))).isZero();
    }
  }

  @Test
  public void needsAConditionOnTheKey() throws SQLException {
    try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2")) {
      assertThat(keys.check(keys.where("V + 1 = 3")).isEmpty()).isTrue();
      assertThat(keys.check(keys.where("V IS NULL")).isEmpty()).isTrue();
      ResidualCheck ofKey = keys.check(keys.where("K1 + 1 = 3 OR V + 1 = 3"));
      assertThat(ofKey.isEmpty()).isFalse();
      byte[] row = keys.rows.get(0);
      EvaluationBudget budget = EvaluationBudget.unlimited();
      assertThat(ofKey.within(ofKey.all(), row, Bytes.add(row, new byte[1]), budget).isEmpty())
          .isFalse();
    }
  }

  @Test
  public void reportsUnsupportedPartsOnce() throws SQLException {
    try (Keys keys = new Keys("K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2")) {
      for (String condition :
          List.of("K1 + V = 5", "(K1 % 2) + 1 = 5", "CAST(K1 AS DOUBLE) + 1 = 5")) {
        Fallbacks fallbacks = new Fallbacks();
        keys.check(keys.where(condition), fallbacks);
        assertThat(fallbacks.unsupportedConditions()).as(condition).isOne();
        assertThat(fallbacks.failures()).as(condition).isZero();
      }
    }
  }

  @Test
  public void dropsNoRegionWithAMatch() throws SQLException {
    for (String[] shape :
        new String[][] {
          {"K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2"},
          {"K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1 DESC, K2"},
          {"K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, K3 INTEGER NOT NULL", "K1, K2, K3"},
          {"K1 INTEGER NOT NULL, K2 VARCHAR, K3 INTEGER NOT NULL", "K1, K2 DESC, K3 DESC"},
          {"K1 VARCHAR, K2 INTEGER NOT NULL", "K1, K2"},
          {"K1 VARCHAR, K2 INTEGER NOT NULL", "K1 DESC, K2"},
          {"K1 INTEGER NOT NULL, K2 VARCHAR", "K1, K2"},
          {"K1 INTEGER NOT NULL, K2 INTEGER NOT NULL", "K1, K2" + SALTED},
          {"K1 INTEGER NOT NULL, K2 VARCHAR", "K1 DESC, K2" + SALTED},
        }) {
      try (Keys keys = new Keys(shape[0], shape[1])) {
        for (int seed = 0; seed < RANDOM_CONDITIONS; seed++) {
          Random random = new Random(seed);
          String condition = new Conditions(shape[0], random).condition(3);
          keys.check("(" + condition + ") /* " + shape[1] + ", seed " + seed + " */", random);
        }
      }
    }
  }

  /** Random conditions on key columns. */
  private static final class Conditions {

    private final List<String> numbers = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final Random random;

    Conditions(String columns, Random random) {
      for (String column : columns.split(", ")) {
        (column.contains("VARCHAR") ? texts : numbers).add(column.substring(0, 2));
      }
      this.random = random;
    }

    private <T> T any(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    String condition(int depth) {
      switch (depth == 0 ? 5 + random.nextInt(6) : random.nextInt(11)) {
        case 0:
        case 1:
          return "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
        case 2:
        case 3:
          return "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
        case 4:
          return "NOT (" + condition(depth - 1) + ")";
        case 5:
          return texts.isEmpty() ? comparison(number(2), number(1)) : ofText();
        case 6:
          return number(2) + " IN (" + any(NUMBERS) + ", NULL, " + any(NUMBERS) + ")";
        case 7:
          return number(2) + " IS " + (random.nextBoolean() ? "" : "NOT ") + "NULL";
        case 8:
          return any(numbers) + " - 1 BETWEEN " + any(NUMBERS) + " AND 2";
        default:
          return comparison(number(2), number(random.nextInt(3)));
      }
    }

    private String comparison(String left, String right) {
      return left + " " + any(List.of("=", "<>", "<", "<=", ">", ">=")) + " " + right;
    }

    private String ofText() {
      String text = any(texts);
      switch (random.nextInt(6)) {
        case 0:
          return text + " IS NULL";
        case 1:
          return comparison("REVERSE(" + text + ")", "'" + any(TEXTS) + "'");
        case 2:
          return text + " || 'b' LIKE '%" + any(TEXTS) + "'";
        default:
          return comparison(text, "'" + any(TEXTS) + "'");
      }
    }

    private String number(int depth) {
      switch (depth == 0 ? random.nextInt(3) : random.nextInt(9)) {
        case 0:
          return any(NUMBERS).toString();
        case 1:
        case 2:
          return any(numbers);
        case 3:
          return "(" + number(depth - 1) + " + " + number(depth - 1) + ")";
        case 4:
          return "(" + number(depth - 1) + " - " + number(depth - 1) + ")";
        case 5:
          return "("
              + number(depth - 1)
              + " * "
              + any(List.of("2", "-1", "0.5", any(numbers)))
              + ")";
        case 6:
          return "(" + any(numbers) + any(List.of(" / 2)", " % 3)", " % 2)"));
        case 7:
          return "COALESCE(" + any(numbers) + ", " + number(0) + ")";
        default:
          return "CASE WHEN "
              + condition(0)
              + " THEN "
              + any(numbers)
              + (random.nextBoolean() ? "" : " ELSE " + any(NUMBERS))
              + " END";
      }
    }
  }
}
