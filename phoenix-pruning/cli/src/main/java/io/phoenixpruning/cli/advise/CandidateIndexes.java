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
package io.phoenixpruning.cli.advise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.explain.ColumnConditions;
import org.apache.phoenix.pruning.explain.ScanEstimate;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Candidate local indexes for the scans of one table.
 *
 * <p>The indexed columns are columns that a scan compares with constants. Columns with an equality
 * condition come first, followed by at most one column with a range condition. An index cannot seek
 * by more columns (Lahdenmaki, Leach, Relational Database Index Design and the Optimizers, 2005).
 *
 * <p>Each list of indexed columns gives a natural index, and rearranged indexes that begin with
 * leading columns of the table's key. Each of these indexes gives two candidates: one without
 * covered columns, and one that covers the other columns that the scan reads.
 */
final class CandidateIndexes {

  /** Maximum number of covered columns; an index with more is almost a copy of the table. */
  private static final int MAX_COVERED = 6;

  private static final int MAX_NAME_LENGTH = 100;

  private final PTable table;
  private final List<PColumn> key;
  private final Map<List<List<String>>, IndexDefinition> byColumns = new LinkedHashMap<>();

  CandidateIndexes(PTable table) {
    this.table = table;
    int constants = (table.getBucketNum() == null ? 0 : 1) + (table.isMultiTenant() ? 1 : 0);
    this.key = table.getPKColumns().subList(constants, table.getPKColumns().size());
  }

  /** Adds the candidates for a scan of the table itself. */
  void add(ScanEstimate scan) {
    ColumnConditions conditions = scan.conditions();
    List<PColumn> equal = withoutKeyColumns(conditions.equal());
    List<PColumn> ranged = withoutKeyColumns(conditions.ranged());
    if (!equal.isEmpty()) {
      add(scan, equal);
    }
    for (PColumn last : ranged) {
      List<PColumn> columns = new ArrayList<>(equal);
      columns.add(last);
      add(scan, columns);
    }
  }

  private static List<PColumn> withoutKeyColumns(Set<PColumn> columns) {
    return columns.stream().filter(column -> !SchemaUtil.isPKColumn(column)).toList();
  }

  private void add(ScanEstimate scan, List<PColumn> columns) {
    add(scan, List.of(), columns);
    int bound = 0;
    while (bound < key.size() && scan.conditions().equal().contains(key.get(bound))) {
      bound++;
    }
    // Even if the first key column is not bound, a server can seek within each of its values.
    for (int length = 1; length <= Math.max(1, bound); length++) {
      add(scan, key.subList(0, length), columns);
    }
  }

  private void add(ScanEstimate scan, List<PColumn> prefix, List<PColumn> columns) {
    put(prefix, columns, List.of());
    List<PColumn> covered =
        scan.readColumns().stream().filter(column -> !columns.contains(column)).toList();
    if (!covered.isEmpty() && covered.size() <= MAX_COVERED) {
      put(prefix, columns, covered);
    }
  }

  private void put(List<PColumn> prefix, List<PColumn> columns, List<PColumn> covered) {
    List<List<String>> names = Stream.of(prefix, columns, covered).map(this::names).toList();
    if (!byColumns.containsKey(names)) {
      List<PColumn> indexKey = Stream.concat(prefix.stream(), columns.stream()).toList();
      byColumns.put(
          names,
          new IndexDefinition(
              SqlNames.full(table.getName().getString()),
              name(indexKey, covered),
              names.get(0),
              names.get(1),
              names.get(2)));
    }
  }

  private List<String> names(List<PColumn> columns) {
    return columns.stream().map(column -> SqlNames.column(table, column)).toList();
  }

  /** Returns an unused index name, built from the table name and the key columns. */
  private String name(List<PColumn> indexKey, List<PColumn> covered) {
    String columns =
        indexKey.stream()
            .map(column -> column.getName().getString())
            .collect(Collectors.joining("_"));
    String base = table.getTableName().getString() + "_" + columns;
    base = base.substring(0, Math.min(base.length(), MAX_NAME_LENGTH));
    base += covered.isEmpty() ? "" : "_COVERED";
    String name = base;
    for (int i = 2; isTaken(name); i++) {
      name = base + "_" + i;
    }
    return SqlNames.plain(name);
  }

  private boolean isTaken(String name) {
    return table.getIndexes().stream()
            .anyMatch(index -> index.getTableName().getString().equals(name))
        || byColumns.values().stream().anyMatch(index -> index.name().equals(SqlNames.plain(name)));
  }

  /** Returns all candidates, without duplicates, in the order in which they were added. */
  List<IndexDefinition> all() {
    return List.copyOf(byColumns.values());
  }
}
