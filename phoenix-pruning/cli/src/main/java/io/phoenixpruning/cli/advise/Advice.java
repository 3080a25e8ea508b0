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

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What to change for a workload, and what its queries cost before and after.
 *
 * @param tables those that the workload reads, by name
 * @param queries in the order of the workload
 * @param assumptions what the estimates take for granted, a sentence each
 * @param refused why statements of the workload are left out, and where each is
 */
public record Advice(
    List<TableAdvice> tables,
    List<QueryAdvice> queries,
    List<String> assumptions,
    List<String> refused) {

  public Advice {
    tables = List.copyOf(tables);
    queries = List.copyOf(queries);
    assumptions = List.copyOf(assumptions);
    refused = List.copyOf(refused);
  }

  /**
   * Returns the statements to run, without semicolons; empty if nothing is to be changed. None of
   * them drops an index.
   */
  public List<String> ddl() {
    return tables.stream()
        .flatMap(
            table ->
                Stream.concat(
                    statements(table, index -> index.action() != IndexAdvice.Action.DROP),
                    table.settings().stream().map(StorageAdvice::ddl)))
        .toList();
  }

  /**
   * Returns the statements, without semicolons, that drop the indexes that no query of the workload
   * reads. Other statements may read them, so a person has to decide.
   */
  public List<String> drops() {
    return tables.stream()
        .flatMap(table -> statements(table, index -> index.action() == IndexAdvice.Action.DROP))
        .toList();
  }

  private static Stream<String> statements(TableAdvice table, Predicate<IndexAdvice> which) {
    return table.indexes().stream().filter(which).flatMap(index -> index.ddl().stream());
  }

  /** Scan RPCs of all queries, as often as they run, before the changes. */
  public double rpcsBefore() {
    return queries.stream().mapToDouble(query -> query.weight() * query.before().rpcs()).sum();
  }

  /** Scan RPCs of all queries, as often as they run, after the changes. */
  public double rpcsAfter() {
    return queries.stream().mapToDouble(query -> query.weight() * query.after().rpcs()).sum();
  }
}
