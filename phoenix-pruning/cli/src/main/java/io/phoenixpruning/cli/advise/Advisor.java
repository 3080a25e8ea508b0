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

import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.report.format.Figures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.explain.ScanEstimate;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;

/** Finds the local indexes that minimize the cost of a workload. Changes nothing. */
public final class Advisor {

  /** Makes copies of tables, so that indexes can be created and dropped in the copies. */
  @FunctionalInterface
  public interface CopyFactory {

    /**
     * Returns a database in this process with the same tables, regions and indexes.
     *
     * @param tables full names of the tables, as Phoenix stores them
     */
    Database copy(Collection<String> tables) throws Exception;
  }

  private final Database database;
  private final CopyFactory copyFactory;
  private final Map<String, Double> writes;
  private final Progress progress;

  /**
   * Creates an advisor for the tables of {@code database}.
   *
   * @param writes number of rows written to each table while each query runs as often as its
   *     weight, by the table's name in SQL. Default: one row for each run of a query that reads the
   *     table
   */
  public Advisor(
      Database database, CopyFactory copyFactory, Map<String, Double> writes, Progress progress) {
    this.database = database;
    this.copyFactory = copyFactory;
    this.writes = Map.copyOf(writes);
    this.progress = progress;
  }

  /**
   * Returns the recommended changes for the queries of {@code workload}. If the workload has no
   * queries, the advice has only the refused statements and the workload's notes.
   */
  public Advice advise(Workload workload) throws Exception {
    List<WorkloadQuery> queries = workload.queries();
    if (queries.isEmpty()) {
      return new Advice(List.of(), List.of(), workload.notes(), workload.problems());
    }
    WhatIf current = new WhatIf(database);
    Map<WorkloadQuery, List<ScanEstimate>> before = new LinkedHashMap<>();
    for (WorkloadQuery query : queries) {
      before.put(query, current.plan(query));
    }
    Set<String> names = new TreeSet<>();
    before.values().forEach(scans -> scans.forEach(scan -> names.add(scan.summary().table())));
    Set<String> planned = new TreeSet<>(names);
    for (WorkloadQuery query : queries) {
      UpsertTarget.of(database.connection(), query.sql()).ifPresent(planned::add);
    }
    checkWrites(planned);
    Database copy = copyFactory.copy(planned);
    WhatIf whatIf = new WhatIf(copy);
    Map<String, PTable> tables = new TreeMap<>();
    List<IndexDefinition> existing = new ArrayList<>();
    for (String name : names) {
      PTable table = whatIf.table(name);
      // A view has the indexes of its table.
      if (table.getType() == PTableType.TABLE) {
        tables.put(name, table);
        existing.addAll(ExistingIndexes.of(copy.connection(), table));
      }
    }
    Map<String, List<WorkloadQuery>> readers = new TreeMap<>();
    List<IndexDefinition> candidates =
        candidates(new WhatIf(copyFactory.copy(planned)), queries, tables, existing, readers);
    Map<String, Double> rowsWritten = rowsWritten(readers);
    List<IndexDefinition> chosen =
        progress.run(
            "Planning with " + Figures.plural(candidates.size(), "index", "indexes"),
            candidates.size(),
            done ->
                new IndexSelection(whatIf, queries, readers, rowsWritten, existing)
                    .choose(candidates, done));
    return new AdviceWriter(
            database, current, whatIf, before, readers, tables, rowsWritten, workload)
        .write(existing, chosen);
  }

  /**
   * Refuses a name in {@code --writes} that is not the full name of a table of the workload.
   *
   * @param planned full names of the tables of the workload, as Phoenix stores them
   */
  private void checkWrites(Set<String> planned) {
    Set<String> known =
        planned.stream().map(SqlNames::full).collect(Collectors.toCollection(TreeSet::new));
    for (String name : writes.keySet()) {
      if (!known.contains(name)) {
        throw new RefusedException(
            "--writes names "
                + name
                + ", which no statement reads or writes. Expected one of: "
                + String.join(", ", known)
                + ". Correct the name, or leave it out");
      }
    }
  }

  /**
   * Returns the candidate indexes that do not exist yet. The candidates come from the query plans
   * without local indexes.
   *
   * @param withoutIndexes a copy of the database; this method drops its local indexes
   * @param readers receives the queries that read a table, by the table's name in SQL
   */
  private static List<IndexDefinition> candidates(
      WhatIf withoutIndexes,
      List<WorkloadQuery> queries,
      Map<String, PTable> tables,
      List<IndexDefinition> existing,
      Map<String, List<WorkloadQuery>> readers)
      throws SQLException {
    for (IndexDefinition index : existing) {
      withoutIndexes.drop(index);
    }
    Map<String, CandidateIndexes> byTable = new TreeMap<>();
    for (WorkloadQuery query : queries) {
      List<ScanEstimate> scans = withoutIndexes.plan(query);
      for (ScanEstimate scan : scans) {
        PTable table = tables.get(scan.summary().table());
        if (table != null && scan.summary().index().isEmpty()) {
          byTable
              .computeIfAbsent(scan.summary().table(), name -> new CandidateIndexes(table))
              .add(scan);
        }
      }
      scans.stream()
          .map(scan -> SqlNames.full(scan.summary().table()))
          .distinct()
          .forEach(name -> readers.computeIfAbsent(name, absent -> new ArrayList<>()).add(query));
    }
    return byTable.values().stream()
        .flatMap(ofTable -> ofTable.all().stream())
        .filter(candidate -> existing.stream().noneMatch(candidate::hasSameColumns))
        .toList();
  }

  private Map<String, Double> rowsWritten(Map<String, List<WorkloadQuery>> readers) {
    return readers.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry ->
                    writes.getOrDefault(
                        entry.getKey(),
                        entry.getValue().stream().mapToDouble(WorkloadQuery::weight).sum())));
  }
}
