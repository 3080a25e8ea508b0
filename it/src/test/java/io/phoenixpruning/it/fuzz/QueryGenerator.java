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

import io.phoenixpruning.it.fuzz.ConditionTree.Junction;
import io.phoenixpruning.it.fuzz.ConditionTree.Leaf;
import io.phoenixpruning.it.fuzz.RandomQuery.Form;
import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import io.phoenixpruning.it.fuzz.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Generates random statements on a random table. */
final class QueryGenerator {

  private static final String CONSTANT = "'x'";

  private final Random random;
  private final RandomTable table;

  QueryGenerator(Random random, RandomTable table) {
    this.random = random;
    this.table = table;
  }

  RandomQuery query() {
    Relation relation = pick(table.relations());
    ConditionTree where = new ConditionTreeGenerator(random, relation).where();
    Form form = form(relation);
    if (random.nextInt(5) == 0 && form != Form.SELF_JOIN) {
      where = new Junction("AND", List.of(where, subquery(relation)));
    }
    boolean isJoin = form == Form.JOIN || form == Form.SELF_JOIN;
    String options = isJoin && random.nextBoolean() ? "USE_SORT_MERGE_JOIN" : "";
    RandomQuery query =
        new RandomQuery(
            form,
            relation.name(),
            relation.ofTenant(),
            pick(relation.indexes()),
            options,
            text(form, relation),
            where);
    String sql = query.sql().calcite();
    return relation.indexes().stream()
        .filter(index -> table.isCovered(sql, index))
        .findFirst()
        .map(query::withIndex)
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
      case 7 -> joinForm(relation);
      case 8 -> random.nextBoolean() ? Form.DERIVED : Form.UNION;
      case 9 -> Form.LIMITED;
      default -> Form.ROWS;
    };
  }

  /** Returns a self join only if the relation has a key column that is not null. */
  private Form joinForm(Relation relation) {
    if (random.nextInt(3) == 0 && !notNullKeys(relation).isEmpty()) {
      return Form.SELF_JOIN;
    }
    return partner(relation) == null ? Form.ROWS : Form.JOIN;
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
      case DISTINCT -> distinct(relation, all);
      case JOIN -> join(relation);
      case SELF_JOIN -> selfJoin(relation);
      case DERIVED ->
          random.nextBoolean()
              ? groupedAgain(relation, all)
              : "SELECT %hint COUNT(*), MAX(V1) FROM (SELECT "
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
    List<String> groups = withConstant(groups(relation));
    String group = String.join(", ", groups);
    // Phoenix does not group by a constant if the statement has no aggregate.
    boolean hasAggregate = groups.equals(List.of(CONSTANT)) || random.nextBoolean();
    return "SELECT %hint "
        + group
        + (hasAggregate ? ", COUNT(*), MIN(V1)" : "")
        + " FROM "
        + all
        + " GROUP BY "
        + group
        + having(groups)
        + limitOfSorted(groups);
  }

  /**
   * Returns an empty text, or a HAVING with a condition on an aggregate, on a group, or on both.
   */
  private String having(List<String> groups) {
    String many = "COUNT(*) > " + random.nextInt(4);
    List<String> columns = groups.stream().filter(group -> !group.equals(CONSTANT)).toList();
    int kind = random.nextInt(12);
    if (columns.isEmpty()) {
      return kind < 4 ? " HAVING " + many : "";
    }
    String column = pick(columns);
    return switch (kind) {
      case 0, 1 -> " HAVING " + many;
      case 2 -> " HAVING MAX(V1) > " + random.nextInt(20);
      case 3 -> " HAVING " + many + " OR " + column + " IS NULL";
      case 4 -> " HAVING " + column + pickOf(" IS NULL", " IS NOT NULL");
      case 5 -> " HAVING " + many + " AND NOT " + column + " IS NULL";
      default -> "";
    };
  }

  private String distinct(Relation relation, String all) {
    List<String> columns =
        random.nextInt(3) == 0
            ? groups(relation)
            : some(relation.columns()).stream().map(Column::name).toList();
    List<String> distinct = withConstant(columns);
    return "SELECT %hint DISTINCT "
        + String.join(", ", distinct)
        + " FROM "
        + all
        + limitOfSorted(distinct);
  }

  /** Sometimes adds a constant to the groups, or replaces the groups by a constant. */
  private List<String> withConstant(List<String> groups) {
    return switch (random.nextInt(12)) {
      case 0 -> List.of(CONSTANT);
      case 1 -> Stream.concat(Stream.of(CONSTANT), groups.stream()).toList();
      case 2 -> Stream.concat(groups.stream(), Stream.of(CONSTANT)).toList();
      default -> groups;
    };
  }

  /** Returns an empty text, or an ORDER BY of all groups with a LIMIT and perhaps an OFFSET. */
  private String limitOfSorted(List<String> groups) {
    List<String> columns = groups.stream().filter(group -> !group.equals(CONSTANT)).toList();
    return columns.isEmpty() || random.nextBoolean()
        ? ""
        : columns.stream()
                .map(group -> group + pickOf(" DESC NULLS LAST", " ASC NULLS FIRST"))
                .collect(Collectors.joining(", ", " ORDER BY ", ""))
            + " LIMIT "
            + (1 + random.nextInt(5))
            + pickOf("", " OFFSET " + random.nextInt(4));
  }

  /**
   * Groups the rows of a derived table. The derived table groups by columns, and selects one of
   * them.
   */
  private String groupedAgain(Relation relation, String all) {
    List<String> groups = groups(relation);
    return "SELECT X, COUNT(*) FROM (SELECT %hint "
        + pick(groups)
        + " AS X FROM "
        + all
        + " GROUP BY "
        + String.join(", ", groups)
        + ") GROUP BY X";
  }

  /** Returns one or two columns, or functions of columns that preserve their order. */
  private List<String> groups(Relation relation) {
    Column first = pick(relation.columns());
    Column second = pick(relation.columns());
    return second.equals(first) || random.nextBoolean()
        ? List.of(group(first))
        : List.of(group(first), group(second));
  }

  private String group(Column column) {
    String name = column.name();
    if (random.nextInt(3) == 0) {
      return name;
    }
    return switch (column.type()) {
      case DATE ->
          pickOf("TRUNC(", "FLOOR(", "CEIL(", "ROUND(") + name + pickOf(", 'HOUR')", ", 'DAY')");
      case VARCHAR ->
          random.nextInt(4) == 0
              ? "UPPER(" + name + ")"
              : "SUBSTR(" + name + ", 1, " + (1 + random.nextInt(2)) + ")";
      case DECIMAL, SCALED -> pickOf("CEIL(", "FLOOR(", "ROUND(") + name + ")";
      case TINYINT, SMALLINT, INTEGER, BIGINT -> "SIGN(" + name + ")";
      default -> name;
    };
  }

  /**
   * Joins the relation with itself on a key column, and sometimes also on another column, which can
   * be null. The condition is on the first of the two tables.
   */
  private String selfJoin(Relation relation) {
    List<String> terms = new ArrayList<>(List.of("A." + pick(notNullKeys(relation)).name()));
    Column value = pick(relation.columns());
    if (random.nextBoolean()) {
      terms.add("A." + value.name());
    }
    return "SELECT %hint "
        + keys(relation).stream().map(key -> "A." + key.name()).collect(Collectors.joining(", "))
        + ", B."
        + pick(relation.columns()).name()
        + " FROM "
        + relation.name()
        + " AS A "
        + pickOf("JOIN ", "JOIN ", "LEFT JOIN ")
        + relation.name()
        + " AS B ON "
        + terms.stream()
            .map(term -> term + " = B" + term.substring(1))
            .collect(Collectors.joining(" AND "))
        + " WHERE {}";
  }

  private String join(Relation relation) {
    Column[] partners = partner(relation);
    String joined =
        switch (random.nextInt(6)) {
          case 0 -> relation.name() + " LEFT JOIN $D";
          case 1 -> "$D RIGHT JOIN " + relation.name();
          default -> pickOf(relation.name() + " JOIN $D", "$D JOIN " + relation.name());
        };
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

  private ConditionTree subquery(Relation relation) {
    Column[] partners = partner(relation);
    if (partners == null) {
      return new Leaf("scalar subquery", Sql.of("V1 > (SELECT MIN(ID) FROM $D)"));
    }
    String column = partners[0].name();
    String partner = partners[1].name();
    boolean ordered =
        partners[1].type().kind != Kind.BYTES && partners[1].type().kind != Kind.BOOLEAN;
    String below = " WHERE ID < " + (1 + random.nextInt(6));
    String values = "(SELECT " + partner + " FROM $D WHERE ID > " + random.nextInt(7) + ")";
    String correlated = below + " AND $D." + partner + " = " + relation.name() + "." + column + ")";
    return switch (random.nextInt(ordered ? 7 : 3)) {
      case 0 ->
          new Leaf(
              "IN subquery", Sql.of(column + " IN (SELECT " + partner + " FROM $D" + below + ")"));
      case 1 -> new Leaf("EXISTS subquery", Sql.of("EXISTS (SELECT 1 FROM $D" + correlated));
      case 2 ->
          new Leaf("NOT EXISTS subquery", Sql.of("NOT EXISTS (SELECT 1 FROM $D" + correlated));
      case 3 ->
          new Leaf(
              "correlated subquery",
              Sql.of(
                  "V1"
                      + pickOf(" = ", " >= ", " < ")
                      + "(SELECT "
                      + pickOf("MIN(", "MAX(")
                      + "ID) FROM $D"
                      + correlated));
      case 4 ->
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
      case 5 ->
          new Leaf("ANY subquery", Sql.of(column + pickOf(" = ", " > ", " <= ") + "ANY " + values));
      default -> new Leaf("ALL subquery", Sql.of(column + pickOf(" > ", " <= ") + "ALL " + values));
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

  private static List<Column> notNullKeys(Relation relation) {
    return keys(relation).stream().filter(key -> !key.nullable()).toList();
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
