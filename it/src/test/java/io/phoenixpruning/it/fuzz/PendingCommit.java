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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The writes of a commit. Statements that read see the rows as they were before the commit. Writes
 * apply in the order of the statements.
 */
final class PendingCommit {

  private final ModelTable table;
  private final Map<List<Object>, Map<String, Object>> committed;
  private final Map<List<Object>, Map<String, Object>> pending;
  private final Map<List<Object>, String> writers = new HashMap<>();
  private final List<KeyDelete> keyDeletes = new ArrayList<>();
  private final Set<String> reasons = new TreeSet<>();

  PendingCommit(ModelTable table) {
    this.table = table;
    this.committed = table.rows();
    this.pending = new LinkedHashMap<>(committed);
  }

  ModelTable table() {
    return table;
  }

  /** Returns the rows before the commit. */
  Map<List<Object>, Map<String, Object>> committed() {
    return committed;
  }

  /** Returns a row with the writes of this commit, or null if there is none. */
  Map<String, Object> row(List<Object> key) {
    return pending.get(key);
  }

  Set<List<Object>> writtenKeys() {
    return writers.keySet();
  }

  /**
   * Replaces a row.
   *
   * @param row the new row, or null to delete it
   */
  void write(String relation, List<Object> key, Map<String, Object> row) {
    Map<String, Object> before = pending.get(key);
    String writer = writers.putIfAbsent(key, relation);
    if (writer != null
        && !writer.equals(relation)
        && !KnownWriteDefect.TWO_RELATIONS.isIncluded()) {
      reject("a row is written through two relations");
    }
    if (row != null
        && keyDeletes.stream().anyMatch(earlier -> earlier.hasSent(relation, row))
        && !KnownWriteDefect.TWO_RELATIONS.isIncluded()) {
      reject("a row is written through two relations");
    }
    if (table.definition().immutable()
        && row != null
        && (before != null || committed.containsKey(key) || writer != null)) {
      reject("a row of an immutable table is written again");
    }
    if (row == null) {
      pending.remove(key);
    } else {
      pending.put(key, row);
    }
  }

  /**
   * Records a DELETE of keys. The client sends it even if there is no such row.
   *
   * @param condition a condition on key columns only
   */
  void deleteKeys(String relation, RowExpression condition) {
    keyDeletes.add(new KeyDelete(relation, condition));
  }

  /** Records that the commit must not run, because its rows are not defined. */
  void reject(String reason) {
    reasons.add(reason);
  }

  /** Returns whether the rows after the commit are defined. */
  boolean isAllowed() {
    return reasons.isEmpty();
  }

  /** Ends the commit. */
  void complete() {
    table.setRows(pending);
  }

  private record KeyDelete(String relation, RowExpression condition) {

    /** Returns whether the client may have sent a deletion of a row that is then written. */
    boolean hasSent(String writer, Map<String, Object> row) {
      return !relation.equals(writer) && condition.isTrue(row);
    }
  }
}
