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
import java.util.List;
import java.util.Set;
import org.apache.phoenix.pruning.explain.ScanSummary;
import org.apache.phoenix.pruning.layout.IndexLayout;

/**
 * A local index as SQL defines it.
 *
 * @param table the full name of its table, as in SQL
 * @param name without a schema, as in SQL
 * @param prefix the leading columns of the table's key with which a rearranged index begins, as in
 *     SQL; none of a natural one
 * @param columns what its key has behind the prefix, as in SQL
 * @param covered the other columns that it keeps, as in SQL
 */
public record IndexDefinition(
    String table, String name, List<String> prefix, List<String> columns, List<String> covered) {

  public IndexDefinition {
    prefix = List.copyOf(prefix);
    columns = List.copyOf(columns);
    covered = List.copyOf(covered);
  }

  public IndexLayout.Kind layout() {
    return prefix.isEmpty() ? IndexLayout.Kind.NATURAL : IndexLayout.Kind.REARRANGED;
  }

  /** The prefix and the columns. */
  public List<String> key() {
    List<String> key = new ArrayList<>(prefix);
    key.addAll(columns);
    return key;
  }

  /** Whether the other one has the same key, and covers the same, in whatever order. */
  boolean hasSameColumns(IndexDefinition other) {
    return table.equals(other.table)
        && key().equals(other.key())
        && Set.copyOf(covered).equals(Set.copyOf(other.covered));
  }

  boolean isReadBy(ScanSummary scan) {
    return scan.isOfTable(table) && scan.isOfIndex(name);
  }

  /** The statement that makes it, without a semicolon. */
  public String create() {
    return "CREATE LOCAL INDEX "
        + name
        + " ON "
        + table
        + " ("
        + String.join(", ", key())
        + ")"
        + (covered.isEmpty() ? "" : " INCLUDE (" + String.join(", ", covered) + ")");
  }

  /** The statement that drops it, without a semicolon. */
  public String drop() {
    return "DROP INDEX " + name + " ON " + table;
  }
}
