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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.plan.PruningOptions;

/**
 * Makes a random table, and random statements on it. They are of the kinds that Phoenix 5.2.1 often
 * gets wrong: conditions on several key columns, with descending and nullable ones among them, and
 * row values.
 */
final class StatementGenerator {

  private static final Comparator<List<Object>> BY_TEXT = Comparator.comparing(List::toString);

  private final Random random;
  private final KeyTable table;

  StatementGenerator(String name, Random random) {
    this.random = random;
    this.table = table(name);
  }

  KeyTable table() {
    return table;
  }

  private KeyTable table(String name) {
    int count = random.nextInt(4) == 0 ? 2 : random.nextInt(5) == 0 ? 4 : 3;
    List<KeyColumn> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key(i, i == count - 1));
    }
    List<String> properties = new ArrayList<>();
    boolean salted = random.nextInt(5) == 0;
    if (salted) {
      properties.add("SALT_BUCKETS=4");
    }
    if (random.nextInt(6) == 0) {
      properties.add("IMMUTABLE_ROWS=true");
    } else if (random.nextInt(4) == 0) {
      properties.add("COLUMN_ENCODED_BYTES=0");
    }
    boolean immutable = properties.contains("IMMUTABLE_ROWS=true");
    String index = immutable ? null : index(name, keys);
    if (random.nextInt(4) == 0 && (index == null || !index.contains("LOCAL"))) {
      // The client's patches alone must not break a query that Phoenix answers correctly. Along a
      // local index, Phoenix's server returns wrong rows, and the client may choose it more often.
      properties.add("\"" + PruningOptions.PATCHES + "\"='none'");
    }
    return new KeyTable(
        name,
        keys,
        properties.isEmpty() ? "" : " " + String.join(", ", properties),
        index,
        random.nextInt(4) == 0 ? random.nextInt(4) : null,
        salted ? 0 : random.nextInt(4),
        random.nextInt(6) == 0,
        rows(keys),
        partners());
  }

  private KeyColumn key(int i, boolean last) {
    KeyType type =
        random.nextInt(3) > 0
            ? pick(List.of(KeyType.INTEGER, KeyType.INTEGER, KeyType.VARCHAR))
            : pick(List.of(KeyType.values()));
    if (type == KeyType.VARBINARY && !last) {
      type = KeyType.VARCHAR;
    }
    boolean nullable = type.isVariable() && !type.isBytes() && random.nextBoolean();
    boolean descending = !type.isBytes() && random.nextInt(5) < 2;
    return new KeyColumn("K" + (i + 1), type, nullable, descending, i);
  }

  private String index(String name, List<KeyColumn> keys) {
    String on = "INDEX " + name + "_I ON " + name;
    String first = keys.get(0).name();
    return switch (random.nextInt(11)) {
      case 0 -> "CREATE " + on + " (V) INCLUDE (W)";
      case 5 -> "CREATE LOCAL " + on + " (U)";
      case 6 -> "CREATE LOCAL " + on + " (W DESC, U)";
      case 7 -> "CREATE " + on + " (U) INCLUDE (V)";
      case 1 -> "CREATE " + on + " (V DESC, " + keys.get(keys.size() - 1).name() + ")";
      case 2 -> "CREATE LOCAL " + on + " (V)";
      case 3 -> "CREATE LOCAL " + on + " (V DESC) INCLUDE (W)";
      case 4 ->
          "CREATE LOCAL " + on + (keys.get(0).type().isBytes() ? " (W)" : " (" + first + ", V)");
      default -> null;
    };
  }

  private List<List<Object>> rows(List<KeyColumn> keys) {
    Map<List<Object>, List<Object>> rows = new LinkedHashMap<>();
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 220);
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      for (KeyColumn key : keys) {
        row.add(key.nullable() && random.nextInt(6) == 0 ? null : pick(key.type().samples()));
      }
      List<Object> key = List.copyOf(row.stream().map(String::valueOf).toList());
      if (row.stream().allMatch(Objects::isNull)) {
        continue;
      }
      row.add(random.nextInt(8) == 0 ? null : pick(KeyTable.V.samples()));
      row.add(random.nextInt(8) == 0 ? null : pick(KeyTable.W.samples()));
      row.add(random.nextInt(8) == 0 ? null : pick(KeyTable.U.samples()));
      rows.putIfAbsent(key, row);
    }
    return new ArrayList<>(rows.values());
  }

  private List<List<Object>> partners() {
    List<List<Object>> partners = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<Object> partner = new ArrayList<>();
      partner.add(KeyType.number(BigDecimal.valueOf(i)));
      // Phoenix joins null with null, which is not mended.
      partner.add(pick(KeyTable.V.samples()));
      partner.add(pick(KeyTable.U.samples()));
      partners.add(partner);
    }
    return partners;
  }

  /** Makes the next statement. */
  Trial trial() {
    KeyCondition where = condition(2);
    if (isOpen(where)) {
      return rows(where);
    }
    return switch (random.nextInt(24)) {
      case 0, 1 ->
          delete(random.nextInt(4) == 0 ? KeyCondition.join("AND", where, inPartners()) : where);
      case 2 -> upsertSelect(where);
      case 3 -> upsertValues();
      case 4, 5 -> ordered(where);
      case 6 ->
          aggregate(random.nextBoolean() ? KeyCondition.join("AND", where, inPartners()) : where);
      case 7 -> grouped(where);
      case 8 -> groupedByFunction(where);
      case 9 -> distinct(where);
      case 10 -> limited(where);
      case 11 -> joined(where);
      case 12 -> joinedAggregate(where);
      case 13 -> rows(KeyCondition.join("AND", where, inPartners()));
      default -> rows(where);
    };
  }

  /**
   * Returns whether nulls in row values decide which rows match. Only rows themselves can be judged
   * then: no aggregate and no change is the only right one.
   */
  private boolean isOpen(KeyCondition where) {
    return table.rows().stream()
        .map(where.of())
        .anyMatch(truth -> truth.canBeTrue() && !truth.mustBeTrue());
  }

  private boolean ofView() {
    return table.viewFrom() != null && random.nextBoolean();
  }

  private String from(boolean view) {
    return view ? table.view() : table.name();
  }

  private String hint() {
    return switch (random.nextInt(10)) {
      case 0 -> "/*+ NO_INDEX */ ";
      case 1 -> "/*+ SKIP_SCAN */ ";
      case 2 -> "/*+ RANGE_SCAN */ ";
      case 3, 4, 5, 6 -> indexHint();
      default -> "";
    };
  }

  private String indexHint() {
    return table.index() == null
        ? ""
        : "/*+ INDEX(" + table.name() + " " + table.indexName() + ") */ ";
  }

  private List<List<Object>> matching(KeyCondition where, boolean view, Predicate<Truth> truth) {
    return table.rows().stream()
        .filter(row -> !view || isInView(row))
        .filter(row -> truth.test(where.of().apply(row)))
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
    List<KeyColumn> columns = some(table.columns());
    List<List<Object>> expected = project(matching(where, view), columns);
    List<List<Object>> must = project(matching(where, view, Truth::mustBeTrue), columns);
    List<List<Object>> may = project(matching(where, view, Truth::canBeTrue), columns);
    return new Trial(
        "SELECT " + hint() + names(columns) + " FROM " + from(view) + " WHERE " + where.sql(),
        where.binds(),
        false,
        false,
        null,
        types(columns),
        rows ->
            sorted(rows).equals(sorted(expected))
                ? Verdict.RIGHT
                : isBetween(stripped(rows), must, may) ? Verdict.ALLOWED : Verdict.WRONG);
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
      String sql,
      KeyCondition where,
      boolean view,
      List<String> types,
      List<List<Object>> expected) {
    return new Trial(
        sql,
        where.binds(),
        false,
        false,
        null,
        types,
        rows -> judge(sorted(rows).equals(sorted(expected))));
  }

  private static List<String> types(List<KeyColumn> columns) {
    return columns.stream().map(column -> column.type().sqlType()).toList();
  }

  private Trial ordered(KeyCondition where) {
    boolean view = ofView();
    List<KeyColumn> order = new ArrayList<>(table.keys());
    if (random.nextBoolean()) {
      order.add(0, pick(table.columns()));
    }
    if (random.nextInt(3) == 0) {
      order.add(0, order.remove(random.nextInt(order.size())));
    }
    boolean backwards = random.nextInt(3) == 0;
    List<String> terms = new ArrayList<>();
    Comparator<List<Object>> comparator = (one, other) -> 0;
    for (KeyColumn column : order.stream().distinct().toList()) {
      boolean descending = column.descending() != backwards;
      terms.add(column.name() + (descending ? " DESC NULLS LAST" : " ASC NULLS FIRST"));
      Comparator<List<Object>> of =
          Comparator.comparing(
              row -> row.get(column.position()), Comparator.nullsFirst(KeyType::compare));
      comparator = comparator.thenComparing(descending ? of.reversed() : of);
    }
    int limit = random.nextBoolean() ? 1 + random.nextInt(30) : Integer.MAX_VALUE;
    List<List<Object>> expected =
        project(
            matching(where, view).stream().sorted(comparator).limit(limit).toList(), table.keys());
    String sql =
        "SELECT "
            + hint()
            + table.keyNames()
            + " FROM "
            + from(view)
            + " WHERE "
            + where.sql()
            + " ORDER BY "
            + String.join(", ", terms)
            + (limit == Integer.MAX_VALUE ? "" : " LIMIT " + limit);
    return new Trial(
        sql,
        where.binds(),
        true,
        false,
        null,
        types(table.keys()),
        rows -> judge(stripped(rows).equals(stripped(expected))));
  }

  private Trial limited(KeyCondition where) {
    boolean view = ofView();
    int limit = 1 + random.nextInt(30);
    String sql =
        "SELECT "
            + hint()
            + table.keyNames()
            + " FROM "
            + from(view)
            + " WHERE "
            + where.sql()
            + " LIMIT "
            + limit;
    List<List<Object>> matching = project(matching(where, view), table.keys());
    return new Trial(
        sql,
        where.binds(),
        false,
        true,
        null,
        types(table.keys()),
        rows ->
            judge(
                rows.size() == Math.min(limit, matching.size())
                    && isBetween(stripped(rows), List.of(), matching)));
  }

  private Trial aggregate(KeyCondition where) {
    boolean view = ofView();
    KeyColumn column = pick(table.keys());
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
            + hint()
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
        view,
        List.of("BIGINT", "BIGINT", column.type().sqlType(), column.type().sqlType()),
        List.of(expected));
  }

  private Trial grouped(KeyCondition where) {
    return grouped(where, List.of(KeyFunction.none(pick(table.columns()))));
  }

  private Trial groupedByFunction(KeyCondition where) {
    KeyColumn column =
        pick(
            table.columns().stream()
                .filter(each -> each.type() == KeyType.VARCHAR || each.type() == KeyType.DATE)
                .toList());
    List<KeyFunction> by = new ArrayList<>(List.of(function(column)));
    KeyColumn other = pick(table.columns());
    if (!other.equals(column)) {
      by.add(random.nextInt(2), KeyFunction.none(other));
    }
    return grouped(where, by);
  }

  private KeyFunction function(KeyColumn column) {
    return column.type() == KeyType.DATE
        ? KeyFunction.hour(column, random.nextBoolean() ? "FLOOR" : "TRUNC")
        : KeyFunction.prefix(column, 1 + random.nextInt(2));
  }

  private Trial grouped(KeyCondition where, List<KeyFunction> by) {
    boolean view = ofView();
    Map<List<Object>, Integer> groups = new LinkedHashMap<>();
    for (List<Object> row : matching(where, view)) {
      List<Object> group = new ArrayList<>();
      by.forEach(function -> group.add(function.of().apply(row)));
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
            + hint()
            + names
            + ", COUNT(*) FROM "
            + from(view)
            + " WHERE "
            + where.sql()
            + " GROUP BY "
            + names,
        where,
        view,
        Stream.concat(by.stream().map(function -> function.type().sqlType()), Stream.of("BIGINT"))
            .toList(),
        expected);
  }

  private Trial distinct(KeyCondition where) {
    boolean view = ofView();
    List<KeyColumn> columns =
        random.nextBoolean() ? some(table.columns()) : List.of(pick(table.columns()));
    return query(
        "SELECT "
            + hint()
            + "DISTINCT "
            + names(columns)
            + " FROM "
            + from(view)
            + " WHERE "
            + where.sql(),
        where,
        view,
        types(columns),
        project(matching(where, view), columns).stream().distinct().toList());
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
            + joinHint()
            + table.keyNames()
            + ", U, ID FROM "
            + join(view, left, byDate)
            + " WHERE "
            + where.sql(),
        where,
        view,
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
    int count = 0;
    List<Object> values = new ArrayList<>();
    for (List<Object> row : matching(where, view)) {
      for (List<Object> partner : partners(row, byDate)) {
        count++;
        values.add(partner.get(0));
      }
    }
    List<Object> expected = new ArrayList<>();
    expected.add(count(count));
    expected.add(values.stream().max(KeyType::compare).orElse(null));
    return query(
        "SELECT "
            + joinHint()
            + "COUNT(*), MAX(ID) FROM "
            + join(view, false, byDate)
            + " WHERE "
            + where.sql(),
        where,
        view,
        List.of("BIGINT", "INTEGER"),
        List.of(expected));
  }

  private String joinHint() {
    String hint = random.nextBoolean() ? indexHint() : hint();
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

  /** Returns the rows of the partner that {@code row} is joined with. */
  private List<List<Object>> partners(List<Object> row, boolean byDate) {
    Object value = row.get((byDate ? table.u() : table.v()).position());
    return value == null
        ? List.of()
        : table.partners().stream()
            .filter(partner -> value.equals(partner.get(byDate ? 2 : 1)))
            .toList();
  }

  /** Returns a condition with a subquery. */
  private KeyCondition inPartners() {
    List<KeyColumn> columns =
        table.columns().stream()
            .filter(column -> column.type() == KeyType.INTEGER || column.type() == KeyType.DATE)
            .toList();
    KeyColumn column = pick(columns);
    boolean isDate = column.type() == KeyType.DATE;
    String selected = isDate ? "Y" : "X";
    int below = random.nextInt(7);
    List<Object> values =
        table.partners().subList(0, below).stream()
            .map(partner -> partner.get(isDate ? 2 : 1))
            .filter(Objects::nonNull)
            .toList();
    boolean max = random.nextInt(3) == 0;
    Object greatest = values.stream().max(KeyType::compare).orElse(null);
    return new KeyCondition(
        column.name()
            + (max ? " = (SELECT MAX(" + selected + ")" : " IN (SELECT " + selected)
            + " FROM "
            + table.partner()
            + " WHERE ID < "
            + below
            + ")",
        List.of(),
        row -> {
          Object value = row.get(column.position());
          return value == null || (max && greatest == null)
              ? Truth.NULL
              : Truth.of(max ? value.equals(greatest) : values.contains(value));
        });
  }

  private Trial delete(KeyCondition where) {
    return change(
        "DELETE " + hint() + "FROM " + table.name() + " WHERE " + where.sql(),
        where,
        table.rows().stream().filter(row -> !where.of().apply(row).isTrue()).toList());
  }

  private Trial upsertSelect(KeyCondition where) {
    Object value = pick(KeyTable.V.samples());
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      List<Object> changed = new ArrayList<>(row);
      if (where.of().apply(row).isTrue()) {
        changed.set(table.v().position(), value);
      }
      expected.add(changed);
    }
    // An immutable row is one cell, so what is not copied is null.
    boolean all = table.isImmutable();
    String copied =
        Stream.concat(
                table.keys().stream(),
                Stream.of(table.w(), table.u()).filter(column -> all || random.nextBoolean()))
            .map(KeyColumn::name)
            .collect(Collectors.joining(", "));
    return change(
        "UPSERT "
            + hint()
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
    for (KeyColumn column : table.columns()) {
      Constant constant = constant(column);
      row.add(constant.value());
      texts.add(constant.sql());
      binds.addAll(constant.binds());
    }
    List<List<Object>> expected = new ArrayList<>(table.rows());
    expected.removeIf(other -> table.keyOf(other).equals(table.keyOf(row)));
    expected.add(row);
    return new Trial(
        "UPSERT INTO " + table.name() + " VALUES (" + String.join(", ", texts) + ")",
        binds,
        false,
        false,
        random.nextBoolean(),
        null,
        rows -> judge(sorted(rows).equals(sorted(expected))));
  }

  private Trial change(String sql, KeyCondition where, List<List<Object>> expected) {
    return new Trial(
        sql,
        where.binds(),
        false,
        false,
        random.nextBoolean(),
        null,
        rows -> judge(sorted(rows).equals(sorted(expected))));
  }

  private KeyCondition condition(int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(9);
    if (kind < 2) {
      return predicate();
    }
    if (kind == 8) {
      return random.nextInt(3) == 0 ? KeyCondition.not(condition(depth - 1)) : predicate();
    }
    return KeyCondition.join(kind < 6 ? "AND" : "OR", condition(depth - 1), condition(depth - 1));
  }

  private KeyCondition predicate() {
    switch (random.nextInt(18)) {
      case 0, 1, 2:
        return expression();
      case 3:
        return list();
      case 4, 5:
        return simple(pick(List.of(table.v(), table.w(), table.u())));
      default:
        return ofKey();
    }
  }

  private KeyCondition ofKey() {
    List<KeyColumn> keys = table.keys();
    List<KeyColumn> comparable = keys.stream().filter(key -> !key.type().isBytes()).toList();
    if (comparable.size() > 1 && random.nextInt(5) < 2) {
      int count = Math.min(comparable.size(), 2 + random.nextInt(2));
      int from = random.nextInt(comparable.size() - count + 1);
      List<KeyColumn> columns = comparable.subList(from, from + count);
      if (random.nextBoolean()) {
        return KeyCondition.rowValue(
            columns, pick(KeyCondition.OPERATORS.subList(0, 5)), constants(columns));
      }
      return KeyCondition.rowIn(
          columns,
          IntStream.range(0, 2 + random.nextInt(2)).mapToObj(i -> constants(columns)).toList());
    }
    return simple(pick(keys));
  }

  /** Makes a long list: an IN, or an OR of conditions. */
  private KeyCondition list() {
    int length = 8 + random.nextInt(40);
    if (random.nextBoolean()) {
      KeyColumn column = pick(table.columns());
      return KeyCondition.in(
          column,
          random.nextInt(6) == 0,
          Stream.generate(() -> constant(column)).limit(length).toList());
    }
    KeyColumn one = pick(table.columns());
    KeyColumn other = pick(table.keys());
    KeyCondition list = compare(one);
    for (int i = 1; i < length / 4; i++) {
      KeyCondition term = compare(one);
      list =
          KeyCondition.join(
              "OR",
              list,
              random.nextBoolean() ? term : KeyCondition.join("AND", term, compare(other)));
    }
    return list;
  }

  /** Makes a condition with an expression of a column. */
  private KeyCondition expression() {
    KeyColumn column = pick(table.columns());
    String operator = pick(KeyCondition.OPERATORS.subList(0, 5));
    boolean isText = column.type() == KeyType.VARCHAR;
    boolean hasFunction = isText || column.type() == KeyType.DATE;
    return switch (random.nextInt(isText ? 6 : hasFunction ? 5 : 3)) {
      case 0 -> KeyCondition.caseWhen(condition(1));
      case 1 -> columns(column, operator);
      case 2 ->
          column.type() == KeyType.INTEGER || isText
              ? KeyCondition.array(
                  column,
                  operator,
                  random.nextBoolean(),
                  Stream.generate(() -> literal(column)).limit(1 + random.nextInt(3)).toList())
              : simple(column);
      case 3, 4 -> KeyCondition.function(function(column), operator, constant(column));
      default ->
          KeyCondition.like(
              column,
              random.nextInt(3) == 0,
              random.nextInt(4) == 0
                  ? ""
                  : ((String) pick(column.type().samples())).substring(0, 1));
    };
  }

  /** Compares {@code column} with another one of its type, if there is one. */
  private KeyCondition columns(KeyColumn column, String operator) {
    List<KeyColumn> others =
        table.columns().stream()
            .filter(other -> !other.equals(column) && other.type() == column.type())
            .toList();
    return others.isEmpty() || column.type().isBytes()
        ? simple(column)
        : KeyCondition.compare(column, operator, pick(others));
  }

  private Constant literal(KeyColumn column) {
    Object value = pick(column.type().samples());
    return new Constant(value, column.type().literal(value), List.of());
  }

  private KeyCondition simple(KeyColumn column) {
    return switch (random.nextInt(7)) {
      case 0, 1 ->
          column.nullable() && random.nextBoolean()
              ? KeyCondition.isNull(column, random.nextBoolean())
              : compare(column);
      case 2, 3 ->
          KeyCondition.in(
              column,
              random.nextInt(6) == 0,
              IntStream.range(0, 2 + random.nextInt(3)).mapToObj(i -> constant(column)).toList());
      case 4, 5 -> KeyCondition.between(column, constant(column), constant(column));
      default -> compare(column);
    };
  }

  private KeyCondition compare(KeyColumn column) {
    return KeyCondition.compare(column, pick(KeyCondition.OPERATORS), constant(column));
  }

  private List<Constant> constants(List<KeyColumn> columns) {
    return columns.stream().map(this::constant).toList();
  }

  private Constant constant(KeyColumn column) {
    Object value = pick(column.type().samples());
    // For such a column, Phoenix encodes a literal and a parameter differently.
    boolean differs = column.type() == KeyType.SCALED && column.descending();
    String literal = differs || random.nextInt(4) == 0 ? null : column.type().literal(value);
    return literal == null
        ? new Constant(value, "?", List.of(column.type().toJdbc(value)))
        : new Constant(value, literal, List.of());
  }

  private static BigDecimal count(int count) {
    return KeyType.number(BigDecimal.valueOf(count));
  }

  private static List<List<Object>> project(List<List<Object>> rows, List<KeyColumn> columns) {
    return rows.stream()
        .map(
            row ->
                columns.stream()
                    .map(column -> row.get(column.position()))
                    .collect(Collectors.<Object, List<Object>>toCollection(ArrayList::new)))
        .collect(Collectors.toList());
  }

  static List<List<Object>> sorted(List<List<Object>> rows) {
    return stripped(rows).stream().sorted(BY_TEXT).toList();
  }

  /** Phoenix pads a CHAR that is read from an index. */
  private static List<List<Object>> stripped(List<List<Object>> rows) {
    List<List<Object>> stripped = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(value instanceof String text ? text.stripTrailing() : value);
      }
      stripped.add(values);
    }
    return stripped;
  }

  private List<KeyColumn> some(List<KeyColumn> columns) {
    List<KeyColumn> some = columns.stream().filter(column -> random.nextInt(2) == 0).toList();
    return some.isEmpty() ? columns : some;
  }

  private static String names(List<KeyColumn> columns) {
    return columns.stream().map(KeyColumn::name).collect(Collectors.joining(", "));
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
