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
package org.apache.phoenix.pruning.prune;

import static org.apache.phoenix.pruning.prune.RowCondition.NAMES;
import static org.apache.phoenix.pruning.prune.RowCondition.OPERATORS;
import static org.apache.phoenix.pruning.prune.RowCondition.and;
import static org.apache.phoenix.pruning.prune.RowCondition.between;
import static org.apache.phoenix.pruning.prune.RowCondition.compare;
import static org.apache.phoenix.pruning.prune.RowCondition.in;
import static org.apache.phoenix.pruning.prune.RowCondition.isNull;
import static org.apache.phoenix.pruning.prune.RowCondition.or;
import static org.apache.phoenix.pruning.prune.RowCondition.prefixIn;
import static org.apache.phoenix.pruning.prune.RowCondition.rowIn;
import static org.apache.phoenix.pruning.prune.RowCondition.rowValue;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.scan.LooseIndexScanPlanner;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ScanUtil;
import org.junit.Test;

/**
 * Tests which rows Phoenix's scan for a WHERE finds in a table with three key columns, without a
 * cluster. The scan's range and filter are applied to all keys of a small domain.
 */
public class WhereRangesTest {

  private static final List<String> STRINGS = List.of("a", "aa", "ab", "b", "ba", "c c", "ca", "d");

  /** Strings of which one is another string and the byte 1, which follows the separator byte 0. */
  private static final List<String> PREFIXES = List.of("a", "a\u0001", "b");

  private static final List<Integer> NUMBERS = List.of(-1, 0, 1, 2, 3, 4, 5);

  /**
   * Integers with the least and the greatest value. MAX_VALUE has the bytes FF FF FF FF, and so
   * does MIN_VALUE in a descending column. No value sorts after these bytes.
   */
  private static final List<Integer> EXTREMES = List.of(Integer.MIN_VALUE, 0, Integer.MAX_VALUE);

  /**
   * Each table is tested with all of its rows, with about one in 8, and with about one in 60.
   * Filters therefore step over gaps of different lengths.
   */
  private static final List<Integer> PARTS = List.of(1, 8, 60);

  private static final int MAX_BOUNDARIES = 6;
  private static final int TABLES =
      Math.max(1, Math.min(2_000, Integer.getInteger("tests.cases", 10_000) / 400));
  private static final int QUERIES = 300;

  /** Tables whose keys have many nulls, for the test of single patches. */
  private static final List<String> WITH_NULLS =
      List.of("S? I I", "Sd? S I", "S S? I", "I Sd? S?", "S S? S?", "I S? Id");

  /** Patches that change the rows that a scan finds. */
  private static final List<Patch> RANGE_PATCHES =
      List.of(
          Patch.DESCENDING_NULL,
          Patch.NULL_OR_VALUE,
          Patch.NULL_RANGES,
          Patch.ROW_VALUE_RANGES,
          Patch.SKIP_SCAN);

  /**
   * Key columns of a table, such as {@code "I S? Id"}: I is an integer, S a string, P a string of
   * PREFIXES, and E an integer of EXTREMES. A d means descending, and ? nullable.
   */
  private record Shape(String text) {

    private String of(int column) {
      return text.split(" ")[column];
    }

    boolean isString(int column) {
      return !of(column).startsWith("I") && !of(column).startsWith("E");
    }

    boolean isDescending(int column) {
      return of(column).contains("d");
    }

    boolean isNullable(int column) {
      return of(column).endsWith("?");
    }

    List<?> values(int column) {
      return switch (of(column).charAt(0)) {
        case 'P' -> PREFIXES;
        case 'E' -> EXTREMES;
        case 'S' -> STRINGS;
        default -> NUMBERS;
      };
    }
  }

  @Test
  public void findsTheRowsOfRandomConditions() throws Exception {
    for (int seed = 0; seed < TABLES; seed++) {
      Random random = new Random(seed);
      Shape shape = shape(random);
      try (Connectionless driver = new Connectionless()) {
        TreeMap<byte[], Object[]> rows = createTable(driver, shape);
        for (int i = 0; i < QUERIES; i++) {
          check(driver, rows, condition(random, shape, 2), "seed " + seed + ", " + shape);
        }
      }
    }
  }

