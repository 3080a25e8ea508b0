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
package io.phoenixpruning.cli.check;

import io.phoenixpruning.cli.check.CheckedTable.IndexRange;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.pruning.check.IndexEntries;
import org.apache.phoenix.pruning.protocol.IndexDifference.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Repairs entries that differ from their table, and checks their regions again.
 *
 * <p>Applications may write at the same time. A repair reads the entry first, with its delete
 * markers, and then the data row. So the data row is at least as new as the entry.
 *
 * <p>The repaired entry gets the timestamp of the data row. If the old entry or a delete marker is
 * at least as new, the repaired entry gets the next later timestamp. An entry whose timestamp would
 * be in the future is not repaired, because it would hide the next write of the data row.
 */
public final class IndexRepair {

  /** Maximum number of rounds. Applications may change the regions between two rounds. */
  private static final int MAX_ROUNDS = 5;

  /** Number of entries between two checks that their region still exists. */
  private static final int ENTRIES_UNTIL_LOOKUP = 100;

  private final CheckedTable checked;
  private final TableCheck check;
  private final Set<Kind> kinds;
  private final Map<Kind, Long> repaired = new EnumMap<>(Kind.class);

  /** Descriptor of the table, or null before it is needed. */
  private @Nullable TableDescriptor descriptor;

  private IndexRepair(CheckedTable checked, TableCheck check, Set<Kind> kinds) {
    this.checked = checked;
    this.check = check;
    this.kinds = kinds;
  }

  /**
   * Repairs the differences of {@code result}, and checks their regions again. Repeats this until
   * no difference of these kinds is left, or for {@value #MAX_ROUNDS} rounds.
   *
   * @param kinds the kinds of differences to repair
   */
  public static RepairResult repair(
      CheckedTable checked, TableCheck check, CheckResult result, Set<Kind> kinds)
      throws SQLException, IOException {
    IndexRepair repair = new IndexRepair(checked, check, kinds);
    List<Difference> left = repair.repair(result.differences());
    return new RepairResult(repair.repaired, left);
  }

  private List<Difference> repair(List<Difference> differences) throws SQLException, IOException {
    List<Difference> left = differences;
    for (int round = 0; round < MAX_ROUNDS && hasRepairable(left); round++) {
      List<RegionInfo> regions = left.stream().map(Difference::region).distinct().toList();
      repairAll(left);
      left = new ArrayList<>();
      for (CheckResult again : check.checkAgain(regions)) {
        left.addAll(again.differences());
      }
    }
    return left;
  }

  private boolean hasRepairable(List<Difference> differences) {
    return differences.stream().anyMatch(difference -> kinds.contains(difference.kind()));
  }

  private void repairAll(List<Difference> differences) throws SQLException, IOException {
    try (Table table = checked.open();
        RegionLocator locator = table.getRegionLocator()) {
      RegionInfo region = null;
      List<RegionEntries> entries = List.of();
      int seen = 0;
      for (Difference difference : differences) {
        if (!kinds.contains(difference.kind())) {
          continue;
        }
        if (!difference.region().equals(region)) {
          region = difference.region();
          entries = isCurrent(region, locator) ? entries(region) : List.of();
        } else if (++seen % ENTRIES_UNTIL_LOOKUP == 0 && !isCurrent(difference.region(), locator)) {
          entries = List.of();
        }
        if (!entries.isEmpty() && repair(difference, entriesOf(difference, entries), table)) {
          repaired.merge(difference.kind(), 1L, Long::sum);
        }
      }
    }
  }

  /** Entries of {@code count} indexes in a region, beginning with the index at {@code first}. */
  private record RegionEntries(int first, int count, IndexEntries entries) {}

  private List<RegionEntries> entries(RegionInfo region) throws IOException {
    List<RegionEntries> all = new ArrayList<>();
    for (IndexRange range : checked.requests(region, 0, 0)) {
      all.add(
          new RegionEntries(
              range.first(), range.request().indexes().size(), new IndexEntries(range.request())));
    }
    return all;
  }

