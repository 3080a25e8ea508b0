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
import io.phoenixpruning.it.fuzz.ConditionTree.Not;
import io.phoenixpruning.it.fuzz.DeployedTable.Answer;
import io.phoenixpruning.it.fuzz.RandomQuery.Form;
import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import io.phoenixpruning.it.fuzz.ValueType.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningMode;

/**
 * Compares answers along an index with each other. Several statements ask for the same rows in
 * different ways, so no other database is needed. If mode none gives the same answers, Phoenix is
 * wrong without pruning.
 */
enum MetamorphicCheck {
  /** The rows for which a condition is true, false and null are all rows (Rigger and Su, 2020). */
  PARTITIONS("partitions of all rows") {
    @Override
    Rows rows(Asker asker, Subject subject) throws Exception {
      ConditionTree where = subject.where();
      Sql isNull =
          Sql.format(
              "CASE WHEN {} THEN 1 WHEN NOT ({}) THEN 0 ELSE 2 END = 2", where.sql(), where.sql());
      List<List<Object>> parts = new ArrayList<>(asker.ask(subject.rows(where)));
      parts.addAll(asker.ask(subject.rows(new Not(where))));
      parts.addAll(asker.ask(subject.rows(new Leaf("partition", isNull))));
      return new Rows(asker.ask(subject.rows(ALL)), parts);
    }
  },
  /**
   * The number of rows that match is the sum of 1 for each match over all rows. The second query
   * has no WHERE, so nothing is pruned or optimized (NoREC; Rigger and Su, 2020).
   */
  COUNT("count without WHERE") {
    @Override
    Rows rows(Asker asker, Subject subject) throws Exception {
      List<List<Object>> summed =
          asker.ask(subject.aggregate("SUM(CASE WHEN {} THEN 1 ELSE 0 END)", ""));
      return new Rows(
          summed.equals(NO_SUM) ? ZERO : summed,
          asker.ask(subject.aggregate("COUNT(*)", " WHERE {}")));
    }
  },
  REORDERED("reordered terms") {
    @Override
    Rows rows(Asker asker, Subject subject) throws Exception {
      return new Rows(
          asker.ask(subject.rows(Spellings.reordered(subject.where()))),
          asker.ask(subject.rows(subject.where())));
    }
  },
  EQUIVALENT("equivalent spelling") {
    @Override
    Rows rows(Asker asker, Subject subject) throws Exception {
      return new Rows(
          asker.ask(subject.rows(Spellings.equivalent(subject.where()))),
          asker.ask(subject.rows(subject.where())));
    }
  },
  /** Pages together have all rows. Each page begins after the last row of the previous page. */
  PAGES("pages") {
    @Override
    boolean appliesTo(Relation relation) {
      return relation.columns().stream()
          .filter(Column::key)
          .noneMatch(key -> key.nullable() || key.type().kind == Kind.BYTES);
    }

    @Override
    Rows rows(Asker asker, Subject subject) throws Exception {
      List<List<Object>> all = asker.ask(subject.rows(subject.where()));
      int size = 1 + all.size() / 3;
      List<List<Object>> paged = new ArrayList<>();
      List<List<Object>> page = asker.ask(subject.page(subject.where(), size));
      paged.addAll(page);
      while (page.size() == size && paged.size() <= all.size()) {
        page = asker.ask(subject.page(subject.after(page.get(size - 1)), size));
        paged.addAll(page);
      }
      return new Rows(all, paged);
    }
  },
  DATA_TABLE("data table") {
    @Override
    Rows rows(Asker asker, Subject subject) throws Exception {
      RandomQuery query = subject.rows(subject.where());
      return new Rows(asker.ask(query, query.unindexed()), asker.ask(query));
    }
  };

  private static final ConditionTree ALL = new Leaf("constant", Sql.of("TRUE"));
  private static final List<List<Object>> ZERO = List.of(List.of(BigDecimal.ZERO));
  private static final List<List<Object>> NO_SUM = List.of(Collections.singletonList(null));
  private static final Comparator<List<Object>> BY_TEXT = Comparator.comparing(List::toString);

  private final String text;

  MetamorphicCheck(String text) {
    this.text = text;
  }

  /** Returns rows that must be equal, in any order. */
  abstract Rows rows(Asker asker, Subject subject) throws Exception;

  boolean appliesTo(Relation relation) {
    return true;
  }