  /**
   * Leaves out each patch alone, and adds each patch alone. If Phoenix finds the right rows without
   * these patches, the other patches must not change them.
   */
  @Test
  public void losesNoRowsIfPatchesAreLeftOut() throws Exception {
    List<PatchSet> sets = new ArrayList<>();
    for (Patch patch : RANGE_PATCHES) {
      sets.add(PatchSet.parse("all,-" + patch.id()));
      sets.add(allBut(RANGE_PATCHES.stream().filter(other -> other != patch)));
    }
    PatchSet none = allBut(RANGE_PATCHES.stream());
    int wrong = 0;
    for (int seed = 0; seed < WITH_NULLS.size() * 2; seed++) {
      Random random = new Random(seed);
      Shape shape =
          seed % 2 == 0 ? shape(random) : new Shape(WITH_NULLS.get(seed / 2 % WITH_NULLS.size()));
      List<RowCondition> conditions =
          IntStream.range(0, 20).mapToObj(i -> condition(random, shape, 2)).toList();
      List<Boolean> ofPhoenix = areRight(none, shape, conditions);
      wrong += Collections.frequency(ofPhoenix, false);
      for (PatchSet set : sets) {
        List<Boolean> right = areRight(set, shape, conditions);
        for (int i = 0; i < right.size(); i++) {
          assertThat(right.get(i) || !ofPhoenix.get(i))
              .as(set + ", " + shape + ": " + conditions.get(i / PARTS.size()).sql())
              .isTrue();
        }
      }
    }
    assertThat(wrong).as("wrong in Phoenix").isPositive();
  }

  private static PatchSet allBut(Stream<Patch> patches) {
    return PatchSet.parse(
        patches.map(patch -> ",-" + patch.id()).collect(Collectors.joining("", "all", "")));
  }

  /** Returns for each condition, and each of PARTS, whether its scan finds the right rows. */
  private static List<Boolean> areRight(
      PatchSet patches, Shape shape, List<RowCondition> conditions) throws Exception {
    List<Boolean> right = new ArrayList<>();
    try (Connectionless driver = new Connectionless(PruningOptions.PATCHES, patches.toString())) {
      PatchSet usable =
          PruningOptions.of(driver.connection().unwrap(PhoenixConnection.class)).patches();
      TreeMap<byte[], Object[]> all = createTable(driver, shape);
      for (RowCondition condition : conditions) {
        StatementContext context = compiled(driver, condition);
        for (int part : PARTS) {
          Random random = new Random(31L * condition.sql().hashCode() + part);
          TreeMap<byte[], Object[]> rows = new TreeMap<>(all);
          rows.values().removeIf(row -> random.nextInt(part) > 0);
          right.add(isRight(context, rows, boundaries(random, all), condition, usable));
        }
      }
    }
    return right;
  }

  private static boolean isRight(
      StatementContext context,
      TreeMap<byte[], Object[]> rows,
      SortedSet<byte[]> boundaries,
      RowCondition condition,
      PatchSet patches)
      throws Exception {
    try {
      check(found(context, context.getScan(), rows, boundaries, patches), rows, condition, "");
      return true;
    } catch (AssertionError | RuntimeException e) {
      // Phoenix's own skip scan can also fail with an exception.
      return false;
    }
  }

