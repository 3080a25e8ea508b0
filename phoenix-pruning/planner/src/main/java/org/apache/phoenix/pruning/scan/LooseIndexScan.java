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
package org.apache.phoenix.pruning.scan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.protocol.SeekRanges;
import org.jspecify.annotations.Nullable;

/**
 * Seeks from prefix to prefix in a local index (Leslie et al., Efficient Search of Multidimensional
 * B-Trees, VLDB 1995). A loose index scan helps if a query restricts a key column, but not all
 * columns before it. An example is {@code V = 5} along an index on {@code (K1, V)}. Each distinct
 * prefix then has its own range, and the rows between these ranges need not be read.
 *
 * <p>A loose index scan is an attribute of a scan that tests the whole condition itself. A server
 * that does not know the attribute returns the same rows.
 */
public final class LooseIndexScan {

  private final SkipScanFilter filter;
  private final int slots;
  private final List<String> prefix;
  private final List<String> sought;

  /** Serialized filter, or null until a scan is marked. */
  private byte @Nullable [] serialized;

  /**
   * Creates a loose index scan.
   *
   * @param filter the key ranges to seek to
   * @param slots the number of slots in {@code filter}
   * @param prefix the names of the columns whose values the scan steps through
   * @param sought the names of the columns whose ranges the scan seeks after each prefix
   */
  LooseIndexScan(SkipScanFilter filter, int slots, List<String> prefix, List<String> sought) {
    this.filter = filter;
    this.slots = slots;
    this.prefix = prefix;
    this.sought = sought;
  }

  /** Returns the number of leading slots of the key ranges by which the scan seeks. */
  public int slots() {
    return slots;
  }

  /** Returns the filter that decides which rows can match, and hints at the next such row. */
  public SkipScanFilter filter() {
    return filter;
  }

  /** Marks {@code scan}, so that it seeks. */
  void mark(Scan scan) {
    scan.setAttribute(SeekRanges.ATTRIBUTE, serialized());
  }

  /** Serializes the filter once for all scans of a query. */
  private byte[] serialized() {
    if (serialized == null) {
      try {
        serialized = filter.toByteArray();
      } catch (IOException e) {
        throw new UncheckedIOException("writing to memory failed", e);
      }
    }
    return serialized;
  }

  /** Returns a short description for users, such as {@code seeks V in each K1}. */
  public String seeks() {
    return "seeks " + String.join(", ", sought) + " in each " + String.join(", ", prefix);
  }

  /** Returns a step of EXPLAIN, such as {@code LOOSE INDEX SCAN SEEKS V IN EACH K1}. */
  @Override
  public String toString() {
    return "LOOSE INDEX SCAN SEEKS "
        + String.join(", ", sought)
        + " IN EACH "
        + String.join(", ", prefix);
  }
}
