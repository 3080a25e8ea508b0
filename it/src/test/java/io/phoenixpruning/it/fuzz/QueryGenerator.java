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

import io.phoenixpruning.it.fuzz.Condition.Junction;
import io.phoenixpruning.it.fuzz.Condition.Leaf;
import io.phoenixpruning.it.fuzz.RandomQuery.Form;
import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import io.phoenixpruning.it.fuzz.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Generates random statements on a random table. */
final class QueryGenerator {

  private final Random random;
  private final RandomTable table;

  QueryGenerator(Random random, RandomTable table) {
    this.random = random;
    this.table = table;
  }

  RandomQuery query() {
    Relation relation = pick(table.relations());
    Condition where = new ConditionGenerator(random, relation).where();
    if (random.nextInt(5) == 0) {
      where = new Junction("AND", List.of(where, subquery(relation)));
    }
    Form form = form(relation);
    String options = form == Form.JOIN && random.nextBoolean() ? "USE_SORT_MERGE_JOIN" : "";
    RandomQuery query =
        new RandomQuery(
            form,
            relation.name(),
            relation.ofTenant(),
            pick(relation.indexes()),
            options,
            text(form, relation),
            where);
    return relation.indexes().stream()
        .map(query::withIndex)
        .filter(table::isCovered)
        .findFirst()
        .filter(covered -> random.nextInt(6) > 0)
        .orElse(query);
  }

  private Form form(Relation relation) {
    int kind = random.nextInt(40);
    if (kind == 0) {
      return relation.name().equals("$T") ? Form.DELETE : Form.ROWS;
    }
    if (kind == 1) {
      return relation.name().equals("$T") && !table.properties().contains("IMMUTABLE")
          ? Form.UPSERT
          : Form.ROWS;
    }
    return switch (kind % 10) {
      case 2, 3 -> Form.ORDERED;
      case 4 -> Form.AGGREGATE;
      case 5 -> Form.GROUPED;
      case 6 -> Form.DISTINCT;
      case 7 -> partner(relation) == null ? Form.ROWS : Form.JOIN;
      case 8 -> random.nextBoolean() ? Form.DERIVED : Form.UNION;
      case 9 -> Form.LIMITED;
      default -> Form.ROWS;
    };
  }

  private String text(Form form, Relation relation) {
    String columns = names(some(relation.columns()));
    String keys = names(keys(relation));
    String all = relation.name() + " WHERE {}";
    return switch (form) {
      case ROWS -> "SELECT %hint " + columns + " FROM " + all;
      case ORDERED ->
          "SELECT %hint "
              + keys
              + " FROM "
              + all
              + " ORDER BY "
              + order(relation)
              + (random.nextBoolean() ? "" : limit());
      case LIMITED -> "SELECT %hint " + keys + " FROM " + all + limit();
      case AGGREGATE -> "SELECT %hint " + aggregates(relation) + " FROM " + all;
      case GROUPED -> grouped(relation, all);
      case DISTINCT -> "SELECT %hint DISTINCT " + distinct(relation, columns) + " FROM " + all;
      case JOIN -> join(relation);
      case DERIVED ->
          "SELECT %hint COUNT(*), MAX(V1) FROM (SELECT "
              + keys
              + ", V1 FROM "
              + all
              + ") WHERE V1 < "
              + random.nextInt(40);
      case UNION ->
          "SELECT %hint "
              + keys
              + " FROM "
              + all
              + " UNION ALL SELECT "
              + keys
              + " FROM "
              + relation.name()
              + " WHERE V1 = "
              + random.nextInt(20);
      case DELETE -> "DELETE %hint FROM " + all;
      case UPSERT ->
          "UPSERT %hint INTO "
              + relation.name()
              + " ("
              + keys
              + ", V1) SELECT "
              + keys
              + ", 77 FROM "
              + all;
    };
  }

  private String grouped(Relation relation, String all) {
    String group = groups(relation);
    return "SELECT %hint "
        + group
        + ", COUNT(*), MIN(V1) FROM "
        + all
        + " GROUP BY "
        + group
        + (random.nextInt(3) == 0 ? " HAVING COUNT(*) > " + random.nextInt(4) : "");
  }

  private String distinct(Relation relation, String columns) {
    return random.nextInt(3) == 0 ? groups(relation) : columns;
  }

  /** Returns one or two columns, or functions of columns that preserve their order. */
  private String groups(Relation relation) {
    Column first = pick(relation.columns());
    Column second = pick(relation.columns());
    return second.equals(first) || random.nextBoolean()
        ? group(first)
        : group(first) + ", " + group(second);
  }