  @Test
  public void comparesRowValuesAndColumns() throws Exception {
    check(
        "I I I",
        and(rowValue("<=", 0, 4, 5, 2), in(0, 2, 4)),
        and(rowValue(">", 0, 0, 2, 5), in(0, 0, 3)),
        and(rowValue("<=", 0, 2, 0, 4), in(0, 3, 2, 0, 4)),
        or(and(rowValue("<=", 0, 4, 5, 2), in(0, 2, 4)), compare(0, "=", 5)),
        or(compare(0, "=", 1), rowValue(">", 0, 2, 5, 2)),
        or(compare(0, "=", 3), rowValue(">=", 0, 3, 4, 0)),
        and(compare(2, "<=", 4), rowValue("<", 0, 1, 3, 5)),
        and(rowValue("<=", 0, 2, 1), compare(0, "<", 4)),
        and(rowValue(">=", 0, 1, 4), compare(1, "<", 1)),
        and(rowValue(">", 0, 3, 3, 1), compare(0, ">", 2)),
        and(compare(2, ">=", 5), or(compare(0, ">", 4), rowValue("=", 0, 5, 1))),
        and(in(2, 2, 4, 5), rowValue(">=", 0, 0, 3, 5)),
        and(and(rowValue("<=", 0, 2, 0, 2), rowIn(1, 2, 3, 1, 0, 2, 5, 4)), in(0, 5, 2, 3)),
        and(and(rowIn(1, 2, 0, 4, 2, 0, 3, 5), compare(0, ">", 1)), rowValue("<", 0, 2, 2, 2)));
    check("Sd I I", or(compare(0, ">", "ab"), rowValue("<", 0, "ca", 3)));
    check("S? Id I", or(rowValue("<", 0, "a", 0, 2), compare(0, ">=", "a")));
    check("Id I I", and(and(rowValue(">=", 0, 4, 3, 2), between(0, 3, 4)), compare(1, "<=", 4)));
    check(
        "Id S I", and(and(rowIn(0, 2, 4, "ab", 2, "ab"), between(2, 2, 4)), compare(1, "<", "ca")));
    check(
        "I S Id",
        or(compare(0, ">=", 2), rowValue("<=", 0, 2, "ba", 2)),
        or(rowValue("<=", 0, 2, "d", 0), rowValue(">=", 0, 1, "b")));
    check("I I Id", and(in(0, 2, 1), and(rowValue(">=", 1, 1, 0), rowValue("<", 0, 1, 3))));
    check("Id Id I", and(rowIn(0, 2, 0, 2, 5, 2), between(2, 1, 3)));
    check(
        "I Sd Id",
        and(compare(0, "=", 1), rowIn(0, 3, 1, "ba", 1, 3, "ab", 2)),
        or(rowIn(0, 3, 5, "ca", 1, 2, "ab", 0), rowIn(0, 3, 3, "a", 4, 5, "ab", 2)),
        and(
            or(rowValue(">", 0, 1, "ab", 4), compare(1, "=", "a")),
            rowIn(0, 3, 3, "d", 3, 2, "a", 3)));
    check(
        "I I S?",
        and(rowValue(">=", 0, 1, 2, "b"), in(0, 1, 4)),
        and(rowValue("<=", 0, 4, 2, "b"), in(0, 1, 4)),
        and(and(rowValue(">=", 0, 1, 2, "b"), in(0, 1, 4)), compare(1, "=", 2)),
        and(
            and(in(1, 3, 5, 0), rowValue(">=", 0, 0, 2, "d")),
            and(rowValue(">", 1, 0, "b"), in(0, 5, 1, 4))));
    check("I S? I", and(rowValue(">=", 0, 1, "b"), in(0, 1, 4)));
  }

  /**
   * A comparison of the first column excludes its nulls, also together with row values. Row values
   * on their own may find rows with nulls, see {@link #check}.
   */
  @Test
  public void comparisonsExcludeNullsTogetherWithRowValues() throws Exception {
    RowCondition values = rowIn(0, 3, "a", 4, 4, "b", 3, 4);
    for (String operator : List.of("<", "<=")) {
      RowCondition below = compare(0, operator, "aa");
      for (RowCondition condition :
          List.of(
              or(values, below),
              or(or(values, below), between(0, "b", "c c")),
              and(rowValue(operator, 0, "b", 3), compare(0, operator, "ca")),
              and(rowValue(operator, 0, "ca", 3), compare(0, operator, "b")))) {
        check("S? I I", condition);
        try (Connectionless driver = new Connectionless()) {
          TreeMap<byte[], Object[]> rows = createTable(driver, new Shape("S? I I"));
          StatementContext context = compiled(driver, condition);
          SortedSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
          boundaries.add(HConstants.EMPTY_START_ROW);
          assertThat(found(context, context.getScan(), rows, boundaries))
              .as(condition.sql())
              .isNotEmpty()
              .allSatisfy(row -> assertThat(row[0]).isNotNull());
        }
      }
    }
  }

