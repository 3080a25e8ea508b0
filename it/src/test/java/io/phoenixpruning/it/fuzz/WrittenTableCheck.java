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

import io.phoenixpruning.cli.check.CheckResult;
import io.phoenixpruning.cli.check.CheckedTable;
import io.phoenixpruning.cli.check.TableCheck;
import io.phoenixpruning.cli.layout.TableArgument;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableRef;

/** Compares a table on a cluster, its views and its local indexes with the table in memory. */
final class WrittenTableCheck {

  private final WrittenTable table;
  private final ModelTable model;
  private final WritesReport report;

  WrittenTableCheck(WrittenTable table, ModelTable model, WritesReport report) {
    this.table = table;
    this.model = model;
    this.report = report;
  }

  /** Returns the first difference, or empty if all rows are right. */
  Optional<WriteFailure> compare() throws Exception {
    for (String relation : model.relations()) {
      Optional<WriteFailure> failure = rows(relation);
      if (failure.isPresent()) {
        return failure;
      }
    }
    for (String relation : model.relations()) {
      Optional<WriteFailure> failure = entries(relation);
      if (failure.isPresent()) {
        return failure;
      }
    }
    return storedRows();
  }

  private Optional<WriteFailure> rows(String relation) throws SQLException {
    Optional<WriteFailure> failure =
        compare(relation, "NO_INDEX", PruningMode.EXACT, "of the data table", column -> true);
    if (failure.isPresent()) {
      return failure;
    }
    Set<String> own = new TreeSet<>();
    for (PTable index : table.table(relation).getIndexes()) {
      String name = index.getTableName().getString();
      String baseName =
          name.substring(name.lastIndexOf(QueryConstants.CHILD_VIEW_INDEX_NAME_SEPARATOR) + 1);
      ModelIndex known =
          model.indexes().stream()
              .filter(each -> table.name(each.name()).equals(baseName))
              .findFirst()
              .orElse(null);
      if (known == null) {
        return Optional.of(
            new WriteFailure("an index that was dropped is in the catalog", relation + " " + name));
      }
      boolean isOwn = known.relation().equals(relation);
      if (isOwn) {
        own.add(name);
      }
      // Mode stock does not have the patches of queries along an index of the parent.
      for (PruningMode mode :
          isOwn ? List.of(PruningMode.EXACT, PruningMode.STOCK) : List.of(PruningMode.EXACT)) {
        failure =
            compare(
                relation,
                "INDEX(" + relation + " \"" + name + "\")",
                mode,
                "along an index" + (isOwn ? "" : " of the parent"),
                mode == PruningMode.STOCK ? column -> isStored(known, column) : column -> true);
        if (failure.isPresent()) {
          return failure;
        }
      }
    }
    Set<String> expected =
        model.indexes(relation).stream()
            .map(index -> table.name(index.name()))
            .collect(Collectors.toCollection(TreeSet::new));
    return own.equals(expected)
        ? Optional.empty()
        : Optional.of(
            new WriteFailure(
                "indexes in the catalog", relation + ": " + own + " instead of " + expected));
  }

  private Optional<WriteFailure> compare(
      String relation, String hint, PruningMode mode, String where, Predicate<Column> columnsRead)
      throws SQLException {
    List<String> columns =
        model.columns(relation).stream().filter(columnsRead).map(Column::name).toList();
    List<List<Object>> expected = new ArrayList<>();
    for (Map<String, Object> row : model.rows(relation)) {
      List<Object> values = new ArrayList<>();
      columns.forEach(column -> values.add(row.get(column)));
      expected.add(values);
    }
    String select = "SELECT /*+ " + hint + " */ ";
    String from = " FROM " + relation;
    List<List<Object>> found = query(mode, select + String.join(", ", columns) + from, hint);
    List<List<Object>> missing = new ArrayList<>(expected);
    found.forEach(missing::remove);
    List<List<Object>> extra = new ArrayList<>(found);
    expected.forEach(extra::remove);
    String name = "rows " + where + " in mode " + mode;
    if (!missing.isEmpty() || !extra.isEmpty()) {
      extra.sort(Comparator.comparing(List::toString));
      return Optional.of(
          new WriteFailure(
              name,
              select
                  + columns
                  + from
                  + "\n  missing "
                  + missing
                  + "\n  extra "
                  + extra
                  + "\n  plan "
                  + query(mode, "EXPLAIN " + select + String.join(", ", columns) + from, "NO_INDEX")
                      .stream()
                      .map(step -> step.get(0))
                      .toList()));
    }
    List<List<Object>> count = query(mode, select + "COUNT(*)" + from, hint);
    return ((BigDecimal) count.get(0).get(0)).intValueExact() == expected.size()
        ? Optional.empty()
        : Optional.of(
            new WriteFailure(
                "count " + where + " in mode " + mode,
                select + "COUNT(*)" + from + ": " + count + " instead of " + expected.size()));
  }

  /**
   * Returns whether an index has the column. Mode stock does not have the patches of the look-up of
   * other columns.
   */
  private static boolean isStored(ModelIndex index, Column column) {
    return column.key()
        || index.included().contains(column.name())
        || index.parts().contains(column.name())
        || index.parts().contains(column.name() + " DESC");
  }

  private List<List<Object>> query(PruningMode mode, String sql, String hint) throws SQLException {
    try (Statement statement = table.connection(mode).createStatement();
        ResultSet result = statement.executeQuery(table.name(sql))) {
      TableRef read = statement.unwrap(PhoenixStatement.class).getQueryPlan().getTableRef();
      // EXPLAIN reads no table.
      if (read != null) {
        boolean indexed = read.getTable().getType() == PTableType.INDEX;
        report.countQuery(
            hint.equals("NO_INDEX")
                ? "on the data table"
                : indexed ? "along an index" : "not along the index of the hint");
      }
      return TableRows.read(result);
    } catch (SQLException | RuntimeException e) {
      throw new IllegalStateException(mode + ": " + sql, e);
    }
  }

  /** Compares the entries of the indexes with the rows, byte by byte. */
  private Optional<WriteFailure> entries(String relation) throws Exception {
    List<ModelIndex> indexes = model.indexes(relation);
    if (indexes.isEmpty()) {
      return Optional.empty();
    }
    PhoenixConnection connection =
        table.connection(PruningMode.EXACT).unwrap(PhoenixConnection.class);
    CheckedTable checked = CheckedTable.find(connection, TableArgument.parse(table.name(relation)));
    CheckResult result = new TableCheck(checked).check(done -> {});
    report.countCheckedIndexes(indexes.size());
    return result.differences().isEmpty() && result.isComplete()
        ? Optional.empty()
        : Optional.of(
            new WriteFailure(
                "entries of the indexes of "
                    + (relation.equals(ModelTable.TABLE) ? "the table" : "a view"),
                result.differences().stream()
                    .limit(10)
                    .map(
                        difference ->
                            difference.kind()
                                + " in "
                                + difference.layout()
                                + ": "
                                + difference.text())
                    .collect(Collectors.joining("\n  ", relation + "\n  ", ""))));
  }

  /** Counts the stored rows of all indexes, which include rows of indexes that were dropped. */
  private Optional<WriteFailure> storedRows() throws Exception {
    long expected =
        model.indexes().stream().mapToLong(index -> model.rows(index.relation()).size()).sum();
    long stored = table.regions().countIndexRows();
    return stored == expected
        ? Optional.empty()
        : Optional.of(
            new WriteFailure("number of stored index rows", stored + " instead of " + expected));
  }
}