  private static RegionEntries entriesOf(Difference difference, List<RegionEntries> all) {
    return all.stream()
        .filter(some -> difference.position() < some.first() + some.count())
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns whether {@code region} still exists. After a split or a merge, its entries have other
   * keys.
   */
  private static boolean isCurrent(RegionInfo region, RegionLocator locator) throws IOException {
    return locator
        .getRegionLocation(region.getStartKey(), true)
        .getRegion()
        .getEncodedName()
        .equals(region.getEncodedName());
  }

  /** Repairs one entry. Returns false if it no longer differs in the same way. */
  private boolean repair(Difference difference, RegionEntries entries, Table table)
      throws SQLException, IOException {
    byte[] key = difference.found().indexRowKey();
    StoredEntry stored = StoredEntry.read(key, table);
    Optional<byte[]> dataKey = difference.dataRowKey();
    // An entry belongs to the region of its data row. Elsewhere, no data row requires it.
    boolean isInRegion = dataKey.isPresent() && difference.region().containsRow(dataKey.get());
    List<Cell> data = isInRegion ? readData(dataKey.get(), table) : List.of();
    Put required = required(difference, entries, data);
    if (difference.kind() == Kind.EXTRA) {
      if (required != null || stored.families().isEmpty()) {
        return false;
      }
      table.delete(stored.deletion());
      return true;
    }
    if (required == null) {
      return false;
    }
    long written = data.stream().mapToLong(Cell::getTimestamp).max().orElseThrow();
    long timestamp = Math.max(written, stored.timestamp() + 1);
    if (timestamp > written && timestamp > System.currentTimeMillis()) {
      // An entry with a future timestamp would hide the next write of the data row.
      return false;
    }
    Put put = at(timestamp, required);
    limitLifetime(put, timestamp - written);
    RowMutations mutations = new RowMutations(key);
    if (!stored.families().isEmpty()) {
      mutations.add(stored.deletion());
    }
    mutations.add(put);
    table.mutateRow(mutations);
    return true;
  }

  private static List<Cell> readData(byte[] key, Table table) throws IOException {
    Result row = table.get(new Get(key));
    return row.isEmpty()
        ? List.of()
        : row.listCells().stream().filter(cell -> !IndexEntries.isOfIndex(cell)).toList();
  }

  /**
   * Returns the entry that the data row requires. Returns null if the data row requires no entry,
   * or an entry with another row key than {@code difference}.
   */
  private static @Nullable Put required(
      Difference difference, RegionEntries entries, List<Cell> data) throws IOException {
    if (data.isEmpty() || !entries.entries().satisfiesCondition(data)) {
      return null;
    }
    Put put = entries.entries().required(difference.position() - entries.first(), data, 0);
    return Arrays.equals(put.getRow(), difference.found().indexRowKey()) ? put : null;
  }

  private static Put at(long timestamp, Put required) {
    Put put = new Put(required.getRow());
    required
        .getFamilyCellMap()
        .values()
        .forEach(
            cells ->
                cells.forEach(
                    cell ->
                        put.addColumn(
                            CellUtil.cloneFamily(cell),
                            CellUtil.cloneQualifier(cell),
                            timestamp,
                            CellUtil.cloneValue(cell))));
    return put;
  }

  /**
   * Limits the lifetime of an entry that is newer than its data row, so that both expire together.
   */
  private void limitLifetime(Put put, long later) throws SQLException {
    if (later <= 0) {
      return;
    }
    if (descriptor == null) {
      descriptor = checked.descriptor();
    }
    for (byte[] family : put.getFamilyCellMap().keySet()) {
      int seconds = descriptor.getColumnFamily(family).getTimeToLive();
      if (seconds != HConstants.FOREVER) {
        put.setTTL(Math.max(1, seconds * 1_000L - later));
      }
    }
  }

  /**
   * Stored cells of an entry, including cells that delete markers hide.
   *
   * @param timestamp latest timestamp of the cells and of the markers, or -1
   * @param latest latest timestamp of the cells, or -1
   * @param families the families that have cells
   */
  private record StoredEntry(byte[] key, long timestamp, long latest, List<byte[]> families) {

    static StoredEntry read(byte[] key, Table table) throws IOException {
      Scan scan =
          new Scan().withStartRow(key).withStopRow(key, true).setRaw(true).readAllVersions();
      long timestamp = -1;
      long latest = -1;
      List<byte[]> families = new ArrayList<>();
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result row : scanner) {
          for (Cell cell : row.rawCells()) {
            if (!IndexEntries.isOfIndex(cell)) {
              continue;
            }
            timestamp = Math.max(timestamp, cell.getTimestamp());
            if (!CellUtil.isDelete(cell)) {
              latest = Math.max(latest, cell.getTimestamp());
              if (families.stream().noneMatch(each -> CellUtil.matchingFamily(cell, each))) {
                families.add(CellUtil.cloneFamily(cell));
              }
            }
          }
        }
      }
      return new StoredEntry(key, timestamp, latest, families);
    }

    /** Returns a Delete for the cells that were read. Cells that were written later are kept. */
    Delete deletion() {
      Delete delete = new Delete(key);
      families.forEach(family -> delete.addFamily(family, latest));
      return delete;
    }
  }
}