  @Test
  public void skipsToTheNextValue() throws Exception {
    check("S I I", and(and(compare(1, "<", 2), in(0, "aa", "b")), compare(2, "=", 2)));
    check("Sd I I", and(and(between(0, "aa", "ca"), in(1, 2, 1, 5)), in(2, 3, 2, 4)));
    check("I I Sd", and(or(rowValue("=", 0, 3, 4), rowValue("=", 0, 4, 0)), in(2, "ab", "a", "b")));
    check(
        "I S? S?",
        and(
            or(compare(2, ">", "a"), compare(2, "=", "c c")),
            or(rowValue("=", 0, 5, "ab"), rowValue("=", 0, 5, "b"))));
  }

  @Test
  public void skipsToALongerValue() throws Exception {
    check("P I I", and(between(0, "a", "b"), in(1, 0, 2)));
    check("P I I", in(1, 0, 2), and(compare(1, "<", 2), in(2, 1, 3)), compare(2, "=", 3));
    check("I P I", in(2, 0, 2), and(in(0, 1, 3), compare(2, "=", 2)));
    for (String shape : List.of("P S I", "P Id I", "P S? Sd", "Pd S I")) {
      Object second = shape.contains("Id") ? (Object) 2 : "b";
      Object third = shape.endsWith("Sd") ? (Object) "b" : 2;
      check(
          shape,
          and(compare(0, ">", "a"), compare(1, ">=", second)),
          and(compare(0, ">", "a"), compare(1, "=", second)),
          and(compare(0, ">", "b"), and(compare(1, ">", second), compare(2, "=", third))));
    }
    check("I P S", and(in(0, 1, 3), and(compare(1, ">", "a"), compare(2, ">=", "b"))));
  }

  /**
   * Incrementing the greatest value of a column carries into the bytes before the value in the key.
   */
  @Test
  public void skipsPastTheGreatestValue() throws Exception {
    for (String shape :
        List.of("E I I", "Ed I S", "E Ed I", "P E I", "P Ed S", "Pd E I", "I E I")) {
      Object first = shape.startsWith("P") ? (Object) "a" : 0;
      for (String operator : List.of(">=", "<=", ">", "<")) {
        RowCondition range = compare(0, operator, first);
        RowCondition second = compare(1, shape.contains("Ed ") ? "<=" : ">=", 0);
        check(shape, and(range, in(1, 0, 2)), and(range, and(second, lastOf(shape))));
      }
    }
  }

  /**
   * A range up to the greatest value includes all rows with this value, whatever columns follow.
   */
  @Test
  public void includesTheGreatestValue() throws Exception {
    for (String shape : List.of("I E I", "I Ed I", "S E I", "I E Id", "I E S")) {
      Object last = shape.endsWith("S") ? "a" : (Object) 0;
      int greatest = shape.contains("Ed") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
      for (String operator : List.of(">=", ">", "<=", "<")) {
        RowCondition range = rowValue(operator, 1, 0, last);
        for (String other : List.of("<=", ">=", "=")) {
          RowCondition to = compare(1, other, greatest);
          check(shape, and(range, to));
          check(shape, and(to, range));
        }
      }
    }
  }

  private static RowCondition lastOf(String shape) {
    return shape.endsWith("S") ? in(2, "a", "c c") : in(2, 1, 4);
  }

  /**
   * Tests a condition on null on its own, in an OR, and in a skip scan. The column is at the
   * beginning of the key, inside, or at the end.
   */
  @Test
  public void findsNullsWhereTheyMatch() throws Exception {
    for (String shape :
        List.of("S? I I", "Sd? S I", "S S? I", "S Sd? I", "I Sd? S?", "S S? S?", "I I S?")) {
      for (int column = 0; column < 3; column++) {
        if (new Shape(shape).isNullable(column)) {
          List<RowCondition> conditions = new ArrayList<>();
          for (RowCondition condition : conditionsOfNull(column)) {
            conditions.add(condition);
            addWithOthers(shape, column, condition, conditions);
          }
          check(shape, conditions.toArray(RowCondition[]::new));
        }
      }
    }
    check(
        "S S? S?",
        and(
            or(rowValue(">=", 0, "ab", "c c"), rowIn(0, 2, "a", "ba", "ba", "d")),
            compare(2, ">", "ca")));
    check("Sd? S? S", or(or(compare(0, "=", "aa"), isNull(0, true)), compare(0, "<", "ba")));
    check(
        "S? S? Sd?",
        and(rowValue("<", 0, "ba", "d"), and(compare(2, "<=", "ca"), rowValue(">", 0, "b", "ca"))));
  }

