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
package io.phoenixpruning.it.fuzz;

import io.phoenixpruning.it.fuzz.ConditionTree.In;
import io.phoenixpruning.it.fuzz.ConditionTree.Junction;
import io.phoenixpruning.it.fuzz.ConditionTree.Leaf;
import io.phoenixpruning.it.fuzz.ConditionTree.Not;
import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import io.phoenixpruning.it.fuzz.ValueType.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Generates random conditions on the columns of a relation, mostly on its key columns. */
final class ConditionTreeGenerator {

  private static final String[] COMPARISONS = {"=", "=", "=", "<", "<=", ">", ">=", "<>"};
  private static final Set<ValueType> LITERAL_ARRAYS =
      EnumSet.of(ValueType.INTEGER, ValueType.VARCHAR, ValueType.CHAR, ValueType.DATE);

  private static final String[] ORDERINGS = {"=", "<", "<=", ">", ">="};

  private final Random random;
  private final Relation relation;

  ConditionTreeGenerator(Random random, Relation relation) {
    this.random = random;
    this.relation = relation;
  }

  /** Returns a conjunction that often has a condition on an indexed value. */
  ConditionTree where() {
    List<ConditionTree> terms = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      terms.add(nest(random.nextInt(3)));
    }
    if (random.nextBoolean()) {
      terms.add(predicate(valueColumn()));
    }
    if (random.nextInt(8) == 0) {
      terms.addAll(page());
    }
    return terms.size() == 1 ? terms.get(0) : new Junction("AND", terms);
  }

  private ConditionTree nest(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return random.nextInt(8) == 0 ? rowValue() : predicate(column());
    }
    if (random.nextInt(4) == 0) {
      return new Not(nest(depth - 1));
    }
    return new Junction(
        random.nextInt(3) == 0 ? "AND" : "OR", List.of(nest(depth - 1), nest(depth - 1)));
  }

  private Column column() {
    return random.nextInt(4) == 0
        ? valueColumn()
        : pick(relation.columns().stream().filter(Column::key).toList(), valueColumn());
  }

  private Column valueColumn() {
    return pick(relation.columns().stream().filter(column -> !column.key()).toList(), null);
  }

  /** Returns a constant for the column, often the value of a row. */
  private Object value(Column column) {
    if (random.nextInt(3) > 0) {
      Object value =
          relation.rows().isEmpty()
              ? null
              : relation
                  .rows()
                  .get(random.nextInt(relation.rows().size()))
                  .get(relation.columns().indexOf(column));
      if (value != null) {
        return value;
      }
    }
    return column.type().random(random);
  }

  private Sql constant(Column column) {
    return constant(column, value(column));
  }

  private Sql constant(Column column, Object value) {
    return column.type().constant(value, random.nextInt(3) == 0);
  }

  /** Returns a constant for a comparison, which is not always a value of an integer column. */
  private Sql compared(Column column) {
    return column.type().kind == Kind.INTEGER && random.nextInt(8) == 0
        ? column.type().inexactConstant(random)
        : constant(column);
  }

  private static Sql number(long number) {
    return Sql.of(Long.toString(number));
  }

  private static Sql name(Column column) {
    return Sql.of(column.name());
  }

  private ConditionTree predicate(Column column) {
    Sql name = name(column);
    if (column.type().kind == Kind.BOOLEAN) {
      return switch (random.nextInt(4)) {
        case 0 -> new Leaf("BOOLEAN column", name);
        case 1 -> new Not(new Leaf("BOOLEAN column", name));
        default -> new Leaf("comparison", Sql.format("{} = {}", name, constant(column)));
      };
    }
    return switch (random.nextInt(14)) {
      case 13 -> caseOf(column);
      case 0, 1, 2 -> comparison(column);
      case 3 ->
          new Leaf(
              "comparison", Sql.format("{} " + pick(ORDERINGS) + " {}", compared(column), name));
      case 4, 5 -> in(column);
      case 6 -> between(column);
      case 7 ->
          column.nullable()
              ? new Leaf(
                  "IS NULL",
                  Sql.format(random.nextBoolean() ? "{} IS NULL" : "{} IS NOT NULL", name))
              : comparison(column);
      case 8 -> caseWhen(column);
      case 9 -> array(column);
      default -> function(column);
    };
  }

  private ConditionTree between(Column column) {
    boolean negated = random.nextInt(4) == 0;
    Sql name = name(column);
    Sql low = compared(column);
    Sql high = compared(column);
    return new Leaf(
        "BETWEEN",
        Sql.format(negated ? "{} NOT BETWEEN {} AND {}" : "{} BETWEEN {} AND {}", name, low, high),
        Sql.format(
            negated ? "({} < {} OR {} > {})" : "({} >= {} AND {} <= {})", name, low, name, high));
  }

  private ConditionTree comparison(Column column) {
    String operator = pick(COMPARISONS);
    Sql name = name(column);
    Sql constant = compared(column);
    return new Leaf(
        "comparison",
        Sql.format("{} " + operator + " {}", name, constant),
        Sql.format("NOT ({} " + opposite(operator) + " {})", name, constant));
  }

  private static String opposite(String operator) {
    return switch (operator) {
      case "=" -> "<>";
      case "<>" -> "=";
      case "<" -> ">=";
      case "<=" -> ">";
      case ">" -> "<=";
      case ">=" -> "<";
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private ConditionTree in(Column column) {
    int size =
        switch (random.nextInt(20)) {
          case 0 -> 2_000;
          case 1, 2 -> 60;
          default -> 1 + random.nextInt(6);
        };
    List<Sql> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      items.add(compared(column));
    }
    return new In(name(column), items, random.nextInt(6) == 0);
  }

  /**
   * Returns a predicate such as {@code K > ANY (ARRAY[1, 2])}. Elements are parameters if literals
   * of the column's type do not form an array of this type.
   */
  private ConditionTree array(Column column) {
    boolean ofLiterals = LITERAL_ARRAYS.contains(column.type()) && random.nextInt(3) > 0;
    String operator = pick(COMPARISONS);
    boolean all = random.nextBoolean();
    List<Sql> elements = new ArrayList<>();
    List<Sql> comparisons = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      Object value = !ofLiterals && random.nextInt(8) == 0 ? null : value(column);
      Sql element = column.type().constant(value, !ofLiterals);
      elements.add(element);
      comparisons.add(Sql.format("{} " + operator + " {}", name(column), element));
    }
    Sql phoenix =
        Sql.format(
            "{} " + operator + (all ? " ALL" : " ANY") + " (ARRAY[{}])",
            name(column),
            Sql.join(", ", elements));
    Sql calcite = Sql.format("({})", Sql.join(all ? " AND " : " OR ", comparisons));
    return new Leaf(
        all ? "ALL array" : "ANY array",
        new Sql(phoenix.phoenix(), calcite.calcite(), phoenix.binds()),
        calcite);
  }

  private ConditionTree caseWhen(Column column) {
    return new Leaf(
        "CASE",
        Sql.format(
            "CASE WHEN {} "
                + pick(ORDERINGS)
                + " {} THEN 1 WHEN {} = {} THEN 2 ELSE 0 END "
                + pick("= 1", "= 2", "> 0", "<> 0"),
            name(column),
            constant(column),
            name(column),
            constant(column)));
  }

  /** Returns a comparison of a CASE whose results are columns, or null if it has no ELSE. */
  private ConditionTree caseOf(Column column) {
    List<Column> others =
        relation.columns().stream()
            .filter(other -> !other.equals(column) && other.type() == column.type())
            .toList();
    Column condition = pick(relation.columns(), column);
    boolean isConditional =
        condition.type().kind != Kind.BOOLEAN && condition.type().kind != Kind.BYTES;
    Sql when =
        isConditional
            ? Sql.format("{} " + pick(ORDERINGS) + " {}", name(condition), constant(condition))
            : Sql.format("{} = {}", name(condition), constant(condition));
    Sql otherwise =
        others.isEmpty() || random.nextBoolean()
            ? Sql.of("")
            : Sql.format(" ELSE {}", name(others.get(random.nextInt(others.size()))));
    return new Leaf(
        "CASE of columns",
        Sql.format(
            "CASE WHEN {} THEN {}{} END " + pick(COMPARISONS) + " {}",
            when,
            name(column),
            otherwise,
            constant(column)));
  }

  private ConditionTree function(Column column) {
    return switch (column.type()) {
      case VARCHAR, CHAR -> ofString(column);
      case SMALLINT, INTEGER -> ofInteger(column);
      case DATE -> {
        String compare = " " + pick(ORDERINGS) + " {}";
        yield new Leaf(
            "function",
            Sql.format(
                "FLOOR({}, 'HOUR')" + compare,
                "FLOOR({} / 3600000) * 3600000" + compare,
                name(column),
                constant(column)));
      }
      case TINYINT, BIGINT, UNSIGNED_INT, UNSIGNED_LONG, FLOAT, DOUBLE, DECIMAL, SCALED ->
          random.nextBoolean() ? comparison(column) : columns(column);
      case TIME, TIMESTAMP, BOOLEAN, BINARY, VARBINARY -> columns(column);
    };
  }

  private ConditionTree ofInteger(Column column) {
    String compare = " " + pick(COMPARISONS) + " {}";
    Sql name = name(column);
    return switch (random.nextInt(4)) {
      case 0 ->
          new Leaf(
              "arithmetic",
              Sql.format(
                  "{} + {}" + compare,
                  name,
                  number(random.nextInt(5)),
                  number(random.nextInt(40))));
      case 1 ->
          new Leaf(
              "arithmetic",
              Sql.format(
                  "{} * {}" + compare,
                  name,
                  number(2 + random.nextInt(3)),
                  number(random.nextInt(80))));
      case 2 ->
          column.key()
              ? comparison(column)
              : new Leaf(
                  "function",
                  Sql.format(
                      "COALESCE({}, {})" + compare, name, number(7), number(random.nextInt(20))));
      default -> columns(column);
    };
  }

  /**
   * Returns a predicate on a string. LENGTH of a CHAR is left out, because Phoenix sometimes
   * returns the length of the type.
   */
  private ConditionTree ofString(Column column) {
    Sql name = name(column);
    String text = (String) value(column);
    String prefix = text.substring(0, 1 + random.nextInt(text.length()));
    int kind = random.nextInt(7);
    return switch (kind == 5 && column.type() == ValueType.CHAR ? 6 : kind) {
      case 0, 1 -> new Leaf("LIKE", Sql.format("{} LIKE '" + prefix + "%'", name));
      case 2 -> new Leaf("LIKE", Sql.format("{} LIKE '" + prefix + "_%b%'", name));
      case 3 -> new Leaf("LIKE", Sql.format("{} NOT LIKE '" + prefix + "%'", name));
      case 4 ->
          new Leaf(
              "function",
              Sql.format(
                  "SUBSTR({}, 1, " + prefix.length() + ") = '" + prefix + "'",
                  "SUBSTRING({} FROM 1 FOR " + prefix.length() + ") = '" + prefix + "'",
                  name));
      case 5 -> {
        String compare = " " + pick(ORDERINGS) + " " + random.nextInt(5);
        yield new Leaf(
            "function", Sql.format("LENGTH({})" + compare, "CHAR_LENGTH({})" + compare, name));
      }
      default -> columns(column);
    };
  }

  /** Returns a comparison with another column of the same type, if there is one. */
  private ConditionTree columns(Column column) {
    return relation.columns().stream()
        .filter(other -> !other.equals(column) && other.type() == column.type())
        .findFirst()
        .<ConditionTree>map(
            other ->
                new Leaf(
                    "columns",
                    Sql.format("{} " + pick(ORDERINGS) + " {}", name(column), name(other))))
        .orElseGet(() -> comparison(column));
  }

  /**
   * Returns a row value comparison over NOT NULL key columns, such as {@code (K1, K2) > (1, 2)}.
   */
  private ConditionTree rowValue() {
    List<Column> keys = relation.columns().stream().filter(Column::key).toList();
    int from = random.nextInt(keys.size());
    List<Column> columns = new ArrayList<>();
    for (Column key : keys.subList(from, keys.size())) {
      if (key.nullable() || key.type().kind == Kind.BYTES) {
        break;
      }
      columns.add(key);
    }
    if (columns.size() < 2) {
      return predicate(column());
    }
    List<Sql> names = columns.stream().map(ConditionTreeGenerator::name).toList();
    List<Object> row = columns.stream().map(this::value).toList();
    String operator = pick(ORDERINGS);
    List<Sql> constants = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      constants.add(
          random.nextInt(4) == 0 ? compared(columns.get(i)) : constant(columns.get(i), row.get(i)));
    }
    Sql phoenix =
        Sql.format("({}) " + operator + " ({})", Sql.join(", ", names), Sql.join(", ", constants));
    Sql calcite = lexicographic(names, constants, operator, 0);
    return new Leaf("RVC", new Sql(phoenix.phoenix(), calcite.calcite(), phoenix.binds()), calcite);
  }

  /**
   * Returns the conditions of the next page along an index: {@code V = 2 AND (V, K) > (2, 85)}, or
   * the same with OR. A third of the pages start at another value than the equality.
   */
  private List<ConditionTree> page() {
    List<Column> columns =
        new ArrayList<>(
            relation.columns().stream()
                .filter(column -> column.key() && !column.nullable())
                .filter(column -> column.type().kind != Kind.BYTES)
                .toList());
    Column value = valueColumn();
    if (columns.isEmpty() || value.type().kind == Kind.BYTES || value.type().kind == Kind.BOOLEAN) {
      return List.of(predicate(column()));
    }
    columns.add(0, value);
    Object equal = value(value);
    List<Sql> names = columns.stream().map(ConditionTreeGenerator::name).toList();
    List<Sql> constants = new ArrayList<>();
    for (Column column : columns) {
      Object constant = column.equals(value) && random.nextInt(3) > 0 ? equal : value(column);
      constants.add(constant(column, constant));
    }
    String operator = pick("<", "<=", ">", ">=");
    Sql expanded = lexicographic(names, constants, operator, 0);
    Sql phoenix =
        Sql.format("({}) " + operator + " ({})", Sql.join(", ", names), Sql.join(", ", constants));
    Sql rows =
        random.nextInt(3) == 0
            ? expanded
            : new Sql(phoenix.phoenix(), expanded.calcite(), phoenix.binds());
    return List.of(
        new Leaf("comparison", Sql.format("{} = {}", name(value), constant(value, equal))),
        new Leaf("page", rows, expanded));
  }

  private static Sql lexicographic(List<Sql> names, List<Sql> values, String operator, int at) {
    Sql name = names.get(at);
    Sql value = values.get(at);
    if (at == names.size() - 1) {
      return Sql.format("{} " + operator + " {}", name, value);
    }
    Sql rest = lexicographic(names, values, operator, at + 1);
    return operator.equals("=")
        ? Sql.format("({} = {} AND {})", name, value, rest)
        : Sql.format(
            "({} " + operator.charAt(0) + " {} OR ({} = {} AND {}))",
            name,
            value,
            name,
            value,
            rest);
  }

  private <T> T pick(List<T> choices, T otherwise) {
    return choices.isEmpty() ? otherwise : choices.get(random.nextInt(choices.size()));
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
