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

/** Which columns a scan reads besides those of the row key. */
final class ReadColumns {

  private ReadColumns() {}

  /** Those of a plan that has not been explained or run. */
  static Set<PColumn> of(BaseQueryPlan plan) {
    PTable table = plan.getTableRef().getTable();
    Map<byte[], NavigableSet<byte[]>> families = plan.getContext().getScan().getFamilyMap();
    if (plan.getProjector().projectEverything()
        || table.getImmutableStorageScheme() != ImmutableStorageScheme.ONE_CELL_PER_COLUMN) {
      return all(table);
    }
    Set<PColumn> columns = new LinkedHashSet<>();
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : families.entrySet()) {
      if (!isForRowsOnly(plan, family.getKey(), family.getValue())) {
        addTo(columns, table, family.getKey(), family.getValue());
      }
    }
    // They are added to the scan only when it is prepared.
    for (Pair<byte[], byte[]> column : plan.getContext().getWhereConditionColumns()) {
      addTo(columns, table, column.getFirst(), Collections.singleton(column.getSecond()));
    }
    return Collections.unmodifiableSet(columns);
  }

  /** COUNT(*) reads the cell that each row has, of a family of which it names no column. */
  private static boolean isForRowsOnly(
      BaseQueryPlan plan, byte[] family, NavigableSet<byte[]> qualifiers) {
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
   * @param qualifiers null or empty for all columns of the family
   */
  private static void addTo(
      Set<PColumn> columns, PTable table, byte[] family, Set<byte[]> qualifiers) {
    try {
      if (qualifiers == null || qualifiers.isEmpty()) {
        columns.addAll(table.getColumnFamily(family).getColumns());
        return;
      }
    } catch (ColumnFamilyNotFoundException e) {
      // There is only the cell that each row has.
      return;
    }
    for (byte[] qualifier : qualifiers) {
      try {
        columns.add(table.getColumnForColumnQualifier(family, qualifier));
      } catch (ColumnNotFoundException | AmbiguousColumnException e) {
        // The cell that each row has.
        continue;
      }
    }
  }
}
