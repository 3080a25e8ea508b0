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

import static java.util.stream.Collectors.toSet;

import io.phoenixpruning.it.fuzz.Step.Storage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Generates random steps for a table. */
final class StepGenerator {

  private static final int MAX_VIEWS = 4;
  private static final int MAX_INDEXES = 3;
  private static final int ATTEMPTS = 50;

  private final Random random;
  private final WrittenTableGenerator tables;
  private final ModelTable model;
  private final WrittenTable table;
  private boolean changedRegions;

  StepGenerator(Random random, WrittenTableGenerator tables, ModelTable model, WrittenTable table) {
    this.random = random;
    this.tables = tables;
    this.model = model;
    this.table = table;
  }

  /** Returns a step that the table in memory allows. */
  Step step() throws Exception {
    while (true) {
      Step step =
          switch (random.nextInt(20)) {
            case 0 -> view();
            case 1, 2, 3 -> index();
            case 4 -> column();
            case 5, 6, 7 -> storage();
            default -> commit();
          };
      if (step != null && step.isAllowed(model)) {
        return step;
      }
    }
  }

  private Step view() {
    if (model.relations().size() > MAX_VIEWS) {
      return null;
    }
    ModelView view = tables.view(model);
    return view == null ? null : new Step.CreateView(view);
  }

  private Step index() {
    List<ModelIndex> all = List.copyOf(model.indexes());
    if (!all.isEmpty()) {
      ModelIndex some = pick(all);
      int choice = random.nextInt(6);
      if (choice == 0 && !mayHaveOldRegions()) {
        return new Step.DropIndex(some);
      }
      if (choice == 1) {
        return new Step.RebuildIndex(some);
      }
    }
    String relation = relation();
    return model.indexes(relation).size() >= MAX_INDEXES
        ? null
        : new Step.CreateIndex(tables.index(model, relation));
  }

  private boolean mayHaveOldRegions() {
    return changedRegions && !KnownWriteDefect.DROP_INDEX_OF_OLD_REGIONS.isIncluded();
  }

  private Step column() {
    if (random.nextBoolean()) {
      String relation = relation();
      boolean ofTable = relation.equals(ModelTable.TABLE);
      String family =
          !ofTable
              ? tables.viewFamily(model)
              : random.nextBoolean()
                  ? null
                  : model.columns(relation).stream()
                      .map(Column::family)
                      .filter(name -> name != null)
                      .findFirst()
                      .orElse(null);
      return new Step.AddColumn(
          relation, tables.value(tables.newName(ofTable ? "N" : "X"), family));
    }
    // V1 is the column of sums.
    List<Column> values =
        model.columns(ModelTable.TABLE).stream()
            .filter(column -> !column.key() && !column.name().equals("V1"))
            .toList();
    if (values.isEmpty()
        || (model.relations().size() > 1
            && !KnownWriteDefect.DROPPED_COLUMN_OF_VIEWS.isIncluded())) {
      return null;
    }
    return new Step.DropColumn(pick(values).name());
  }

  private Step storage() throws Exception {
    Storage.Change change =
        switch (random.nextInt(7)) {
          case 0, 1, 2 -> Storage.Change.FLUSH;
          case 3 -> Storage.Change.COMPACT;
          case 4, 5 -> Storage.Change.SPLIT;
          default -> Storage.Change.MERGE;
        };
    changedRegions |= change == Storage.Change.SPLIT || change == Storage.Change.MERGE;
    return switch (change) {
      case FLUSH, COMPACT -> new Storage(change, null);
      case SPLIT -> new Storage(change, tables.boundary(model, table));
      case MERGE -> {
        List<ByteString> boundaries = table.regions().boundaries();
        yield boundaries.isEmpty() ? null : new Storage(change, pick(boundaries));
      }
    };
  }

  private Step commit() {
    for (int i = 0; i < ATTEMPTS; i++) {
      Step.Commit commit = randomCommit();
      if (commit.isAllowed(model)) {
        return commit;
      }
    }
    return null;
  }

