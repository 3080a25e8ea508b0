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

import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.report.format.Figures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.pruning.explain.IndexKind;
import org.apache.phoenix.pruning.explain.ScanEstimate;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.schema.PTable;

/**
 * Creates advice from the chosen indexes, with the reason for each action and the cost of each
 * query before and after the changes.
 */
final class AdviceWriter {

  private final Database database;
  private final WhatIf current;
  private final WhatIf whatIf;
  private final Map<WorkloadQuery, List<ScanEstimate>> before;
  private final Map<String, List<WorkloadQuery>> readers;
  private final Map<String, PTable> tables;
  private final Map<String, Double> writes;
  private final Workload workload;
  private final Map<WorkloadQuery, List<ScanEstimate>> after = new LinkedHashMap<>();

  /**
   * @param database the database without changes
   * @param current plans statements in {@code database}
   * @param whatIf plans statements in a copy that has the chosen indexes
   * @param before the plans of all queries in {@code database}
   * @param tables the tables that the queries read, with their existing indexes
   * @param workload provides the problems, the refused statements and further assumptions
   */
  AdviceWriter(
      Database database,
      WhatIf current,
      WhatIf whatIf,
      Map<WorkloadQuery, List<ScanEstimate>> before,
      Map<String, List<WorkloadQuery>> readers,
      Map<String, PTable> tables,
      Map<String, Double> writes,
      Workload workload) {
    this.database = database;
    this.current = current;
    this.whatIf = whatIf;
    this.before = before;
    this.readers = readers;
    this.tables = tables;
    this.writes = writes;
    this.workload = workload;
    before.keySet().forEach(query -> after.put(query, whatIf.plan(query)));
  }

  Advice write(List<IndexDefinition> existing, List<IndexDefinition> chosen) throws SQLException {
    List<TableAdvice> advised = new ArrayList<>();
    Set<String> tablesOfRefused = tablesOfRefusedStatements();
    for (PTable table : tables.values()) {
      String name = SqlNames.full(table.getName().getString());
      List<IndexAdvice> indexes = new ArrayList<>();
      List<IndexAdvice> unread = new ArrayList<>();
      boolean mayBeReadByRefused = tablesOfRefused.contains(table.getName().getString());
      for (IndexDefinition index : chosen) {
        if (index.table().equals(name)) {
          if (existing.contains(index) && queriesOf(index, after).isEmpty()) {
            unread.add(adviseUnread(index, mayBeReadByRefused));
          } else {
            indexes.add(adviseChosen(index, existing.contains(index)));
          }
        }
      }
      indexes.addAll(unread);
      advised.add(
          new TableAdvice(name, whatIf.regions(table), rows(table), indexes, settings(table)));
    }
    return new Advice(advised, queries(), assumptions(tables.values()), workload.problems());
  }

  /**
   * Returns the tables of the workload whose indexes refused statements may read. If a refused
   * statement cannot be parsed, or names anything but these tables and their indexes, the method
   * returns all tables. A view, for example, has the indexes of its table.
   */
  private Set<String> tablesOfRefusedStatements() {
    Map<String, String> tableOf = new HashMap<>();
    for (PTable table : tables.values()) {
      String name = table.getName().getString();
      tableOf.put(name, name);
      table.getIndexes().forEach(index -> tableOf.put(index.getName().getString(), name));
    }
    Set<String> read = new HashSet<>();
    for (String sql : workload.refused()) {
      Set<String> names = namesIn(sql);
      if (names.isEmpty() || !tableOf.keySet().containsAll(names)) {
        return Set.copyOf(tableOf.values());
      }
      names.forEach(name -> read.add(tableOf.get(name)));
    }
    return read;
  }

  /** Returns the names of the tables in a statement; empty if the statement cannot be parsed. */
  private Set<String> namesIn(String sql) {
    try {
      return StatementParts.of(new SQLParser(sql + "\n").parseStatement())
          .tables(database.connection());
    } catch (SQLException | RuntimeException e) {
      // Phoenix's parser throws both.
      return Set.of();
    }
  }

  private double rows(PTable table) throws SQLException {
    TableStatistics statistics = TableStatistics.of(database.connection(), table);
    return statistics.isKnown()
        ? statistics.rows()
        : TableStatistics.DEFAULT_ROWS_PER_REGION * whatIf.regions(table);
  }

  private IndexAdvice adviseChosen(IndexDefinition index, boolean exists) throws SQLException {
    WriteCost write = WriteCost.estimated(whatIf.bytesPerRow(index));
    List<WorkloadQuery> queries = queriesOf(index, after);
    whatIf.drop(index);
    List<QueryCost> without = queries.stream().map(whatIf::cost).toList();
    whatIf.create(index);
    List<QueryCost> with = queries.stream().map(query -> whatIf.cost(scans(query, after))).toList();
    return new IndexAdvice(
        exists ? IndexAdvice.Action.KEEP : IndexAdvice.Action.CREATE,
        index,
        write,
        numbers(queries),
        "its queries take " + sum(with) + ", and would take " + sum(without) + " without it");
  }

  private static String sum(List<QueryCost> costs) {
    return Figures.plural(costs.stream().mapToInt(QueryCost::rpcs).sum(), "scan RPC")
        + " for "
        + Figures.plural(Math.round(costs.stream().mapToDouble(QueryCost::rows).sum()), "row");
  }