  private static List<RowCondition> conditionsOfNull(int column) {
    List<RowCondition> conditions = new ArrayList<>();
    for (boolean isNull : List.of(true, false)) {
      RowCondition condition = isNull(column, isNull);
      conditions.add(condition);
      conditions.add(or(condition, in(column, "a", "b")));
      conditions.add(or(condition, between(column, "a", "b")));
      for (String operator : OPERATORS) {
        conditions.add(or(condition, compare(column, operator, "b")));
        conditions.add(and(condition, compare(column, operator, "b")));
      }
    }
    for (String operator : OPERATORS) {
      conditions.add(compare(column, operator, "b"));
      conditions.add(or(compare(column, "=", "ca"), compare(column, operator, "b")));
      conditions.add(or(compare(column, ">", "aa"), compare(column, operator, "b")));
    }
    return conditions;
  }

  /** Adds conditions that combine {@code condition} with those of the other columns. */
  private static void addWithOthers(
      String shape, int column, RowCondition condition, List<RowCondition> conditions) {
    for (int other = 0; other < 3; other++) {
      if (other != column) {
        List<?> values = new Shape(shape).values(other);
        int last = 3 - other - column;
        RowCondition skipping = and(in(other, values.subList(1, 4).toArray()), condition);
        conditions.add(skipping);
        conditions.add(and(skipping, compare(last, "<", new Shape(shape).values(last).get(4))));
        conditions.add(and(compare(other, "=", values.get(1)), condition));
      }
    }
  }

  /** The region begins or ends at the key of a row, or inside a value. */
  @Test
  public void skipsInRegionsThatBeginAnywhere() throws Exception {
    RowCondition first = or(in(0, "aa", "ab"), compare(0, ">", "c c"));
    for (String shape : List.of("Sd I S", "Sd Id Sd", "Sd S S?", "Sd? S S")) {
      Shape columns = new Shape(shape);
      checkAtEachRow(columns, and(first, in(2, "a", "c c")));
      checkAtEachRow(columns, and(in(0, "a", "ab", "ba"), in(2, "a", "b")));
    }
    checkAtEachRow(new Shape("Id Id Id"), and(in(0, -1, 2, 3), in(2, -1, 0)));
    checkAtEachRow(new Shape("I I S?"), and(in(0, 2, -1), in(2, "b", "ba", "ca")));
  }

  /** Checks the condition with a boundary at the key of each row, and some random boundaries. */
  private static void checkAtEachRow(Shape shape, RowCondition condition) throws Exception {
    Random random = new Random(1);
    try (Connectionless driver = new Connectionless()) {
      TreeMap<byte[], Object[]> rows = createTable(driver, shape);
      StatementContext context = compiled(driver, condition);
      for (byte[] start : rows.keySet()) {
        SortedSet<byte[]> boundaries = boundaries(random, rows);
        boundaries.add(start);
        check(
            found(context, context.getScan(), rows, boundaries),
            rows,
            condition,
            shape
                + " split at "
                + boundaries.stream().map(Bytes::toStringBinary).toList()
                + ": "
                + condition.sql());
      }
    }
  }

  /** Phoenix's server reads such a range as empty. */
  @Test
  public void readsDescendingRangesThatEndWithAPrefix() throws Exception {
    check("S Sd I", and(in(0, "a", "b"), between(1, "a", "aa")));
  }

  /** Phoenix 5.2.1 never finishes compiling this condition. */
  @Test(timeout = 60_000)
  public void unitesRangesOfPrefixes() throws Exception {
    check("S I I", and(prefixIn(0, 1, "a", "b"), compare(1, "=", 1)));
  }

