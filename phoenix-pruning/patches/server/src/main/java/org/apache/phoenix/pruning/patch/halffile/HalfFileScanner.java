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
package org.apache.phoenix.pruning.patch.halffile;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.IndexHalfStoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.jspecify.annotations.Nullable;

/**
 * Scanner of a local index's store file after a region split or merge, until compaction rewrites
 * the file. The file belongs to a parent region, so its row keys start with the parent's start key.
 *
 * <p>All row keys of such a file have the same prefix. The scanner replaces this prefix with the
 * prefix of the current region, which does not change the order. After a split, the scanner skips
 * the rows of the other daughter region. Such rows can be anywhere in the file because it is sorted
 * by the indexed columns.
 *
 * <p>A DELETE that the server runs writes delete markers into all families. So the file can also
 * have markers under the keys of data rows. They hide no index row, and the scanner skips them.
 *
 * <p>With the patch {@code mob-index}, the scanner returns the large values themselves instead of
 * references to MOB files. A compaction then writes them to new MOB files, under their new keys.
 *
 * <p>Phoenix's own scanner has four faults:
 *
 * <ul>
 *   <li>A reversed scan of an upper half returns no rows.
 *   <li>Some scans of rows with several columns do not end.
 *   <li>Closing the scanner closes the file for all other scanners.
 *   <li>It also replaces the prefix in the keys of data rows. The cells are then out of order, and
 *       compactions fail.
 * </ul>
 */
public final class HalfFileScanner extends StoreFileScanner {

  private final IndexHalfStoreFileReader reader;
  private final LocalIndexes indexes;
  private final HFileScanner scanner;

  /** True if other scanners share the file. */
  private final boolean shared;

  /** True for a compaction, which deletes the rows that this scanner leaves out. */
  private final boolean isCompaction;

  private final CellComparator comparator;

  /** Prefix of the row keys in the file. */
  private final byte[] filePrefix;

  /** Prefix of the row keys in the region. */
  private final byte[] regionPrefix;

  /**
   * Reads large values by their keys in the file. Null if the keys do not change, or if the table
   * has no MOB files.
   */
  private final @Nullable MobValues mobValues;

  /** True if some rows of the file belong to another region. */
  private final boolean needsFilter;

  /** Current cell, with the region's prefix; null at the end. */
  private @Nullable Cell current;

  private boolean closed;

  private HalfFileScanner(
      IndexHalfStoreFileReader reader,
      LocalIndexes indexes,
      HFileScanner scanner,
      boolean pread,
      boolean isCompaction,
      long readPoint,
      long scannerOrder,
      boolean canOptimizeForNonNullColumn) {
    super(
        reader,
        scanner,
        !isCompaction,
        reader.getHFileReader().hasMVCCInfo(),
        readPoint,
        scannerOrder,
        canOptimizeForNonNullColumn,
        reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1);
    this.reader = reader;
    this.indexes = indexes;
    this.scanner = scanner;
    this.shared = pread;
    this.isCompaction = isCompaction;
    this.comparator = reader.getComparator();
    this.filePrefix = reader.getRegionStartKeyInHFile();
    byte[] start = reader.getRegionInfo().getStartKey();
    byte[] split = reader.getSplitRow();
    if (reader.isTop()) {
      this.regionPrefix = split;
      // After a merge, the split row is the start key of the merged region.
      this.needsFilter = Bytes.equals(start, split);
    } else {
      // The prefix of a table's first region consists of as many zero bytes as its end key is long.
      this.regionPrefix = start.length == 0 ? new byte[split.length] : filePrefix;
      this.needsFilter = true;
    }
    this.mobValues =
        Arrays.equals(filePrefix, regionPrefix) || !Patches.isOn(Patch.MOB_INDEX)
            ? null
            : MobValues.of(indexes.environment());
  }

  /**
   * Returns a scanner of the file of {@code reader}. Parameters without a description are those of
   * {@link IndexHalfStoreFileReader#getStoreFileScanner}.
   *
   * @param indexes local indexes that have rows in the file
   */
  public static HalfFileScanner of(
      IndexHalfStoreFileReader reader,
      LocalIndexes indexes,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      long readPoint,
      long scannerOrder,
      boolean canOptimizeForNonNullColumn) {
    return new HalfFileScanner(
        reader,
        indexes,
        reader.getScanner(cacheBlocks, pread, isCompaction),
        pread,
        isCompaction,
        readPoint,
        scannerOrder,
        canOptimizeForNonNullColumn);
  }

  @Override
  public @Nullable Cell peek() {
    return current;
  }

  @Override
  public @Nullable Cell next() throws IOException {
    Cell next = current;
    if (next != null) {
      super.next();
      skipToRegion(super.peek() != null);
    }
    return next;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    int order = compareToPrefix(key);
    return skipToRegion(order <= 0 && super.seek(order < 0 ? firstInFile() : withFilePrefix(key)));
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    int order = compareToPrefix(key);
    return skipToRegion(
        order <= 0 && super.reseek(order < 0 ? firstInFile() : withFilePrefix(key)));
  }

  @Override
  public boolean seekToLastRow() throws IOException {
    byte[] last = reader.getLastRowKey().orElse(null);
    if (last == null) {
      return skipToRegion(false);
    }
    Cell first = PrivateCellUtil.createFirstOnRow(last);
    return skipBackwardsToRegion(super.seek(first) || super.seekToPreviousRow(first));
  }

