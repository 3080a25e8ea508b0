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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Generates random conditions on a table. */
final class KeyConditionGenerator {

  private final Random random;
  private final KeyTable table;

  KeyConditionGenerator(Random random, KeyTable table) {
    this.random = random;
    this.table = table;
  }

  /** Generates a condition with at most {@code depth} levels of nested conditions. */
  KeyCondition condition(int depth) {
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
        return simple(Choices.pick(random, List.of(table.v(), table.w(), table.u())));
      default:
        return ofKey();
    }
  }

  private KeyCondition ofKey() {
    List<RandomKeyColumn> keys = table.keys();
    List<RandomKeyColumn> comparable = keys.stream().filter(key -> !key.type().isBytes()).toList();
    if (comparable.size() > 1 && random.nextInt(5) < 2) {
      int count = Math.min(comparable.size(), 2 + random.nextInt(2));
      int from = random.nextInt(comparable.size() - count + 1);
      List<RandomKeyColumn> columns = comparable.subList(from, from + count);
      if (random.nextBoolean()) {
        return KeyCondition.rowValue(
            columns,
            Choices.pick(random, KeyCondition.OPERATORS.subList(0, 5)),
            constants(columns));
      }
      return KeyCondition.rowIn(
          columns,
          IntStream.range(0, 2 + random.nextInt(2)).mapToObj(i -> constants(columns)).toList());
    }
    return simple(Choices.pick(random, keys));
  }

  /** Generates a long IN list, or an OR of many conditions. */
  private KeyCondition list() {
    int length = 8 + random.nextInt(40);
    if (random.nextBoolean()) {
      RandomKeyColumn column = Choices.pick(random, table.columns());
      return KeyCondition.in(
          column,
          random.nextInt(6) == 0,
          Stream.generate(() -> constant(column)).limit(length).toList());
    }
    RandomKeyColumn one = Choices.pick(random, table.columns());
    RandomKeyColumn other = Choices.pick(random, table.keys());
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

  /** Generates a condition with an expression of a column. */
  private KeyCondition expression() {
    RandomKeyColumn column = Choices.pick(random, table.columns());
    String operator = Choices.pick(random, KeyCondition.OPERATORS.subList(0, 5));
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
                  : ((String) Choices.pick(random, column.type().samples())).substring(0, 1));
    };
  }

  /** Compares {@code column} with another one of its type, if there is one. */
  private KeyCondition columns(RandomKeyColumn column, String operator) {
    List<RandomKeyColumn> others =
        table.columns().stream()
            .filter(other -> !other.equals(column) && other.type() == column.type())
            .toList();
    return others.isEmpty() || column.type().isBytes()
        ? simple(column)
        : KeyCondition.compare(column, operator, Choices.pick(random, others));
  }

  private Constant literal(RandomKeyColumn column) {
    Object value = Choices.pick(random, column.type().samples());
    return new Constant(value, column.type().literal(value), List.of());
  }

  private KeyCondition simple(RandomKeyColumn column) {
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

  private KeyCondition compare(RandomKeyColumn column) {
    if (column.type() == KeyType.TINYINT && random.nextInt(3) == 0) {
      return beyondTheValues(column);
    }
    return KeyCondition.compare(
        column, Choices.pick(random, KeyCondition.OPERATORS), constant(column));
  }

  /**
   * Generates a condition that no value of the type can meet, such as greater than the greatest
   * value.
   */
  private KeyCondition beyondTheValues(RandomKeyColumn column) {
    boolean above = random.nextBoolean();
    List<Object> values = column.type().samples();
    Object bound =
        above
            ? Collections.max(values, KeyType::compare)
            : Collections.min(values, KeyType::compare);
    return KeyCondition.compare(
        column, above ? ">" : "<", new Constant(bound, column.type().literal(bound), List.of()));
  }

  /** Returns a condition with a subquery: an IN or, if {@code mayBeScalar}, a comparison. */
  KeyCondition inPartners(boolean mayBeScalar) {
    List<RandomKeyColumn> columns =
        table.columns().stream()
            .filter(column -> column.type() == KeyType.INTEGER || column.type() == KeyType.DATE)
            .toList();
    RandomKeyColumn column = Choices.pick(random, columns);
    boolean isDate = column.type() == KeyType.DATE;
    String selected = isDate ? "Y" : "X";
    int below = random.nextInt(7);
    List<Object> values =
        table.partners().subList(0, below).stream()
            .map(partner -> partner.get(isDate ? 2 : 1))
            .filter(Objects::nonNull)
            .toList();
    boolean max = mayBeScalar && random.nextInt(3) == 0;
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

  /** Picks a text column or a date column for a function, preferably a key column. */
  RandomKeyColumn columnOfFunction() {
    List<RandomKeyColumn> columns =
        table.columns().stream()
            .filter(each -> each.type() == KeyType.VARCHAR || each.type() == KeyType.DATE)
            .toList();
    List<RandomKeyColumn> keys = columns.stream().filter(table.keys()::contains).toList();
    boolean ofKey = !keys.isEmpty() && random.nextInt(4) > 0;
    return Choices.pick(random, ofKey ? keys : columns);
  }

  /** Returns a function of {@code column}, which is a text or a date. */
  KeyFunction function(RandomKeyColumn column) {
    return column.type() == KeyType.DATE
        ? KeyFunction.hour(column, random.nextBoolean() ? "FLOOR" : "TRUNC")
        : KeyFunction.prefix(column, 1 + random.nextInt(2));
  }

  private List<Constant> constants(List<RandomKeyColumn> columns) {
    return columns.stream().map(this::constant).toList();
  }

  Constant constant(RandomKeyColumn column) {
    Object value = Choices.pick(random, column.type().samples());
    // Phoenix encodes literals and parameters differently for a descending DECIMAL with a scale.
    boolean differs = column.type() == KeyType.SCALED && column.descending();
    String literal = differs || random.nextInt(4) == 0 ? null : column.type().literal(value);
    return literal == null
        ? new Constant(value, "?", List.of(column.type().toJdbc(value)))
        : new Constant(value, literal, List.of());
  }
}
