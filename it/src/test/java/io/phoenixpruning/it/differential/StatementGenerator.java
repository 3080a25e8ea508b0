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
package io.phoenixpruning.it.differential;

import io.phoenixpruning.it.differential.KeyCondition.Constant;
import io.phoenixpruning.it.differential.Trial.Verdict;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates a random table, and random statements on this table. The statements are of kinds for
 * which Phoenix 5.2.1 often returns wrong rows. They have row values, and conditions on several key
 * columns, some of which are descending or nullable.
 */
final class StatementGenerator {

  private final Random random;
  private final KeyTable table;
  private final KeyConditionGenerator conditions;

  StatementGenerator(String name, Random random) {
    this.random = random;
    this.table = new KeyTableGenerator(random).table(name);
    this.conditions = new KeyConditionGenerator(random, table);
  }

  KeyTable table() {
    return table;
  }

  /** Generates the next statement. */
  Trial trial() {
    KeyCondition where = conditions.condition(2);
    if (isOpen(where)) {
      return rows(where);
    }
    return switch (random.nextInt(26)) {
      case 0, 1 ->
          delete(
              random.nextInt(4) == 0
                  // With a scalar subquery, the rows that Phoenix deletes are random.
                  ? KeyCondition.join("AND", where, conditions.inPartners(false))
                  : where);
      case 2 -> upsertSelect(where);
      case 3 -> upsertValues();
      case 4, 5 -> ordered(where);
      case 6 ->
          aggregate(
              random.nextBoolean()
                  ? KeyCondition.join("AND", where, conditions.inPartners(true))
                  : where);
      case 7, 14 -> grouped(where);
      case 8, 15 -> groupedByFunction(where);
      case 9 -> distinct(where);
      case 10 -> limited(where);
      case 11 -> joined(where);
      case 12 -> joinedAggregate(where);
      case 13 -> rows(KeyCondition.join("AND", where, conditions.inPartners(true)));
      default -> rows(where);
    };
  }

  /**
   * Returns whether it is open which rows match, because of nulls in row values. In this case, only
   * queries of rows can be judged. Aggregates and changes have several right results.
   */
  private boolean isOpen(KeyCondition where) {
    return table.rows().stream()
        .map(where.evaluator())
        .anyMatch(truth -> truth.canBeTrue() && !truth.mustBeTrue());
  }

  private boolean ofView() {
    return table.viewFrom() != null && random.nextBoolean();
  }

  private String from(boolean view) {
    return view ? table.view() : table.name();
  }

  private String hint(KeyCondition where) {
    return switch (random.nextInt(10)) {
      case 0 -> "/*+ NO_INDEX */ ";
      case 1 -> "/*+ SKIP_SCAN */ ";
      case 2 -> "/*+ RANGE_SCAN */ ";
      case 3, 4, 5, 6 -> indexHint(where);
      default -> "";
    };
  }

  private String indexHint(KeyCondition where) {
    boolean isGlobal = table.index() != null && !table.index().contains("LOCAL");
    // Phoenix refuses most subqueries with a hint to a global index that lacks a column.
    return table.index() == null || isGlobal && where.sql().contains("SELECT")
        ? ""
        : "/*+ INDEX(" + table.name() + " " + table.indexName() + ") */ ";
  }

  private List<List<Object>> matching(KeyCondition where, boolean view, Predicate<Truth> truth) {
    return table.rows().stream()
        .filter(row -> !view || isInView(row))
        .filter(row -> truth.test(where.evaluator().apply(row)))
        .toList();
  }

  private List<List<Object>> matching(KeyCondition where, boolean view) {
    return matching(where, view, Truth::isTrue);
  }

  private boolean isInView(List<Object> row) {
    Object v = row.get(table.v().position());
    return v != null && KeyType.compare(v, BigDecimal.valueOf(table.viewFrom())) >= 0;
  }

  private Trial rows(KeyCondition where) {
    boolean view = ofView();
    List<RandomKeyColumn> columns = Choices.some(random, table.columns());
    List<List<Object>> expected = RowLists.project(matching(where, view), columns);
    List<List<Object>> must = RowLists.project(matching(where, view, Truth::mustBeTrue), columns);
    List<List<Object>> may = RowLists.project(matching(where, view, Truth::canBeTrue), columns);
    return Trial.query(
        "SELECT " + hint(where) + names(columns) + " FROM " + from(view) + " WHERE " + where.sql(),
        where.binds(),
        types(columns),
        rows ->
            RowLists.sorted(rows).equals(RowLists.sorted(expected))
                ? Verdict.RIGHT
                : isBetween(RowLists.stripped(rows), must, may) ? Verdict.ALLOWED : Verdict.WRONG);
  }