  /**
   * Runs the check with the condition of a query. Returns a difference between the rows. Returns
   * empty if the rows agree, if a defect of Phoenix is known, or if the check does not apply.
   */
  Optional<Disagreement> check(DeployedTable deployed, RandomQuery query, FuzzReport report)
      throws Exception {
    Relation relation =
        deployed.table().relations().stream()
            .filter(each -> each.name().equals(query.relation()))
            .findFirst()
            .orElseThrow();
    if (query.form().changesRows()
        || query.where().kinds().stream().anyMatch(kind -> kind.endsWith("subquery"))
        || !appliesTo(relation)) {
      return Optional.empty();
    }
    Asker asker = new Asker(deployed);
    Rows rows;
    try {
      rows = rows(asker, new Subject(relation, query));
    } catch (Unanswered e) {
      if (asker.isSameWithoutPruning()) {
        report.countRefused(e.getCause());
        return Optional.empty();
      }
      return Optional.of(new Disagreement(onlyExact(), true, "rows", e.getCause()));
    }
    report.countCheck(text);
    if (rows.areEqual()) {
      return Optional.empty();
    }
    if (!asker.isSameWithoutPruning()) {
      return Optional.of(new Disagreement(onlyExact(), true, rows.expected(), rows.actual()));
    }
    Optional<KnownDefect> known = asker.knownDefect();
    report.countKnownDefect(known);
    return known.isPresent()
        ? Optional.empty()
        : Optional.of(new Disagreement("check: " + text, false, rows.expected(), rows.actual()));
  }

  private String onlyExact() {
    return "check, only in mode exact: " + text;
  }

  /** Rows of statements that must be equal, in any order. */
  record Rows(List<List<Object>> expected, List<List<Object>> actual) {
    boolean areEqual() {
      return sorted(expected).equals(sorted(actual));
    }
  }

  private static List<List<Object>> sorted(List<List<Object>> rows) {
    return rows.stream().sorted(BY_TEXT).toList();
  }

  /** Queries with conditions on one relation, along one index. */
  record Subject(Relation relation, RandomQuery query) {

    ConditionTree where() {
      return query.where();
    }

    private List<Column> keys() {
      return relation.columns().stream().filter(Column::key).toList();
    }

    private String names() {
      return keys().stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private RandomQuery select(Form form, String text, ConditionTree where) {
      return new RandomQuery(
          form, query.relation(), query.ofTenant(), query.index(), "", text, where);
    }

    /** Returns a query for the keys of the rows that match. */
    RandomQuery rows(ConditionTree where) {
      String text = "SELECT %hint " + names() + " FROM " + query.relation() + " WHERE {}";
      return select(Form.ROWS, text, where);
    }

    /**
     * Returns a query for an aggregate. In one of the arguments, {@code {}} stands for the
     * condition.
     */
    RandomQuery aggregate(String aggregate, String where) {
      String text = "SELECT %hint " + aggregate + " FROM " + query.relation() + where;
      return select(Form.AGGREGATE, text, query.where());
    }

    /** Returns a query for the first rows that match, in the order of the keys. */
    RandomQuery page(ConditionTree where, int size) {
      String text = rows(where).text() + " ORDER BY " + names() + " LIMIT " + size;
      return select(Form.ORDERED, text, where);
    }

    /** Returns the condition of the query, restricted to keys after {@code row}. */
    ConditionTree after(List<Object> row) {
      List<Sql> values = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        values.add(keys().get(i).type().constant(row.get(i), true));
      }
      Sql after =
          row.size() == 1
              ? Sql.format("{} > {}", Sql.of(names()), values.get(0))
              : Sql.format("({}) > ({})", Sql.of(names()), Sql.join(", ", values));
      return new Junction("AND", List.of(query.where(), new Leaf("page", after)));
    }
  }

  /** Runs queries in mode exact, and remembers their answers. */
  static final class Asker {

    private final DeployedTable deployed;
    private final List<Asked> asked = new ArrayList<>();

    Asker(DeployedTable deployed) {
      this.deployed = deployed;
    }

    List<List<Object>> ask(RandomQuery query) throws Exception {
      return ask(query, query.hinted());
    }

    List<List<Object>> ask(RandomQuery query, String hint) throws Exception {
      Answer answer = deployed.execute(PruningMode.EXACT, query, hint);
      asked.add(new Asked(query, hint, answer));
      if (answer.error() != null) {
        throw new Unanswered(answer.error());
      }
      return answer.rows();
    }

    /**
     * Returns whether mode none gives the same answers, along the index or on the data table. Mode
     * exact may choose either.
     */
    boolean isSameWithoutPruning() throws Exception {
      for (Asked each : asked) {
        if (!isSame(each, each.hint()) && !isSame(each, each.query().unindexed())) {
          return false;
        }
      }
      return true;
    }

    private boolean isSame(Asked each, String hint) throws Exception {
      Answer none = deployed.execute(PruningMode.NONE, each.query(), hint);
      return none.error() != null || each.answer().error() != null
          ? none.error() != null && each.answer().error() != null
          : sorted(none.rows()).equals(sorted(each.answer().rows()));
    }

    /** Returns a known defect of Phoenix that one of the queries shows, if there is one. */
    Optional<KnownDefect> knownDefect() {
      return asked.stream()
          .flatMap(each -> KnownDefect.of(deployed.table(), each.query()).stream())
          .findFirst();
    }
  }

  private record Asked(RandomQuery query, String hint, Answer answer) {}

  /** Thrown if Phoenix did not answer a query. */
  private static final class Unanswered extends Exception {
    private static final long serialVersionUID = 1L;

    Unanswered(Throwable cause) {
      super(cause);
    }
  }
}
