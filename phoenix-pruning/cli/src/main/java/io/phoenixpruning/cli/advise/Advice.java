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
 * Recommended changes for a workload, with the cost of its queries before and after the changes.
 *
 * @param tables tables that the workload reads, in the order of their names
 * @param queries queries in the order of the workload
 * @param assumptions assumptions of the estimates, each a sentence
 * @param refused reasons why statements of the workload are left out, each with the location of the
 *     statement
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
   * Returns the DDL statements to run, without semicolons; empty if no change is recommended. No
   * statement drops an index.
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
   * reads. A person has to decide on each index, because statements outside the workload may read
   * it.
   */
  public List<String> drops() {
    return tables.stream()
        .flatMap(table -> statements(table, index -> index.action() == IndexAdvice.Action.DROP))
        .toList();
  }

  private static Stream<String> statements(TableAdvice table, Predicate<IndexAdvice> which) {
    return table.indexes().stream().filter(which).flatMap(index -> index.ddl().stream());
  }
}