  private IndexAdvice adviseUnread(IndexDefinition index, boolean mayBeReadByRefused)
      throws SQLException {
    WriteCost write = WriteCost.estimated(whatIf.bytesPerRow(index));
    if (mayBeReadByRefused) {
      return new IndexAdvice(
          IndexAdvice.Action.KEEP,
          index,
          write,
          List.of(),
          "no query that could be planned reads it, but a refused statement may");
    }
    List<WorkloadQuery> queries = queriesOf(index, before);
    return new IndexAdvice(
        IndexAdvice.Action.DROP,
        index,
        write,
        numbers(queries),
        queries.isEmpty()
            ? "no query of the workload reads it; check whether other queries do"
            : "its queries read a new index instead; check whether other queries read it");
  }

  private List<WorkloadQuery> queriesOf(
      IndexDefinition index, Map<WorkloadQuery, List<ScanEstimate>> plans) {
    return readers.getOrDefault(index.table(), List.of()).stream()
        .filter(
            query -> scans(query, plans).stream().anyMatch(scan -> index.isReadBy(scan.summary())))
        .toList();
  }

  private static List<ScanEstimate> scans(
      WorkloadQuery query, Map<WorkloadQuery, List<ScanEstimate>> plans) {
    return Objects.requireNonNull(plans.get(query), "not planned");
  }

  private static List<Integer> numbers(List<WorkloadQuery> queries) {
    return queries.stream().map(WorkloadQuery::number).toList();
  }

  private List<QueryAdvice> queries() {
    return before.keySet().stream()
        .map(
            query ->
                new QueryAdvice(
                    query.number(),
                    query.title(),
                    query.place(),
                    query.weight(),
                    current.cost(scans(query, before)),
                    whatIf.cost(scans(query, after))))
        .toList();
  }

  /**
   * Recommends ROW_INDEX_V1 for FAST_DIFF families in which rows are looked up by key. A lookup
   * decodes a FAST_DIFF block from its start, but not a ROW_INDEX_V1 block.
   */
  private List<StorageAdvice> settings(PTable table) throws SQLException {
    Set<String> lookedUp = new TreeSet<>();
    after.values().stream()
        .flatMap(List::stream)
        .map(ScanEstimate::summary)
        .filter(scan -> scan.indexKind() == IndexKind.LOCAL)
        .filter(scan -> scan.table().equals(table.getName().getString()))
        .forEach(scan -> lookedUp.addAll(scan.lookedUpFamilies()));
    List<StorageAdvice> settings = new ArrayList<>();
    for (String family : lookedUp) {
      DataBlockEncoding encoding = database.encoding(table, family);
      if (encoding == DataBlockEncoding.FAST_DIFF) {
        settings.add(adviseEncoding(table, family, encoding));
      }
    }
    return settings;
  }

  private static StorageAdvice adviseEncoding(
      PTable table, String family, DataBlockEncoding encoding) {
    String after = DataBlockEncoding.ROW_INDEX_V1.name();
    // Phoenix sets a property without a family for all data families.
    String familyPrefix = table.getColumnFamilies().size() > 1 ? SqlNames.plain(family) + "." : "";
    return new StorageAdvice(
        family,
        "DATA_BLOCK_ENCODING",
        encoding.name(),
        after,
        "rows are looked up by key in this family, and each lookup decodes its block from the"
            + " start; the files become larger",
        "ALTER TABLE "
            + SqlNames.full(table.getName().getString())
            + " SET "
            + familyPrefix
            + "DATA_BLOCK_ENCODING = '"
            + after
            + "'");
  }

  private List<String> assumptions(Collection<PTable> tables) throws SQLException {
    List<String> assumptions = new ArrayList<>(workload.notes());
    List<String> unknown = new ArrayList<>();
    for (PTable table : tables) {
      if (!TableStatistics.of(database.connection(), table).isKnown()) {
        unknown.add(SqlNames.full(table.getName().getString()));
      }
    }
    if (!unknown.isEmpty()) {
      assumptions.add(
          String.format(
              Locale.ROOT,
              "A region of %s has %,.0f rows, because there are no statistics; run UPDATE"
                  + " STATISTICS",
              String.join(", ", unknown),
              TableStatistics.DEFAULT_ROWS_PER_REGION));
    }
    assumptions.add(
        "Values are spread evenly; the number of different values in an indexed column is the"
            + " square root of the number of rows");
    assumptions.add(
        "Rows written while each query runs as often as its weight: "
            + writes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(
                    entry ->
                        String.format(Locale.ROOT, "%,.0f to %s", entry.getValue(), entry.getKey()))
                .collect(Collectors.joining(", "))
            + "; set them with --writes");
    assumptions.add("Pruning by keys that a join finds only at run time is not counted");
    if (after.values().stream().flatMap(List::stream).anyMatch(scan -> !scan.isWhereKnown())) {
      assumptions.add(
          "For a WHERE with a scalar subquery, all regions and RPCs are counted, but no rows or"
              + " bytes, because Phoenix plans the scan only at run time");
    }
    return assumptions;
  }
}
