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
package io.phoenixpruning.testing;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts of the Scan RPCs for one table, by kind. Each RPC has exactly one kind, so {@link #rpcs()}
 * is the sum of all kinds.
 */
public final class ScanRpcCounts {

  /** Counts without any RPC. */
  public static final ScanRpcCounts NONE = new ScanRpcCounts(Collections.emptySortedMap(), 0, 0, 0);

  private final SortedMap<String, Long> opensByRegion;
  private final long nexts;
  private final long closes;
  private final long renewals;

  /**
   * @param opensByRegion number of opens by encoded region name; regions without an open are
   *     dropped
   */
  ScanRpcCounts(Map<String, Long> opensByRegion, long nexts, long closes, long renewals) {
    SortedMap<String, Long> opened = new TreeMap<>(opensByRegion);
    opened.values().removeIf(count -> count == 0);
    this.opensByRegion = Collections.unmodifiableSortedMap(opened);
    this.nexts = nexts;
    this.closes = closes;
    this.renewals = renewals;
  }

  /** Returns the number of all RPCs. */
  public long rpcs() {
    return opens() + nexts + closes + renewals;
  }

  /**
   * Returns the number of RPCs that opened a scanner. Such an RPC may also have returned rows and
   * closed the scanner.
   */
  public long opens() {
    return opensByRegion.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the number of RPCs that requested more rows from an open scanner. */
  public long nexts() {
    return nexts;
  }

  /** Returns the number of RPCs that only closed a scanner. */
  public long closes() {
    return closes;
  }

  /** Returns the number of RPCs that only renewed the lease of a scanner. */
  public long renewals() {
    return renewals;
  }

  /** Returns the sorted encoded names of the regions in which a scanner was opened. */
  public Set<String> regions() {
    return opensByRegion.keySet();
  }

  /** Returns the counts since {@code earlier}, which must be from the same counter and table. */
  public ScanRpcCounts minus(ScanRpcCounts earlier) {
    return combine(earlier, -1);
  }

  /** Returns the sum of these counts and {@code other}. */
  public ScanRpcCounts plus(ScanRpcCounts other) {
    return combine(other, 1);
  }

  private ScanRpcCounts combine(ScanRpcCounts other, int sign) {
    Map<String, Long> opened = new TreeMap<>(opensByRegion);
    other.opensByRegion.forEach((region, count) -> opened.merge(region, sign * count, Long::sum));
    return new ScanRpcCounts(
        opened,
        nexts + sign * other.nexts,
        closes + sign * other.closes,
        renewals + sign * other.renewals);
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof ScanRpcCounts other
        && opensByRegion.equals(other.opensByRegion)
        && nexts == other.nexts
        && closes == other.closes
        && renewals == other.renewals;
  }

  @Override
  public int hashCode() {
    return Objects.hash(opensByRegion, nexts, closes, renewals);
  }

  /** Returns a text such as {@code 3 scan RPCs (2 open, 1 next, 0 close, 0 renew) in 2 regions}. */
  @Override
  public String toString() {
    return String.format(
        "%d scan RPCs (%d open, %d next, %d close, %d renew) in %d regions",
        rpcs(), opens(), nexts, closes, renewals, opensByRegion.size());
  }
}