  @Override
  public boolean seekToPreviousRow(Cell key) throws IOException {
    int order = compareToPrefix(key);
    if (order > 0) {
      return seekToLastRow();
    }
    return skipBackwardsToRegion(order == 0 && super.seekToPreviousRow(withFilePrefix(key)));
  }

  @Override
  public boolean backwardSeek(Cell key) throws IOException {
    seek(key);
    return (current != null && comparator.compareRows(current, key) <= 0) || seekToPreviousRow(key);
  }

  /**
   * Seeks at once. A lazy seek would return a placeholder cell with the prefix of the parent
   * region.
   */
  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    return forward ? reseek(key) : seek(key);
  }

  @Override
  public boolean realSeekDone() {
    return true;
  }

  @Override
  public void enforceSeek() {}

  /** Returns null because the file's block index has keys with the prefix of the parent region. */
  @Override
  public @Nullable Cell getNextIndexedKey() {
    return null;
  }

  /**
   * Returns true without a check. The file's Bloom filter has row keys with the prefix of the
   * parent region. Phoenix's check of the scan's key range mistakes the start of a reversed scan
   * for the start of another region.
   */
  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpiredTimestamp) {
    return true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    current = null;
    if (shared) {
      scanner.close();
    } else {
      super.close();
    }
  }

  /** Moves forward to the first cell that belongs to the region, starting with the current cell. */
  private boolean skipToRegion(boolean isPositioned) throws IOException {
    boolean hasCell = isPositioned;
    while (hasCell && !isInRegion(super.peek())) {
      super.next();
      hasCell = super.peek() != null;
    }
    current = hasCell ? withRegionPrefix(super.peek()) : null;
    return hasCell;
  }

  /**
   * Moves backward to the first cell of the nearest row that belongs to the region, starting with
   * the current row.
   */
  private boolean skipBackwardsToRegion(boolean isPositioned) throws IOException {
    boolean hasCell = isPositioned;
    while (hasCell && !isInRegion(super.peek())) {
      hasCell = super.seekToPreviousRow(super.peek());
    }
    current = hasCell ? withRegionPrefix(super.peek()) : null;
    return hasCell;
  }

  private boolean isInRegion(Cell cell) throws IOException {
    if (!isIndexRow(cell)) {
      return false;
    }
    if (!needsFilter) {
      return true;
    }
    ImmutableBytesWritable indexKey =
        new ImmutableBytesWritable(
            cell.getRowArray(),
            cell.getRowOffset() + filePrefix.length,
            cell.getRowLength() - filePrefix.length);
    byte[] dataKey = indexes.dataKey(indexKey, isCompaction);
    return dataKey != null && Bytes.compareTo(dataKey, reader.getSplitRow()) >= 0 == reader.isTop();
  }

  private boolean isIndexRow(Cell cell) {
    return cell.getRowLength() >= filePrefix.length
        && Bytes.equals(
            cell.getRowArray(),
            cell.getRowOffset(),
            filePrefix.length,
            filePrefix,
            0,
            filePrefix.length);
  }

  /**
   * Returns a negative number if {@code key} sorts before all rows of the region, a positive number
   * if it sorts after them, and otherwise zero.
   */
  private int compareToPrefix(Cell key) {
    int length = Math.min(key.getRowLength(), regionPrefix.length);
    int order =
        Bytes.compareTo(key.getRowArray(), key.getRowOffset(), length, regionPrefix, 0, length);
    return order == 0 && length < regionPrefix.length ? -1 : order;
  }

  private Cell firstInFile() {
    return PrivateCellUtil.createFirstOnRow(filePrefix);
  }

  private Cell withFilePrefix(Cell key) {
    return replacePrefix(key, regionPrefix, filePrefix);
  }

  private Cell withRegionPrefix(Cell cell) throws IOException {
    Cell whole = mobValues == null ? cell : mobValues.resolve(cell);
    KeyValue replaced = replacePrefix(whole, filePrefix, regionPrefix);
    replaced.setSequenceId(cell.getSequenceId());
    return replaced;
  }

  private static KeyValue replacePrefix(Cell cell, byte[] oldPrefix, byte[] newPrefix) {
    byte[] row = new byte[cell.getRowLength() - oldPrefix.length + newPrefix.length];
    System.arraycopy(newPrefix, 0, row, 0, newPrefix.length);
    System.arraycopy(
        cell.getRowArray(),
        cell.getRowOffset() + oldPrefix.length,
        row,
        newPrefix.length,
        cell.getRowLength() - oldPrefix.length);
    return new KeyValue(
        row,
        0,
        row.length,
        cell.getFamilyArray(),
        cell.getFamilyOffset(),
        cell.getFamilyLength(),
        cell.getQualifierArray(),
        cell.getQualifierOffset(),
        cell.getQualifierLength(),
        cell.getTimestamp(),
        KeyValue.Type.codeToType(cell.getTypeByte()),
        cell.getValueArray(),
        cell.getValueOffset(),
        cell.getValueLength(),
        cell.getTagsArray(),
        cell.getTagsOffset(),
        cell.getTagsLength());
  }
}
