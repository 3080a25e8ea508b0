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
package org.apache.phoenix.pruning.plan;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;

/** Refuses a scan of more regions than {@link PruningOptions#MAX_REGIONS} allows. */
public final class RegionBudget {

  /** {@code program_limit_exceeded}, as PostgreSQL has it. */
  private static final String SQL_STATE = "54000";

  private RegionBudget() {}

  /**
   * Lets scans of {@code regions} pass, if there are not too many of them.
   *
   * @param regions once for each scan, in key order; null if there is one only
   * @throws SQLException that says how many there are, why, and what can be done
   */
  public static void check(QueryPlan plan, List<HRegionLocation> regions) throws SQLException {
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
        "The query would scan %,d regions of %s, but %s is %,d: so many can hold a matching row, by"
            + " what it says of the row key (%s). Say more of that in the WHERE, use an index, or"
            + " raise %s of the connection",
        count,
        scanned.getName().getString(),
        PruningOptions.MAX_REGIONS,
        allowed,
        keyColumns(scanned),
        PruningOptions.MAX_REGIONS);
  }

  /** The columns by which regions of a table are found; of a local index, those of its table. */
  private static String keyColumns(PTable scanned) {
    KeyColumns key = new KeyColumns(scanned, false);
    boolean isLocal = scanned.getIndexType() == IndexType.LOCAL;
    return IntStream.range(0, key.count())
        .filter(i -> key.isVariable(i) && (!isLocal || key.isOfDataKey(i)))
        .mapToObj(key::name)
        .collect(Collectors.joining(", "));
  }
}
