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

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.phoenix.compile.ExplainPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.prune.PruningRule;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Summary of one scan of a plan: table, index, scan type and regions. Immutable. */
public final class ScanSummary {

  /**
   * Separator between the full name of a view and the name of an index that the view inherits from
   * its table.
   */
  private static final String INHERITED = QueryConstants.CHILD_VIEW_INDEX_NAME_SEPARATOR;

  private final String table;
  private final @Nullable String index;
  private final IndexKind indexKind;
  private final IndexLayout.@Nullable Kind layout;
  private final ScanType type;
  private final PlannedRegions regions;
  private final int clientScans;
  private final Set<String> lookedUpFamilies;

  private ScanSummary(
      PTable scanned,
      IndexLayout.@Nullable Kind layout,
      ScanRanges ranges,
      ExplainPlan explained,
      int clientScans) {
    this.indexKind = IndexKind.of(scanned);
    this.index = indexKind == IndexKind.NONE ? null : indexName(scanned);
    this.layout = layout;
    this.table = tableName(scanned, indexKind);
    ExplainedScan scan = (ExplainedScan) (Object) explained.getPlanStepsAsAttributes();
    this.type = ScanType.of(ranges, scan);
    this.regions = PlannedRegions.of(ranges, scan);
    this.clientScans = clientScans;
    this.lookedUpFamilies = families(explained.getPlanStepsAsAttributes().getServerMergeColumns());
  }

  /** Summarizes the only scan of {@code plan}. */
  static ScanSummary of(BaseQueryPlan plan) throws SQLException {
    PTable scanned = plan.getTableRef().getTable();
    // Also creates the scans.
    ExplainPlan explained = plan.getExplainPlan();
    return new ScanSummary(
        scanned,
        IndexKind.of(scanned) == IndexKind.LOCAL
            ? layout(plan.getContext().getConnection(), indexName(scanned))
            : null,
        plan.getContext().getScanRanges(),
        explained,
        plan.getScans().stream().mapToInt(List::size).sum());
  }

  /** Returns the layout of an index on the table or view on which the index was created. */
  private static IndexLayout.Kind layout(PhoenixConnection connection, String name)
      throws SQLException {
    PTable index = connection.getTable(name);
    PTable owner = connection.getTable(index.getParentName().getString());
    return IndexLayout.of(connection, owner, index).kind();
  }

  private static String tableName(PTable scanned, IndexKind kind) {
    if (kind == IndexKind.NONE) {
      return scanned.getName().getString();
    }
    int endOfViewName = scanned.getTableName().getString().indexOf(INHERITED);
    return endOfViewName < 0
        ? scanned.getParentName().getString()
        : scanned.getTableName().getString().substring(0, endOfViewName);
  }

  private static String indexName(PTable index) {
    String name = index.getName().getString();
    int endOfPrefix = name.lastIndexOf(INHERITED);
    return endOfPrefix < 0 ? name : name.substring(endOfPrefix + INHERITED.length());
  }

  private static Set<String> families(@Nullable Set<PColumn> columns) {
    if (columns == null) {
      return Collections.emptySet();
    }
    Set<String> families = new TreeSet<>();
    for (PColumn column : columns) {
      if (!SchemaUtil.isPKColumn(column)) {
        families.add(column.getFamilyName().getString());
      }
    }
    return Collections.unmodifiableSet(families);
  }

  /**
   * Returns the full name of the table or view whose rows are read, even if an index is scanned.
   */
  public String table() {
    return table;
  }

  /** Returns the full name of the index that is scanned, or empty if the table is scanned. */
  public Optional<String> index() {
    return Optional.ofNullable(index);
  }

  /**
   * Returns whether this scan is for rows of table or view {@code name}.
   *
   * @param name a name as in SQL, case-insensitive unless quoted; the schema is optional
   */
  public boolean readsTable(String name) {
    return matchesName(name, table);
  }

  /**
   * Returns whether index {@code name} is scanned.
   *
   * @param name a name as in SQL, case-insensitive unless quoted; the schema is optional
   */
  public boolean scansIndex(String name) {
    return index != null && matchesName(name, index);
  }

  private static boolean matchesName(String written, String name) {
    String normalized = SchemaUtil.normalizeFullTableName(written);
    return name.equals(normalized) || SchemaUtil.getTableNameFromFullName(name).equals(normalized);
  }

  public IndexKind indexKind() {
    return indexKind;
  }

  /** Returns the layout of the index, or empty if no local index is scanned. */
  public Optional<IndexLayout.Kind> layout() {
    return Optional.ofNullable(layout);
  }

  public ScanType type() {
    return type;
  }

  /** Returns the number of planned regions, or empty if EXPLAIN does not report the number. */
  public OptionalInt regionsPlanned() {
    return regions.planned();
  }

  /**
   * Returns the number of regions of the table. Empty if no local index is scanned, or in mode
   * {@code stock}.
   */
  public OptionalInt regionsTotal() {
    return regions.total();
  }

  /**
   * Returns the number of pruned regions by rule. Empty if unknown, or if all regions are planned.
   */
  public Map<PruningRule, Integer> regionsPruned() {
    return regions.pruned();
  }

  /**
   * Returns the number of scans that the client makes: one for each part of a planned region
   * between guideposts. Each scan takes one RPC, or more if the scan returns much data. Scans that
   * a LIMIT does not need are not sent.
   */
  public int clientScans() {
    return clientScans;
  }

  /**
   * Returns the families of the table whose columns the index lacks, in order. The rows of the
   * table are looked up by key for these columns.
   */
  public Set<String> lookedUpFamilies() {
    return lookedUpFamilies;
  }

  /** Returns readable text: {@code range scan of natural local index I2 of T: 1 of 20 regions}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(type == ScanType.NONE ? "no" : type).append(" scan of ");
    if (index != null) {
      text.append(layout == null ? "" : layout.name().toLowerCase(Locale.ROOT) + " ")
          .append(indexKind)
          .append(" index ")
          .append(index)
          .append(" of ");
    }
    text.append(table).append(": ").append(count(regionsPlanned()));
    if (regionsTotal().isPresent()) {
      text.append(" of ").append(regionsTotal().getAsInt());
    }
    boolean isSingular = regionsTotal().orElse(regionsPlanned().orElse(0)) == 1;
    text.append(isSingular ? " region" : " regions");
    regionsPruned()
        .forEach(
            (rule, number) -> text.append(", ").append(number).append(" pruned by ").append(rule));
    return text.toString();
  }

  private static String count(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "unknown number of";
  }
}