  private static boolean isBetween(
      List<List<Object>> rows, List<List<Object>> must, List<List<Object>> may) {
    List<List<Object>> missing = new ArrayList<>(must);
    rows.forEach(missing::remove);
    List<List<Object>> allowed = new ArrayList<>(may);
    return missing.isEmpty() && rows.stream().allMatch(allowed::remove);
  }

  private static Verdict judge(boolean isRight) {
    return isRight ? Verdict.RIGHT : Verdict.WRONG;
  }

  private Trial query(
      String sql, KeyCondition where, List<String> types, List<List<Object>> expected) {
    return Trial.query(
        sql,
        where.binds(),
        types,
        rows -> judge(RowLists.sorted(rows).equals(RowLists.sorted(expected))));
  }

  private static List<String> types(List<RandomKeyColumn> columns) {
    return columns.stream().map(column -> column.type().sqlType()).toList();
  }

  private Trial ordered(KeyCondition where) {
    boolean view = ofView();
    List<RandomKeyColumn> order = new ArrayList<>(table.keys());
    if (random.nextBoolean()) {
      order.add(0, Choices.pick(random, table.columns()));
    }
    if (random.nextInt(3) == 0) {
      order.add(0, order.remove(random.nextInt(order.size())));
    }
    boolean backwards = random.nextInt(3) == 0;
    List<String> terms = new ArrayList<>();
    Comparator<List<Object>> comparator = (one, other) -> 0;
    if (random.nextInt(3) == 0) {
      KeyFunction function = conditions.function(conditions.columnOfFunction());
      boolean descending = random.nextBoolean();
      terms.add(function.sql() + orderOf(descending));
      comparator = comparator(function.evaluator(), descending);
    }
    for (RandomKeyColumn column : order.stream().distinct().toList()) {
      boolean descending = column.descending() != backwards;
      terms.add(column.name() + orderOf(descending));
      comparator =
          comparator.thenComparing(comparator(row -> row.get(column.position()), descending));
    }
    int limit = random.nextBoolean() ? 1 + random.nextInt(30) : Integer.MAX_VALUE;
    List<List<Object>> expected =
        RowLists.project(
            matching(where, view).stream().sorted(comparator).limit(limit).toList(), table.keys());
    String sql =
        "SELECT "
            + hint(where)
            + table.keyNames()
            + " FROM "
            + from(view)
            + " WHERE "
            + where.sql()
            + " ORDER BY "
            + String.join(", ", terms)
            + (limit == Integer.MAX_VALUE ? "" : " LIMIT " + limit);
    return Trial.ordered(
        sql,
        where.binds(),
        types(table.keys()),
        rows -> judge(RowLists.stripped(rows).equals(RowLists.stripped(expected))));
  }

  private static String orderOf(boolean descending) {
    return descending ? " DESC NULLS LAST" : " ASC NULLS FIRST";
  }

  private static Comparator<List<Object>> comparator(
      Function<List<Object>, Object> value, boolean descending) {
    Comparator<List<Object>> ascending =
        Comparator.comparing(value, Comparator.nullsFirst(KeyType::compare));
    return descending ? ascending.reversed() : ascending;
  }

  private Trial limited(KeyCondition where) {
    boolean view = ofView();
    int limit = 1 + random.nextInt(30);
    String sql =
        "SELECT "
            + hint(where)
            + table.keyNames()
            + " FROM "
            + from(view)
            + " WHERE "
            + where.sql()
            + " LIMIT "
            + limit;
    List<List<Object>> matching = RowLists.project(matching(where, view), table.keys());
    return Trial.limited(
        sql,
        where.binds(),
        types(table.keys()),
        rows ->
            judge(
                rows.size() == Math.min(limit, matching.size())
                    && isBetween(RowLists.stripped(rows), List.of(), matching)));
  }

  private Trial aggregate(KeyCondition where) {
    boolean view = ofView();
    RandomKeyColumn column = Choices.pick(random, table.keys());
    List<List<Object>> matching = matching(where, view);
    List<Object> values =
        matching.stream().map(row -> row.get(column.position())).filter(Objects::nonNull).toList();
    List<Object> expected = new ArrayList<>();
    expected.add(count(matching.size()));
    expected.add(count(values.size()));
    expected.add(values.stream().min(KeyType::compare).orElse(null));
    expected.add(values.stream().max(KeyType::compare).orElse(null));
    String name = column.name();
    return query(
        "SELECT "
            + hint(where)
            + "COUNT(*), COUNT("
            + name
            + "), MIN("
            + name
            + "), MAX("
            + name
            + ") FROM "
            + from(view)
            + " WHERE "
            + where.sql(),
        where,
        List.of("BIGINT", "BIGINT", column.type().sqlType(), column.type().sqlType()),
        List.of(expected));
  }

