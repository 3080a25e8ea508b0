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
package org.apache.phoenix.pruning.prune;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.jspecify.annotations.Nullable;

/** Refuses a scan of more regions than {@link PruningOptions#MAX_REGIONS} allows. */
public final class RegionLimit {

  /** The SQLSTATE of {@code program_limit_exceeded} in PostgreSQL. */
  private static final String SQL_STATE = "54000";

  private RegionLimit() {}

  /**
   * Checks that the scans of a plan do not read too many regions.
   *
   * @param regions the region of each scan, in key order, or null if there is only one scan
   * @throws SQLException if there are too many regions. The message says how many, why, and what to
   *     do.
   */
  public static void check(QueryPlan plan, @Nullable List<HRegionLocation> regions)
      throws SQLException {
    int allowed = PruningOptions.of(plan.getContext().getConnection()).maxRegions();
    if (regions == null || regions.size() <= allowed) {
      return;
    }
    long count =
        regions.stream()
            .map(location -> location.getRegion().getRegionName())
            .map(ByteBuffer::wrap)
            .distinct()
            .count();
    if (count > allowed) {
      throw new SQLException(message(plan.getTableRef().getTable(), count, allowed), SQL_STATE);
    }
  }

  private static String message(PTable scanned, long count, int allowed) {
    return String.format(
        Locale.ROOT,
        "The query would scan %,d regions of %s, but %s is %,d. Add conditions on the row key (%s)"
            + " to the WHERE clause, use an index, or raise %s of the connection",
        count,
        scanned.getName().getString(),
        PruningOptions.MAX_REGIONS,
        allowed,
        keyColumns(scanned),
        PruningOptions.MAX_REGIONS);
  }

  /**
   * Returns the key columns by which the regions of a table are found. For a local index, these are
   * key columns of its data table.
   */
  private static String keyColumns(PTable scanned) {
    TableKeyColumns key = new TableKeyColumns(scanned, false);
    boolean isLocal = scanned.getIndexType() == IndexType.LOCAL;
    return IntStream.range(0, key.count())
        .filter(i -> key.isVariable(i) && (!isLocal || key.isDataKeyColumn(i)))
        .mapToObj(key::name)
        .collect(Collectors.joining(", "));
  }
}