  /** Phoenix creates all 3,375,000 keys of these lists, which takes more than 5 GB. */
  @Test
  public void makesNoKeysOfLongLists() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTable(driver, new Shape("I Sd I"));
      RowCondition lists =
          and(and(in(0, longList("I")), in(1, longList("S"))), in(2, longList("I")));
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      ScanRanges ranges = compiled(driver, lists).getScanRanges();
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000_000);
      assertThat(ranges.isPointLookup()).isFalse();
      assertThat(ranges.getRanges()).extracting(List::size).containsExactly(150, 150, 150);
    }
  }

  @Test
  public void findsTheRowsOfLongLists() throws Exception {
    for (String shape : List.of("I Sd I", "S S? Sd", "Sd Id S", "I I S?")) {
      Object[][] lists =
          IntStream.range(0, 3)
              .mapToObj(i -> longList(new Shape(shape).isString(i) ? "S" : "I"))
              .toArray(Object[][]::new);
      check(shape, and(and(in(0, lists[0]), in(1, lists[1])), in(2, lists[2])));
    }
  }

  /** The plan is the same as Phoenix's if the keys fit into memory. */
  @Test
  public void makesTheKeysOfShorterLists() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTable(driver, new Shape("I S I"));
      RowCondition lists = and(and(in(0, longList("I")), in(1, longList("S"))), in(2, 1, 2, 3, 4));
      ScanRanges ranges = compiled(driver, lists).getScanRanges();
      assertThat(ranges.isPointLookup()).isTrue();
      assertThat(ranges.getPointLookupCount()).isEqualTo(150 * 150 * 4);
    }
  }

  /** Returns 150 values: every second value of a column's domain, and values that no row has. */
  private static Object[] longList(String type) {
    boolean isString = type.equals("S");
    List<?> domain = isString ? STRINGS : NUMBERS;
    return IntStream.range(0, 150)
        .mapToObj(
            i ->
                i * 2 < domain.size()
                    ? domain.get(i * 2)
                    : isString ? (Object) ("b" + i) : (Object) (i * 10))
        .toArray();
  }

  private static void check(String shape, RowCondition... conditions) throws Exception {
    try (Connectionless driver = new Connectionless()) {
      TreeMap<byte[], Object[]> rows = createTable(driver, new Shape(shape));
      for (RowCondition condition : conditions) {
        check(driver, rows, condition, shape);
      }
    }
  }

  private static void check(
      Connectionless driver, TreeMap<byte[], Object[]> all, RowCondition condition, String table)
      throws Exception {
    StatementContext context = compiled(driver, condition);
    for (int part : PARTS) {
      Random random = new Random(31L * condition.sql().hashCode() + part);
      TreeMap<byte[], Object[]> rows = new TreeMap<>(all);
      rows.values().removeIf(row -> random.nextInt(part) > 0);
      SortedSet<byte[]> boundaries = boundaries(random, all);
      String description =
          table
              + ", 1 of "
              + part
              + " rows, split at "
              + boundaries.stream().map(Bytes::toStringBinary).toList()
              + ": "
              + condition.sql();
      check(found(context, context.getScan(), rows, boundaries), rows, condition, description);
      check(
          found(context, loose(context), rows, boundaries),
          rows,
          condition,
          "a loose index scan of " + description);
    }
  }

  private static void check(
      List<Object[]> found,
      TreeMap<byte[], Object[]> rows,
      RowCondition condition,
      String description) {
    List<String> lost = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Object[] row : rows.values()) {
      // Phoenix sorts nulls when it compares row values, so rows with nulls may be found.
      boolean hasNull = condition.hasRowValues() && Arrays.asList(row).contains(null);
      boolean matches = Boolean.TRUE.equals(condition.of().apply(row));
      if (matches && !found.contains(row)) {
        lost.add(Arrays.toString(row));
      } else if (!matches && found.contains(row) && !hasNull) {
        others.add(Arrays.toString(row));
      }
    }
    assertThat(lost).as("lost of " + description).isEmpty();
    assertThat(others).as("others of " + description).isEmpty();
  }

  private static TreeMap<byte[], Object[]> createTable(Connectionless driver, Shape shape)
      throws SQLException {
    String columns =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    NAMES.get(i)
                        + (shape.isString(i) ? " VARCHAR" : " INTEGER")
                        + (shape.isNullable(i) ? "" : " NOT NULL"))
            .collect(Collectors.joining(", "));
    String key =
        IntStream.range(0, 3)
            .mapToObj(i -> NAMES.get(i) + (shape.isDescending(i) ? " DESC" : ""))
            .collect(Collectors.joining(", "));
    driver.execute("DROP TABLE IF EXISTS W");
    driver.execute(
        "CREATE TABLE W (" + columns + ", V INTEGER CONSTRAINT PK PRIMARY KEY (" + key + "))");
    PTable table =
        driver.connection().unwrap(PhoenixConnection.class).getTable(new PTableKey(null, "W"));
    TreeMap<byte[], Object[]> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Object a : domain(shape, 0)) {
      for (Object b : domain(shape, 1)) {
        for (Object c : domain(shape, 2)) {
          Object[] row = {a, b, c};
          if (a != null || b != null || c != null) {
            rows.put(key(table, shape, row), row);
          }
        }
      }
    }
    return rows;
  }

  private static List<Object> domain(Shape shape, int column) {
    List<Object> values = new ArrayList<>(shape.values(column));
    if (shape.isNullable(column)) {
      values.add(null);
    }
    return values;
  }

  private static byte[] key(PTable table, Shape shape, Object[] row) {
    byte[][] values = new byte[row.length][];
    for (int i = 0; i < row.length; i++) {
      SortOrder order = shape.isDescending(i) ? SortOrder.DESC : SortOrder.ASC;
      values[i] =
          row[i] == null
              ? new byte[0]
              : shape.isString(i)
                  ? PVarchar.INSTANCE.toBytes(row[i], order)
                  : PInteger.INSTANCE.toBytes(row[i], order);
    }
    ImmutableBytesPtr key = new ImmutableBytesPtr();
    table.newKey(key, values);
    return key.copyBytes();
  }

  private static StatementContext compiled(Connectionless driver, RowCondition condition)
      throws Exception {
    try (PreparedStatement statement =
        driver.connection().prepareStatement("SELECT * FROM W WHERE " + condition.sql())) {
      return statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery().getContext();
    }
  }

  /** Returns the scan of {@code context}, with the filter of a loose index scan if possible. */
  private static Scan loose(StatementContext context) throws Exception {
    Scan scan = new Scan(context.getScan());
    LooseIndexScanPlanner.plan(
            context.getScanRanges(),
            new TableKeyColumns(context.getCurrentTable().getTable(), false))
        .ifPresent(loose -> ScanUtil.andFilterAtBeginning(scan, loose.filter()));
    return scan;
  }

  /**
   * Returns start keys of regions and guideposts. These are row keys, of which some are truncated
   * or one byte longer.
   */
  private static SortedSet<byte[]> boundaries(Random random, TreeMap<byte[], Object[]> rows) {
    List<byte[]> keys = List.copyOf(rows.keySet());
    SortedSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    boundaries.add(HConstants.EMPTY_START_ROW);
    int count = 1 + random.nextInt(MAX_BOUNDARIES);
    for (int i = 0; i < count; i++) {
      byte[] key = keys.get(random.nextInt(keys.size()));
      boundaries.add(
          switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(key, 1 + random.nextInt(key.length));
            case 1 -> Arrays.copyOf(key, key.length + 1);
            default -> key;
          });
    }
    return boundaries;
  }

  private static List<Object[]> found(
      StatementContext context,
      Scan whole,
      TreeMap<byte[], Object[]> rows,
      SortedSet<byte[]> boundaries)
      throws Exception {
    return found(context, whole, rows, boundaries, PatchSet.ALL);
  }

  /** Returns the rows that the scans of all regions find. */
  private static List<Object[]> found(
      StatementContext context,
      Scan whole,
      TreeMap<byte[], Object[]> rows,
      SortedSet<byte[]> boundaries,
      PatchSet patches)
      throws Exception {
    List<Object[]> found = new ArrayList<>();
    if (context.getScanRanges() == ScanRanges.NOTHING) {
      return found;
    }
    List<byte[]> starts = List.copyOf(boundaries);
    for (int i = 0; i < starts.size(); i++) {
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : HConstants.EMPTY_END_ROW;
      Scan scan = context.getScanRanges().intersectScan(whole, starts.get(i), end, 0, false);
      if (scan != null) {
        found.addAll(found(scan, rows, patches));
      }
    }
    return found;
  }

  /** Returns the rows that a region would return. The region calls the filter for each row. */
  private static List<Object[]> found(
      Scan planned, TreeMap<byte[], Object[]> rows, PatchSet patches) throws Exception {
    PatchRequest.set(planned, patches);
    Scan scan = ProtobufUtil.toScan(ProtobufUtil.toScan(planned));
    PatchRequest.apply(scan);
    List<Object[]> found = new ArrayList<>();
    Filter filter = scan.getFilter();
    Cell hint = null;
    for (Map.Entry<byte[], Object[]> row : rows.entrySet()) {
      Cell cell = new KeyValue(row.getKey(), Bytes.toBytes("0"), new byte[1], 1, new byte[1]);
      if (Bytes.compareTo(row.getKey(), scan.getStartRow()) < 0
          || (scan.getStopRow().length > 0 && Bytes.compareTo(row.getKey(), scan.getStopRow()) >= 0)
          || (hint != null && CellComparator.getInstance().compare(cell, hint) < 0)) {
        continue;
      }
      if (filter == null) {
        found.add(row.getValue());
      } else if (!filter.filterAllRemaining()) {
        filter.reset();
        ReturnCode code = filter.filterCell(cell);
        if (code == ReturnCode.SEEK_NEXT_USING_HINT) {
          hint = filter.getNextCellHint(cell);
        } else if ((code == ReturnCode.INCLUDE || code == ReturnCode.INCLUDE_AND_NEXT_COL)
            && !filter.filterRow()) {
          found.add(row.getValue());
        }
      }
    }
    return found;
  }

  private static Shape shape(Random random) {
    return new Shape(
        IntStream.range(0, 3)
            .mapToObj(
                i -> {
                  boolean isString = random.nextInt(3) == 0;
                  return (isString ? "S" : "I")
                      + (random.nextInt(3) == 0 ? "d" : "")
                      + (isString && random.nextBoolean() ? "?" : "");
                })
            .collect(Collectors.joining(" ")));
  }

  private static RowCondition condition(Random random, Shape shape, int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(8);
    if (kind < 2) {
      return comparison(random, shape);
    }
    RowCondition one = condition(random, shape, depth - 1);
    RowCondition other = condition(random, shape, depth - 1);
    return kind < 6 ? and(one, other) : or(one, other);
  }

  private static RowCondition comparison(Random random, Shape shape) {
    int column = random.nextInt(3);
    String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    int columns = 2 + random.nextInt(2);
    int from = columns == 3 ? 0 : random.nextInt(2);
    return switch (random.nextInt(6)) {
      case 5 ->
          shape.isNullable(column)
              ? isNull(column, random.nextBoolean())
              : compare(column, operator, value(random, shape, column));
      case 0 -> compare(column, operator, value(random, shape, column));
      case 1 -> in(column, values(random, shape, column, 2 + random.nextInt(3)));
      case 2 -> rowValue(operator, from, rowValues(random, shape, from, columns, 1));
      case 3 ->
          rowIn(from, columns, rowValues(random, shape, from, columns, 2 + random.nextInt(2)));
      default -> between(column, value(random, shape, column), value(random, shape, column));
    };
  }

  private static Object value(Random random, Shape shape, int column) {
    List<?> values = shape.values(column);
    return values.get(random.nextInt(values.size()));
  }

  private static Object[] values(Random random, Shape shape, int column, int count) {
    return IntStream.range(0, count).mapToObj(i -> value(random, shape, column)).toArray();
  }

  private static Object[] rowValues(Random random, Shape shape, int from, int columns, int count) {
    return IntStream.range(0, columns * count)
        .mapToObj(i -> value(random, shape, from + i % columns))
        .toArray();
  }
}