  private Trial grouped(KeyCondition where) {
    if (random.nextBoolean()) {
      return grouped(where, List.of(KeyFunction.none(Choices.pick(random, table.columns()))));
    }
    // Many rows match, so that groups by the first key column span regions.
    KeyCondition either = KeyCondition.join("OR", where, conditions.condition(1));
    return grouped(isOpen(either) ? where : either, List.of(KeyFunction.none(table.keys().get(0))));
  }

  private Trial groupedByFunction(KeyCondition where) {
    RandomKeyColumn column = conditions.columnOfFunction();
    List<KeyFunction> by = new ArrayList<>(List.of(conditions.function(column)));
    RandomKeyColumn other = Choices.pick(random, table.columns());
    if (!other.equals(column)) {
      by.add(random.nextInt(2), KeyFunction.none(other));
    }
    return grouped(where, by);
  }

  private Trial grouped(KeyCondition where, List<KeyFunction> by) {
    boolean view = ofView();
    Map<List<Object>, Integer> groups = new LinkedHashMap<>();
    for (List<Object> row : matching(where, view)) {
      List<Object> group = new ArrayList<>();
      by.forEach(function -> group.add(function.evaluator().apply(row)));
      groups.merge(group, 1, Integer::sum);
    }
    List<List<Object>> expected = new ArrayList<>();
    groups.forEach(
        (group, size) -> {
          List<Object> row = new ArrayList<>(group);
          row.add(count(size));
          expected.add(row);
        });
    String names = by.stream().map(KeyFunction::sql).collect(Collectors.joining(", "));
    return query(
        "SELECT "
            + hint(where)
            + names
            + ", COUNT(*) FROM "
            + from(view)
            + " WHERE "
            + where.sql()
            + " GROUP BY "
            + names,
        where,
        Stream.concat(by.stream().map(function -> function.type().sqlType()), Stream.of("BIGINT"))
            .toList(),
        expected);
  }

  private Trial distinct(KeyCondition where) {
    boolean view = ofView();
    List<RandomKeyColumn> columns =
        random.nextBoolean()
            ? Choices.some(random, table.columns())
            : List.of(
                Choices.pick(
                    random,
                    random.nextBoolean()
                        ? List.of(table.v(), table.w(), table.u())
                        : table.columns()));
    return query(
        "SELECT "
            + hint(where)
            + "DISTINCT "
            + names(columns)
            + " FROM "
            + from(view)
            + " WHERE "
            + where.sql(),
        where,
        types(columns),
        RowLists.project(matching(where, view), columns).stream().distinct().toList());
  }