  private String group(Column column) {
    String name = column.name();
    if (random.nextInt(3) == 0) {
      return name;
    }
    return switch (column.type()) {
      case DATE -> "TRUNC(" + name + ", 'HOUR')";
      case VARCHAR -> "SUBSTR(" + name + ", 1, " + (1 + random.nextInt(2)) + ")";
      case DECIMAL, SCALED -> "CEIL(" + name + ")";
      default -> name;
    };
  }

  private String join(Relation relation) {
    Column[] partners = partner(relation);
    String joined =
        random.nextInt(3) == 0
            ? relation.name() + " LEFT JOIN $D"
            : pickOf(relation.name() + " JOIN $D", "$D JOIN " + relation.name());
    return "SELECT %hint "
        + names(keys(relation))
        + ", ID FROM "
        + joined
        + " ON "
        + relation.name()
        + "."
        + partners[0].name()
        + " = $D."
        + partners[1].name()
        + " WHERE {}";
  }

  /**
   * Returns a column of the relation and a column of {@code $D} with the same type, or null if
   * there are none.
   */
  private Column[] partner(Relation relation) {
    for (Column partner : table.partnerColumns()) {
      for (Column column : relation.columns()) {
        if (column.type() == partner.type()) {
          return new Column[] {column, partner};
        }
      }
    }
    return null;
  }

  private Condition subquery(Relation relation) {
    Column[] partners = partner(relation);
    if (partners == null) {
      return new Leaf("scalar subquery", Sql.of("V1 > (SELECT MIN(ID) FROM $D)"));
    }
    String column = partners[0].name();
    String partner = partners[1].name();
    boolean ordered =
        partners[1].type().kind != Kind.BYTES && partners[1].type().kind != Kind.BOOLEAN;
    String below = " WHERE ID < " + (1 + random.nextInt(6));
    return switch (random.nextInt(ordered ? 5 : 2)) {
      case 0 ->
          new Leaf(
              "IN subquery", Sql.of(column + " IN (SELECT " + partner + " FROM $D" + below + ")"));
      case 1 ->
          new Leaf(
              "EXISTS subquery",
              Sql.of(
                  "EXISTS (SELECT 1 FROM $D"
                      + below
                      + " AND $D."
                      + partner
                      + " = "
                      + relation.name()
                      + "."
                      + column
                      + ")"));
      case 2 ->
          new Leaf(
              "scalar subquery",
              Sql.of(
                  column
                      + pickOf(" = ", " >= ", " < ")
                      + "(SELECT "
                      + pickOf("MIN(", "MAX(")
                      + partner
                      + ") FROM $D"
                      + below
                      + ")"));
      case 3 ->
          new Leaf(
              "ANY subquery",
              Sql.of(
                  column + pickOf(" = ", " > ", " <= ") + "ANY (SELECT " + partner + " FROM $D)"));
      default ->
          new Leaf(
              "ALL subquery",
              Sql.of(column + pickOf(" > ", " <= ") + "ALL (SELECT " + partner + " FROM $D)"));
    };
  }

  private String aggregates(Relation relation) {
    List<String> aggregates = new ArrayList<>(List.of("COUNT(*)", "SUM(V1)", "MAX(V1)"));
    Column column = pick(relation.columns());
    if (column.type().kind != Kind.BYTES && column.type().kind != Kind.BOOLEAN) {
      aggregates.add("MIN(" + column.name() + ")");
      aggregates.add("COUNT(" + column.name() + ")");
    }
    if (random.nextInt(3) == 0) {
      return "COUNT(DISTINCT " + column.name() + ")";
    }
    return String.join(", ", aggregates);
  }

  private String order(Relation relation) {
    List<Column> columns = new ArrayList<>(keys(relation));
    if (random.nextBoolean()) {
      columns.add(0, pick(relation.columns()));
    }
    boolean backwards = random.nextInt(3) == 0;
    return columns.stream()
        .distinct()
        .map(
            column ->
                column.name()
                    + (column.descending() != backwards ? " DESC NULLS LAST" : " ASC NULLS FIRST"))
        .collect(Collectors.joining(", "));
  }

  private String limit() {
    String offset = random.nextInt(3) == 0 ? " OFFSET " + random.nextInt(40) : "";
    return " LIMIT " + random.nextInt(30) + offset;
  }

  private static List<Column> keys(Relation relation) {
    return relation.columns().stream().filter(Column::key).toList();
  }

  private List<Column> some(List<Column> columns) {
    List<Column> some = columns.stream().filter(column -> random.nextInt(2) == 0).toList();
    return some.isEmpty() ? columns : some;
  }

  private static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private String pickOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
