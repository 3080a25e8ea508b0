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
package io.phoenixpruning.cli.explain;

import io.phoenixpruning.report.format.Figures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.phoenix.pruning.explain.IndexKind;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.pruning.explain.ScanSummary;
import org.apache.phoenix.pruning.explain.ScanType;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PTable;

/** Finds parts of a plan that probably cost more than necessary. */
final class PlanWarnings {

  private final Database database;
  private final OptionalInt maxRegions;

  /**
   * @param maxRegions maximum number of regions of a statement; empty for no limit
   */
  PlanWarnings(Database database, OptionalInt maxRegions) {
    this.database = database;
    this.maxRegions = maxRegions;
  }

  /** Returns the warnings about {@code plan}, without duplicates. */
  List<Warning> of(PlanSummary plan) throws SQLException {
    List<Warning> warnings = new ArrayList<>();
    if (maxRegions.isPresent() && plan.regionsPlanned().orElse(0) > maxRegions.getAsInt()) {
      warnings.add(
          new Warning(
              Warning.Kind.REGION_BUDGET,
              "the statement plans "
                  + Figures.plural(plan.regionsPlanned().getAsInt(), "region")
                  + ", but --max-regions is "
                  + maxRegions.getAsInt()
                  + ". Add conditions on the primary key to its WHERE"));
    }
    for (ScanSummary scan : plan.scans()) {
      if (scan.type() != ScanType.NONE) {
        fanOut(scan).ifPresent(warnings::add);
        PTable table = database.connection().getTable(scan.table());
        if (scan.indexKind() == IndexKind.LOCAL) {
          for (String family : scan.lookedUpFamilies()) {
            encoding(table, family).ifPresent(warnings::add);
          }
        }
        database.statisticsWarning(scanned(scan, table)).ifPresent(warnings::add);
      }
    }
    return warnings.stream().distinct().toList();
  }

  private static Optional<Warning> fanOut(ScanSummary scan) {
    int total = scan.regionsTotal().orElse(0);
    return total > 1 && scan.regionsPlanned().orElse(0) == total
        ? Optional.of(
            new Warning(
                Warning.Kind.FULL_FAN_OUT,
                "the local index "
                    + scan.index().orElseThrow()
                    + " is scanned in all "
                    + total
                    + " regions. Add conditions on the primary key of "
                    + scan.table()
                    + " to the WHERE, or use a global index"))
        : Optional.empty();
  }

  private Optional<Warning> encoding(PTable table, String family) throws SQLException {
    String name = table.getName().getString();
    return database.encoding(table, family) == DataBlockEncoding.FAST_DIFF
        ? Optional.of(
            new Warning(
                Warning.Kind.FAST_DIFF,
                "rows of "
                    + name
                    + " are looked up by key in the family "
                    + family
                    + ", and each lookup decodes its FAST_DIFF block from the start. Include the"
                    + " columns in the index, or run ALTER TABLE "
                    + SqlNames.full(name)
                    + " SET "
                    // Phoenix sets a property without a family for all data families.
                    + (table.getColumnFamilies().size() > 1 ? SqlNames.plain(family) + "." : "")
                    + "DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'"))
        : Optional.empty();
  }

  /**
   * Returns the index that is scanned, or {@code table} if no index is. A view has the indexes of
   * its table under longer names.
   */
  private static PTable scanned(ScanSummary scan, PTable table) {
    return scan.index()
        .flatMap(
            index ->
                table.getIndexes().stream()
                    .filter(
                        candidate -> {
                          String name = candidate.getName().getString();
                          return name.equals(index)
                              || name.endsWith(
                                  QueryConstants.CHILD_VIEW_INDEX_NAME_SEPARATOR + index);
                        })
                    .findFirst())
        .orElse(table);
  }
}
