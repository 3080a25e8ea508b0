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
package org.apache.phoenix.pruning.explain;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.schema.AmbiguousColumnException;
import org.apache.phoenix.schema.ColumnFamilyNotFoundException;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.ImmutableStorageScheme;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Finds the columns that a scan reads, except those of the row key. */
final class ReadColumns {

  private ReadColumns() {}

  /** Returns the columns that a plan reads. The plan must not have been explained or run. */
  static Set<PColumn> of(BaseQueryPlan plan) {
    PTable table = plan.getTableRef().getTable();
    Map<byte[], NavigableSet<byte[]>> families = plan.getContext().getScan().getFamilyMap();
    if (plan.getProjector().projectEverything()
        || table.getImmutableStorageScheme() != ImmutableStorageScheme.ONE_CELL_PER_COLUMN) {
      return all(table);
    }
    Set<PColumn> columns = new LinkedHashSet<>();
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : families.entrySet()) {
      if (!readsOnlyEmptyCell(plan, family.getKey(), family.getValue())) {
        addColumns(columns, table, family.getKey(), family.getValue());
      }
    }
    // Phoenix adds the columns of the WHERE only when it prepares the scan.
    for (Pair<byte[], byte[]> column : plan.getContext().getWhereConditionColumns()) {
      addColumns(columns, table, column.getFirst(), Collections.singleton(column.getSecond()));
    }
    return Collections.unmodifiableSet(columns);
  }

  /**
   * Returns whether a family is read only to find rows. COUNT(*) reads the empty cell of each row
   * and names no column.
   */
  private static boolean readsOnlyEmptyCell(
      BaseQueryPlan plan, byte[] family, @Nullable NavigableSet<byte[]> qualifiers) {
    return (qualifiers == null || qualifiers.isEmpty())
        && Bytes.equals(family, SchemaUtil.getEmptyColumnFamily(plan.getTableRef().getTable()));
  }

  private static Set<PColumn> all(PTable table) {
    Set<PColumn> columns = new LinkedHashSet<>(table.getColumns());
    columns.removeIf(SchemaUtil::isPKColumn);
    return Collections.unmodifiableSet(columns);
  }

  /**
   * Adds the columns of a family.
   *
   * @param qualifiers qualifiers of the columns; null or empty for all columns of the family
   */
  private static void addColumns(
      Set<PColumn> columns, PTable table, byte[] family, @Nullable Set<byte[]> qualifiers) {
    try {
      if (qualifiers == null || qualifiers.isEmpty()) {
        columns.addAll(table.getColumnFamily(family).getColumns());
        return;
      }
    } catch (ColumnFamilyNotFoundException e) {
      // The family has only the empty cell of each row.
      return;
    }
    for (byte[] qualifier : qualifiers) {
      try {
        columns.add(table.getColumnForColumnQualifier(family, qualifier));
      } catch (ColumnNotFoundException | AmbiguousColumnException e) {
        // The empty cell of each row is not a column.
        continue;
      }
    }
  }
}