  private Trial joined(KeyCondition where) {
    boolean view = ofView();
    boolean left = random.nextInt(3) == 0;
    boolean byDate = random.nextInt(3) == 0;
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : matching(where, view)) {
      List<List<Object>> partners = partners(row, byDate);
      for (List<Object> partner : partners) {
        expected.add(joined(row, partner.get(0)));
      }
      if (left && partners.isEmpty()) {
        expected.add(joined(row, null));
      }
    }
    return query(
        "SELECT "
            + joinHint(where)
            + table.keyNames()
            + ", U, ID FROM "
            + join(view, left, byDate)
            + " WHERE "
            + where.sql(),
        where,
        Stream.concat(types(table.keys()).stream(), Stream.of("DATE", "INTEGER")).toList(),
        expected);
  }

  private List<Object> joined(List<Object> row, Object id) {
    List<Object> joined = new ArrayList<>(table.keyOf(row));
    joined.add(row.get(table.u().position()));
    joined.add(id);
    return joined;
  }

  private Trial joinedAggregate(KeyCondition where) {
    boolean view = ofView();
    boolean byDate = random.nextInt(3) == 0;
    boolean ofText = random.nextInt(4) > 0;
    int count = 0;
    List<Object> ids = new ArrayList<>();
    List<Object> texts = new ArrayList<>();
    for (List<Object> row : matching(where, view)) {
      for (List<Object> partner : partners(row, byDate)) {
        count++;
        ids.add(partner.get(0));
        texts.add(row.get(table.w().position()));
      }
    }
    List<Object> expected = new ArrayList<>();
    expected.add(count(count));
    expected.add(greatest(ids));
    List<String> types = new ArrayList<>(List.of("BIGINT", "INTEGER"));
    if (ofText) {
      expected.add(greatest(texts));
      types.add(table.w().type().sqlType());
    }
    return query(
        "SELECT "
            + joinHint(where)
            + "COUNT(*), MAX(ID)"
            + (ofText ? ", MAX(W)" : "")
            + " FROM "
            + join(view, false, byDate)
            + " WHERE "
            + where.sql(),
        where,
        types,
        List.of(expected));
  }

  /** Returns the greatest value, or null if there is no value that is not null. */
  private static Object greatest(List<Object> values) {
    return values.stream().filter(Objects::nonNull).max(KeyType::compare).orElse(null);
  }

  private String joinHint(KeyCondition where) {
    String hint = random.nextInt(4) > 0 ? indexHint(where) : hint(where);
    return random.nextInt(3) > 0
        ? hint
        : hint.startsWith("/*+ INDEX")
            ? hint.replace(" */", " USE_SORT_MERGE_JOIN */")
            : "/*+ USE_SORT_MERGE_JOIN */ ";
  }

  private String join(boolean view, boolean left, boolean byDate) {
    String relation = from(view);
    return relation
        + (left ? " LEFT" : "")
        + " JOIN "
        + table.partner()
        + " ON "
        + relation
        + (byDate ? ".U = " : ".V = ")
        + table.partner()
        + (byDate ? ".Y" : ".X");
  }

  /** Returns the rows of the partner table that {@code row} joins. */
  private List<List<Object>> partners(List<Object> row, boolean byDate) {
    Object value = row.get((byDate ? table.u() : table.v()).position());
    return value == null
        ? List.of()
        : table.partners().stream()
            .filter(partner -> value.equals(partner.get(byDate ? 2 : 1)))
            .toList();
  }

  private Trial delete(KeyCondition where) {
    return change(
        "DELETE " + hint(where) + "FROM " + table.name() + " WHERE " + where.sql(),
        where,
        table.rows().stream().filter(row -> !where.evaluator().apply(row).isTrue()).toList());
  }

  private Trial upsertSelect(KeyCondition where) {
    Object value = Choices.pick(random, KeyTable.V.samples());
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      List<Object> changed = new ArrayList<>(row);
      if (where.evaluator().apply(row).isTrue()) {
        changed.set(table.v().position(), value);
      }
      expected.add(changed);
    }
    // An immutable row is one cell, so a column that is not copied becomes null.
    boolean all = table.isImmutable();
    String copied =
        Stream.concat(
                table.keys().stream(),
                Stream.of(table.w(), table.u()).filter(column -> all || random.nextBoolean()))
            .map(RandomKeyColumn::name)
            .collect(Collectors.joining(", "));
    return change(
        "UPSERT "
            + hint(where)
            + "INTO "
            + table.name()
            + " ("
            + copied
            + ", V) SELECT "
            + copied
            + ", "
            + value
            + " FROM "
            + table.name()
            + " WHERE "
            + where.sql(),
        where,
        expected);
  }

  private Trial upsertValues() {
    List<Object> row = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<Object> binds = new ArrayList<>();
    for (RandomKeyColumn column : table.columns()) {
      Constant constant = conditions.constant(column);
      row.add(constant.value());
      texts.add(constant.sql());
      binds.addAll(constant.binds());
    }
    List<List<Object>> expected = new ArrayList<>(table.rows());
    expected.removeIf(other -> table.keyOf(other).equals(table.keyOf(row)));
    expected.add(row);
    return Trial.change(
        "UPSERT INTO " + table.name() + " VALUES (" + String.join(", ", texts) + ")",
        binds,
        random.nextBoolean(),
        1,
        rows -> judge(RowLists.sorted(rows).equals(RowLists.sorted(expected))));
  }

  private Trial change(String sql, KeyCondition where, List<List<Object>> expected) {
    return Trial.change(
        sql,
        where.binds(),
        random.nextBoolean(),
        (int) table.rows().stream().filter(row -> where.evaluator().apply(row).isTrue()).count(),
        rows -> judge(RowLists.sorted(rows).equals(RowLists.sorted(expected))));
  }

  private static BigDecimal count(int count) {
    return KeyType.number(BigDecimal.valueOf(count));
  }

  private static String names(List<RandomKeyColumn> columns) {
    return columns.stream().map(RandomKeyColumn::name).collect(Collectors.joining(", "));
  }
}
