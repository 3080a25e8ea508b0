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
import org.apache.phoenix.pruning.region.PruningRule;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/** One scan of a plan: what it reads, how, and in how many regions. Immutable. */
public final class ScanSummary {

  /** Where a view has an index of its table, the view's full name stands before it, and this. */
  private static final String INHERITED = QueryConstants.CHILD_VIEW_INDEX_NAME_SEPARATOR;

  private final String table;
  private final String index;
  private final IndexKind indexKind;
  private final IndexLayout.Kind layout;
  private final ScanType type;
  private final PlannedRegions regions;
  private final int clientScans;
  private final Set<String> lookedUpFamilies;

  private ScanSummary(
      PTable scanned,
      IndexLayout.Kind layout,
      ScanRanges ranges,
      ExplainPlan explained,
      int clientScans) {
    this.indexKind = IndexKind.of(scanned);
    this.index = indexKind == IndexKind.NONE ? null : nameOfIndex(scanned);
    this.layout = layout;
    this.table = nameOfTable(scanned, indexKind);
    ExplainedScan scan = (ExplainedScan) (Object) explained.getPlanStepsAsAttributes();
    this.type = ScanType.of(ranges, scan);
    this.regions = PlannedRegions.of(ranges, scan);
    this.clientScans = clientScans;
    this.lookedUpFamilies = families(explained.getPlanStepsAsAttributes().getServerMergeColumns());
  }

  /** The summary of the one scan that {@code plan} makes. */
  static ScanSummary of(BaseQueryPlan plan) throws SQLException {
    PTable scanned = plan.getTableRef().getTable();
    // Makes the scans, too.
    ExplainPlan explained = plan.getExplainPlan();
    return new ScanSummary(
        scanned,
        IndexKind.of(scanned) == IndexKind.LOCAL
            ? layout(plan.getContext().getConnection(), nameOfIndex(scanned))
            : null,
        plan.getContext().getScanRanges(),
        explained,
        plan.getScans().stream().mapToInt(List::size).sum());
  }

  /** That of the index on the table or view on which it was created. */
  private static IndexLayout.Kind layout(PhoenixConnection connection, String name)
      throws SQLException {
    PTable index = connection.getTable(name);
    PTable owner = connection.getTable(index.getParentName().getString());
    return IndexLayout.of(connection, owner, index).kind();
  }

  private static String nameOfTable(PTable scanned, IndexKind kind) {
    if (kind == IndexKind.NONE) {
      return scanned.getName().getString();
    }
    int view = scanned.getTableName().getString().indexOf(INHERITED);
    return view < 0
        ? scanned.getParentName().getString()
        : scanned.getTableName().getString().substring(0, view);
  }

  private static String nameOfIndex(PTable index) {
    String name = index.getName().getString();
    int inherited = name.lastIndexOf(INHERITED);
    return inherited < 0 ? name : name.substring(inherited + INHERITED.length());
  }

  private static Set<String> families(Set<PColumn> columns) {
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

  /** The full name of the table or view whose rows are wanted, also if an index is read. */
  public String table() {
    return table;
  }

  /** The full name of the index that is read; empty if the table is. */
  public Optional<String> index() {
    return Optional.ofNullable(index);
  }

  /**
   * Whether the rows of {@code name} are wanted.
   *
   * @param name as in SQL: in any case unless it is quoted; the schema may be left out
   */
  public boolean isOfTable(String name) {
    return isName(name, table);
  }

  /**
   * Whether the index {@code name} is read.
   *
   * @param name as in SQL: in any case unless it is quoted; the schema may be left out
   */
  public boolean isOfIndex(String name) {
    return index != null && isName(name, index);
  }

  private static boolean isName(String written, String name) {
    String normalized = SchemaUtil.normalizeFullTableName(written);
    return name.equals(normalized) || SchemaUtil.getTableNameFromFullName(name).equals(normalized);
  }

  public IndexKind indexKind() {
    return indexKind;
  }

  /** The layout of the index; empty if no local index is read. */
  public Optional<IndexLayout.Kind> layout() {
    return Optional.ofNullable(layout);
  }

  public ScanType type() {
    return type;
  }

  /** How many regions are planned; empty if EXPLAIN does not say. */
  public OptionalInt regionsPlanned() {
    return regions.planned();
  }

  /** How many regions there are; empty for anything but a local index, and in mode stock. */
  public OptionalInt regionsTotal() {
    return regions.total();
  }

  /** How many regions are not planned, by rule; empty where that is not known, or all are. */
  public Map<PruningRule, Integer> regionsPruned() {
    return regions.pruned();
  }

  /**
   * How many scans the client makes of it: one for each part of a planned region between
   * guideposts. Each takes one RPC, or more if it returns much; one that a LIMIT ends before is not
   * sent.
   */
  public int clientScans() {
    return clientScans;
  }

  /**
   * The families of the table whose rows are looked up by key, as the index lacks columns of them;
   * ordered.
   */
  public Set<String> lookedUpFamilies() {
    return lookedUpFamilies;
  }

  /** For people: {@code range scan of natural local index I2 of T: 1 of 20 regions}. */
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
    boolean isOne = regionsTotal().orElse(regionsPlanned().orElse(0)) == 1;
    text.append(isOne ? " region" : " regions");
    regionsPruned()
        .forEach(
            (rule, number) -> text.append(", ").append(number).append(" pruned by ").append(rule));
    return text.toString();
  }

  private static String count(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "unknown number of";
  }
}
