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
 * Definition of a local index in SQL. All names are written as in SQL.
 *
 * @param table full name of the table
 * @param name index name without a schema
 * @param prefix leading columns of the table's key that a rearranged index begins with; empty for a
 *     natural index
 * @param columns declared key columns after the prefix
 * @param covered covered columns
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

  /** Returns the prefix followed by the other key columns. */
  public List<String> key() {
    List<String> key = new ArrayList<>(prefix);
    key.addAll(columns);
    return key;
  }

  /**
   * Returns whether the other index is on the same table, with the same key and the same covered
   * columns. The order of the covered columns does not matter.
   */
  boolean hasSameColumns(IndexDefinition other) {
    return table.equals(other.table)
        && key().equals(other.key())
        && Set.copyOf(covered).equals(Set.copyOf(other.covered));
  }

  boolean isReadBy(ScanSummary scan) {
    return scan.readsTable(table) && scan.scansIndex(name);
  }

  /** Returns the CREATE LOCAL INDEX statement, without a semicolon. */
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

  /** Returns the DROP INDEX statement, without a semicolon. */
  public String drop() {
    return "DROP INDEX " + name + " ON " + table;
  }
}