  private Step.Commit randomCommit() {
    boolean autoCommit = random.nextInt(4) == 0;
    int count = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(5);
    // The same relation most times, because a row must not be written through two of them.
    String relation = relation();
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(write(random.nextInt(4) == 0 ? relation() : relation, autoCommit));
    }
    return new Step.Commit(autoCommit, writes);
  }

  /** Returns null for immutable rows, which Phoenix refuses to update. */
  private @Nullable Write upsertOnDuplicateKey(String relation) {
    if (model.definition().immutable()) {
      return null;
    }
    return upsert(relation, duplicate(relation));
  }

  private Write write(String relation, boolean autoCommit) {
    while (true) {
      Write write =
          switch (random.nextInt(10)) {
            case 0, 1 -> delete(relation);
            case 2 -> upsertSelect(relation, autoCommit);
            case 3, 4 -> upsertOnDuplicateKey(relation);
            default -> upsert(relation, null);
          };
      if (write != null) {
        return write;
      }
    }
  }

  private Write.Upsert upsert(String relation, Map<String, RowExpression> duplicate) {
    Set<String> fixed = model.fixed(relation).keySet();
    List<Column> named = new ArrayList<>();
    boolean all = random.nextBoolean();
    for (Column column : model.columns(relation)) {
      boolean optional = !column.key() || column.nullable();
      if (!fixed.contains(column.name()) && (all || !optional || random.nextInt(3) > 0)) {
        named.add(column);
      }
    }
    List<List<TypedValue>> executions = new ArrayList<>();
    int count = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
    for (int i = 0; i < count; i++) {
      executions.add(
          named.stream()
              .map(column -> new TypedValue(column.type(), tables.pooled(column)))
              .toList());
    }
    return new Write.Upsert(relation, named, executions, duplicate);
  }

  /** Returns assignments of ON DUPLICATE KEY UPDATE, or none for IGNORE. */
  private Map<String, RowExpression> duplicate(String relation) {
    Map<String, RowExpression> assignments = new LinkedHashMap<>();
    boolean families = model.columns(relation).stream().anyMatch(column -> column.family() != null);
    if (random.nextInt(3) == 0
        || (families && !KnownWriteDefect.DUPLICATE_KEY_FAMILIES.isIncluded())) {
      return assignments;
    }
    Set<String> fixed = model.fixed(relation).keySet();
    for (Column column : changeable(relation)) {
      RowExpression value = expression(relation, column, true);
      // Phoenix takes a column that the view fixes for its constant, even if the row is not of the
      // view.
      if (random.nextInt(3) == 0 && Collections.disjoint(value.columns(), fixed)) {
        assignments.put(column.name(), value);
      }
    }
    return assignments;
  }

  private List<Column> changeable(String relation) {
    Set<String> fixed = model.fixed(relation).keySet();
    return model.columns(relation).stream()
        .filter(column -> !column.key() && !fixed.contains(column.name()))
        .toList();
  }

  /** Returns an expression of a row with a column's type. It does not read key columns. */
  private RowExpression expression(String relation, Column column, boolean mayAdd) {
    if (column.name().equals("V1") && mayAdd && random.nextInt(3) > 0) {
      RowExpression sum =
          new RowExpression(
              "V1 + 1",
              List.of(),
              Set.of("V1"),
              row ->
                  row.get("V1") == null
                      ? null
                      : ValueType.number(((BigDecimal) row.get("V1")).add(BigDecimal.ONE)));
      return random.nextBoolean() ? sum : choice(sum);
    }
    List<Column> same =
        model.columns(relation).stream()
            .filter(other -> !other.key() && other.type() == column.type() && !other.equals(column))
            .toList();
    return same.isEmpty() || random.nextBoolean()
        ? RowExpression.constant(new TypedValue(column.type(), tables.pooled(column)))
        : RowExpression.column(pick(same).name());
  }

  private RowExpression choice(RowExpression value) {
    BigDecimal limit = ValueType.number(BigDecimal.valueOf(random.nextInt(4)));
    return new RowExpression(
        "CASE WHEN V1 < " + limit.toPlainString() + " THEN " + value.sql() + " ELSE V1 END",
        List.of(),
        Set.of("V1"),
        row ->
            row.get("V1") != null && ((BigDecimal) row.get("V1")).compareTo(limit) < 0
                ? value.of(row)
                : row.get("V1"));
  }

  private Write.Delete delete(String relation) {
    return new Write.Delete(relation, hint(relation), condition(relation));
  }

  /** Returns a hint of an index of the relation itself, NO_INDEX, or no hint. */
  private String hint(String relation) {
    List<ModelIndex> own = model.indexes(relation);
    if (random.nextInt(4) == 0) {
      return "/*+ NO_INDEX */ ";
    }
    return own.isEmpty() || random.nextBoolean()
        ? ""
        : "/*+ INDEX(" + relation + " " + pick(own).name() + ") */ ";
  }

  private RowExpression condition(String relation) {
    Set<String> fixed = model.fixed(relation).keySet();
    if (random.nextInt(3) == 0) {
      RowExpression key = null;
      for (Column column : model.keys()) {
        if (!fixed.contains(column.name())) {
          Object value = tables.pooled(column);
          RowExpression equal =
              value == null
                  ? RowExpression.isNull(column, false)
                  : RowExpression.equal(column, value);
          key = key == null ? equal : key.and(equal);
        }
      }
      return key;
    }
    return switch (random.nextInt(8)) {
      case 0 -> RowExpression.all();
      case 1, 2 -> comparison(relation).and(comparison(relation));
      case 3 -> comparison(relation).or(comparison(relation));
      default -> comparison(relation);
    };
  }

  private RowExpression comparison(String relation) {
    Column column = pick(model.columns(relation));
    if (column.name().equals("V1") && random.nextBoolean()) {
      BigDecimal limit = ValueType.number(BigDecimal.valueOf(random.nextInt(5)));
      return new RowExpression(
          "V1 >= ?",
          List.of(new TypedValue(ValueType.INTEGER, limit)),
          Set.of("V1"),
          row -> row.get("V1") == null ? null : ((BigDecimal) row.get("V1")).compareTo(limit) >= 0);
    }
    return column.nullable() && random.nextInt(5) == 0
        ? RowExpression.isNull(column, random.nextBoolean())
        : RowExpression.equal(column, tables.nonNull(column));
  }

  /**
   * Returns an UPSERT SELECT, or null if there is none with these relations. Most statements keep
   * the key.
   */
  private Write.UpsertSelect upsertSelect(String relation, boolean autoCommit) {
    String source = random.nextInt(3) > 0 ? relation : relation();
    Set<String> fixed = model.fixed(relation).keySet();
    Set<String> available = model.columns(source).stream().map(Column::name).collect(toSet());
    LinkedHashMap<String, RowExpression> selected = new LinkedHashMap<>();
    boolean moves = random.nextInt(4) == 0 || model.definition().immutable();
    for (Column key : model.keys()) {
      if (!fixed.contains(key.name())) {
        selected.put(
            key.name(),
            moves && !autoCommit && random.nextBoolean()
                ? RowExpression.constant(new TypedValue(key.type(), tables.nonNull(key)))
                : RowExpression.column(key.name()));
      }
    }
    for (Column column : changeable(relation)) {
      if (random.nextBoolean()) {
        selected.put(
            column.name(),
            random.nextInt(3) == 0 && available.contains(column.name())
                ? RowExpression.column(column.name())
                : expression(source, column, available.contains("V1")));
      }
    }
    Write.UpsertSelect write =
        new Write.UpsertSelect(relation, source, hint(source), selected, condition(source));
    boolean ofTable = relation.equals(ModelTable.TABLE) && source.equals(relation);
    return autoCommit
            && !ofTable
            && !write.isRepeatable()
            && !KnownWriteDefect.REPEATED_UPSERT.isIncluded()
        ? null
        : write;
  }

  private String relation() {
    List<String> relations = model.relations();
    return random.nextInt(3) == 0 ? ModelTable.TABLE : pick(relations);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
