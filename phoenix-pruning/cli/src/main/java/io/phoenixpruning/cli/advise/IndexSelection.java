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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Chooses indexes to create: one after the other that saves most of what the workload costs, as
 * long as one saves enough; then leaves out those that cost more than they save. A choice never
 * raises the scan RPCs, regions, rows or bytes of the workload. Indexes that are there stay. (The
 * greedy way of Chaudhuri and Narasayya, An Efficient, Cost-Driven Index Selection Tool, VLDB 1997:
 * it need not find the best set, but each step is planned, not guessed.)
 */
final class IndexSelection {

  /** What an index costs for a row that is written, besides its bytes, in rows that are read. */
  private static final double WRITE = 10;

  /** How many bytes are written in the time that it takes to read a row. */
  private static final double BYTES = 200;

  /** An index that saves less of what the workload costs is not worth its name. */
  private static final double LEAST_PART = 0.01;

  /** What a query saves less of its cost by an index does not count for it: these are estimates. */
  private static final double LEAST_PART_OF_QUERY = 0.1;

  private final WhatIf whatIf;
  private final Map<String, List<WorkloadQuery>> readers;
  private final Map<String, Double> writes;
  private final Map<WorkloadQuery, QueryCost> costs = new LinkedHashMap<>();
  private final Map<WorkloadQuery, QueryCost> first;
  private final List<IndexDefinition> existing;
  private final List<IndexDefinition> created = new ArrayList<>();
  private final double least;

  /**
   * @param whatIf has the indexes that are there now
   * @param readers which queries read which table, by its name in SQL
   * @param writes how many rows are written to it while each query runs as often as its weight
   * @param existing the local indexes that are there now
   */
  IndexSelection(
      WhatIf whatIf,
      List<WorkloadQuery> queries,
      Map<String, List<WorkloadQuery>> readers,
      Map<String, Double> writes,
      List<IndexDefinition> existing) {
    this.whatIf = whatIf;
    this.readers = readers;
    this.writes = writes;
    this.existing = List.copyOf(existing);
    for (WorkloadQuery query : queries) {
      costs.put(query, whatIf.cost(query));
    }
    this.first = Map.copyOf(costs);
    this.least = LEAST_PART * total(costs);
  }

  /**
   * Chooses among {@code candidates}. What {@code whatIf} has then are those that are returned: the
   * existing ones, and those to create.
   *
   * @param done is told how many candidates have been planned with first
   */
  List<IndexDefinition> choose(List<IndexDefinition> candidates, LongConsumer done)
      throws SQLException {
    Map<IndexDefinition, Double> savings = new LinkedHashMap<>();
    for (IndexDefinition candidate : candidates) {
      savings.put(candidate, saving(candidate));
      done.accept(savings.size());
    }
    while (true) {
      IndexDefinition best = best(savings);
      if (best == null) {
        break;
      }
      savings.remove(best);
      whatIf.create(best);
      created.add(best);
      costs.putAll(costs(best.table()));
    }
    leaveOutUseless();
    return Stream.concat(existing.stream(), created.stream()).toList();
  }

  /**
   * The one that saves most, with what has been chosen; null if none saves enough. One saves hardly
   * more with others beside it than alone, so that not all need to be planned with again.
   */
  private IndexDefinition best(Map<IndexDefinition, Double> savings) throws SQLException {
    IndexDefinition best = null;
    double most = least;
    List<IndexDefinition> promising =
        savings.entrySet().stream()
            .filter(entry -> entry.getValue() > least)
            .sorted(Map.Entry.<IndexDefinition, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    for (IndexDefinition candidate : promising) {
      if (savings.get(candidate) <= most) {
        break;
      }
      double saving = saving(candidate);
      savings.put(candidate, saving);
      if (saving > most) {
        best = candidate;
        most = saving;
      }
    }
    return best;
  }

  private double saving(IndexDefinition candidate) throws SQLException {
    whatIf.create(candidate);
    Map<WorkloadQuery, QueryCost> with = costs(candidate.table());
    double saving = saved(with) - cost(candidate);
    whatIf.drop(candidate);
    return isWorse(with, costs) ? Double.NEGATIVE_INFINITY : saving;
  }

  /**
   * Returns true if a figure of the report is higher for the queries of {@code now} than before.
   */
  private static boolean isWorse(
      Map<WorkloadQuery, QueryCost> now, Map<WorkloadQuery, QueryCost> before) {
    return Stream.<ToDoubleFunction<QueryCost>>of(
            QueryCost::rpcs, QueryCost::regions, QueryCost::rows, QueryCost::bytes)
        .anyMatch(
            figure ->
                now.entrySet().stream()
                        .mapToDouble(
                            entry ->
                                entry.getKey().weight()
                                    * (figure.applyAsDouble(entry.getValue())
                                        - figure.applyAsDouble(before.get(entry.getKey()))))
                        .sum()
                    > 0);
  }

  /** What the queries cost now that read a table. */
  private Map<WorkloadQuery, QueryCost> costs(String table) {
    Map<WorkloadQuery, QueryCost> now = new LinkedHashMap<>();
    readers.getOrDefault(table, List.of()).forEach(query -> now.put(query, whatIf.cost(query)));
    return now;
  }

  private double saved(Map<WorkloadQuery, QueryCost> now) {
    double saved = 0;
    for (Map.Entry<WorkloadQuery, QueryCost> entry : now.entrySet()) {
      double before = costs.get(entry.getKey()).cost();
      double ofQuery = before - entry.getValue().cost();
      if (Math.abs(ofQuery) >= LEAST_PART_OF_QUERY * before) {
        saved += entry.getKey().weight() * ofQuery;
      }
    }
    return saved;
  }

  private static double total(Map<WorkloadQuery, QueryCost> costs) {
    return costs.entrySet().stream()
        .mapToDouble(entry -> entry.getKey().weight() * entry.getValue().cost())
        .sum();
  }

  /** What it costs to write the rows of an index that is there. */
  private double cost(IndexDefinition index) throws SQLException {
    return writes.getOrDefault(index.table(), 0.0) * (WRITE + whatIf.bytesPerRow(index) / BYTES);
  }

  private void leaveOutUseless() throws SQLException {
    for (IndexDefinition index : List.copyOf(created)) {
      double cost = cost(index);
      whatIf.drop(index);
      Map<WorkloadQuery, QueryCost> without = costs(index.table());
      if (-saved(without) <= cost && !isWorse(without, first)) {
        created.remove(index);
        costs.putAll(without);
      } else {
        whatIf.create(index);
      }
    }
  }
}
