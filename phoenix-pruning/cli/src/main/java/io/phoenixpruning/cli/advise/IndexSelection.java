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
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the indexes to create for a workload with a greedy algorithm.
 *
 * <p>Each step adds the index that reduces the workload's cost the most, until no index saves
 * enough. Then the selection removes chosen indexes that cost more than they save. A choice never
 * raises the scan RPCs, regions, rows or bytes of the workload. Existing indexes are kept.
 *
 * <p>The algorithm follows Chaudhuri and Narasayya, An Efficient, Cost-Driven Index Selection Tool,
 * VLDB 1997. It may miss the best set of indexes, but each step is based on actual plans.
 */
final class IndexSelection {

  /** Cost of writing an index row apart from its bytes, in units of the cost of reading one row. */
  private static final double COST_PER_WRITE = 10;

  /** Number of bytes that can be written in the time that it takes to read one row. */
  private static final double BYTES_PER_COST = 200;

  /** Minimum saving of an index, as a fraction of the workload's cost. */
  private static final double MIN_SAVING_SHARE = 0.01;

  /**
   * Minimum change in a query's cost that counts for an index, as a fraction of the query's cost.
   * Smaller changes are ignored because costs are estimates.
   */
  private static final double MIN_QUERY_CHANGE_SHARE = 0.1;

  private final WhatIf whatIf;
  private final Map<String, List<WorkloadQuery>> readers;
  private final Map<String, Double> writes;
  private final Map<WorkloadQuery, QueryCost> costs = new LinkedHashMap<>();
  private final Map<WorkloadQuery, QueryCost> initialCosts;
  private final List<IndexDefinition> existing;
  private final List<IndexDefinition> created = new ArrayList<>();
  private final double minSaving;

  /**
   * @param whatIf plans statements in a copy with the existing indexes
   * @param readers the queries that read a table, by the table's name in SQL
   * @param writes number of rows written to a table while each query runs as often as its weight,
   *     by the table's name in SQL
   * @param existing the existing local indexes
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
    this.initialCosts = Map.copyOf(costs);
    this.minSaving = MIN_SAVING_SHARE * total(costs);
  }

  /**
   * Chooses indexes from {@code candidates}. Returns the existing indexes and the indexes to
   * create. Afterwards, the copy of {@code whatIf} has exactly these indexes.
   *
   * @param done receives the number of candidates planned so far in the first round
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
    removeUseless();
    return Stream.concat(existing.stream(), created.stream()).toList();
  }

  /**
   * Returns the candidate that saves the most in addition to the chosen indexes, or null if no
   * candidate saves enough.
   *
   * <p>An index hardly ever saves more together with other indexes than alone. So a candidate is
   * planned again only if its last known saving exceeds the best saving found in this round.
   */
  private @Nullable IndexDefinition best(Map<IndexDefinition, Double> savings) throws SQLException {
    IndexDefinition best = null;
    double bestSaving = minSaving;
    List<IndexDefinition> promising =
        savings.entrySet().stream()
            .filter(entry -> entry.getValue() > minSaving)
            .sorted(Map.Entry.<IndexDefinition, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    for (IndexDefinition candidate : promising) {
      if (Objects.requireNonNull(savings.get(candidate)) <= bestSaving) {
        break;
      }
      double saving = saving(candidate);
      savings.put(candidate, saving);
      if (saving > bestSaving) {
        best = candidate;
        bestSaving = saving;
      }
    }
    return best;
  }

  private double saving(IndexDefinition candidate) throws SQLException {
    whatIf.create(candidate);
    Map<WorkloadQuery, QueryCost> costsWith = costs(candidate.table());
    double saving = saved(costsWith) - writeCost(candidate);
    whatIf.drop(candidate);
    return isWorse(costsWith, costs) ? Double.NEGATIVE_INFINITY : saving;
  }

  /**
   * Returns true if the weighted total of RPCs, regions, rows or bytes of the queries is higher in
   * {@code now} than in {@code before}.
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

  /** Returns the current costs of the queries that read a table. */
  private Map<WorkloadQuery, QueryCost> costs(String table) {
    Map<WorkloadQuery, QueryCost> now = new LinkedHashMap<>();
    readers.getOrDefault(table, List.of()).forEach(query -> now.put(query, whatIf.cost(query)));
    return now;
  }

  private double saved(Map<WorkloadQuery, QueryCost> now) {
    double saved = 0;
    for (Map.Entry<WorkloadQuery, QueryCost> entry : now.entrySet()) {
      double before = Objects.requireNonNull(costs.get(entry.getKey())).cost();
      double queryChange = before - entry.getValue().cost();
      if (Math.abs(queryChange) >= MIN_QUERY_CHANGE_SHARE * before) {
        saved += entry.getKey().weight() * queryChange;
      }
    }
    return saved;
  }

  private static double total(Map<WorkloadQuery, QueryCost> costs) {
    return costs.entrySet().stream()
        .mapToDouble(entry -> entry.getKey().weight() * entry.getValue().cost())
        .sum();
  }

  /** Returns the cost of writing the rows of an index that currently exists in the copy. */
  private double writeCost(IndexDefinition index) throws SQLException {
    return writes.getOrDefault(index.table(), 0.0)
        * (COST_PER_WRITE + whatIf.bytesPerRow(index) / BYTES_PER_COST);
  }

  private void removeUseless() throws SQLException {
    for (IndexDefinition index : List.copyOf(created)) {
      double writeCost = writeCost(index);
      whatIf.drop(index);
      Map<WorkloadQuery, QueryCost> costsWithout = costs(index.table());
      if (-saved(costsWithout) <= writeCost && !isWorse(costsWithout, initialCosts)) {
        created.remove(index);
        costs.putAll(costsWithout);
      } else {
        whatIf.create(index);
      }
    }
  }
}
