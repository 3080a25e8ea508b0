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
package io.phoenixpruning.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.util.ScanUtil;

/** Changes the rows that scans of a local index return, in each of the hooks that can do this. */
public final class RowHooks extends RegionHook {

  /** Actions of the hooks. */
  enum Behaviour {
    NOTHING,
    REMOVE_IN_POST_SCANNER_NEXT,
    BYPASS_IN_PRE_SCANNER_NEXT,
    READ_IN_PRE_SCANNER_NEXT,
    ADD_IN_POST_SCANNER_NEXT,
    REMOVE_IN_SCANNER,
    FAIL_IN_POST_SCANNER_OPEN,
    FAIL_IN_PRE_SCANNER_CLOSE,
    HOLD_IN_POST_SCANNER_NEXT
  }

  /** Action at the point where a test holds a handler. */
  interface Action {
    void run(RegionInfo region) throws IOException;
  }

  private static volatile Behaviour behaviour = Behaviour.NOTHING;
  private static volatile Action holdAction = region -> {};
  private static volatile Result addedRow;

  /** Scanners of a local index, for which the hooks act. */
  private static final Set<Object> SCANNERS =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());
  private static final List<Filter> FILTERS = Collections.synchronizedList(new ArrayList<>());

  /** Sets the action of the hooks. */
  static void setBehaviour(Behaviour newValue) {
    behaviour = newValue;
    SCANNERS.clear();
    CALLS.clear();
    FILTERS.clear();
  }

  /** Sets the action at the point where a handler is held. */
  static void setHoldAction(Action newValue) {
    holdAction = newValue;
  }

  /** Sets the row that hooks add. */
  static void setAddedRow(Result row) {
    addedRow = row;
  }

  /** Returns the hooks that have been called for scans of a local index. */
  static List<String> calls() {
    synchronized (CALLS) {
      return List.copyOf(CALLS);
    }
  }

  /** Returns the filters of the scans of a local index, as they were when the scans were opened. */
  static List<Filter> filters() {
    synchronized (FILTERS) {
      return List.copyOf(FILTERS);
    }
  }

  /** Returns whether the hooks leave out {@code row}. */
  private static boolean isHidden(List<Cell> row) {
    return row.stream()
        .anyMatch(
            cell ->
                Bytes.toStringBinary(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength())
                    .contains("hidden"));
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) {
    if (ScanUtil.isLocalIndex(scan)) {
      CALLS.add("preScannerOpen");
      FILTERS.add(scan.getFilter());
    }
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
      throws IOException {
    if (!ScanUtil.isLocalIndex(scan)) {
      return scanner;
    }
    CALLS.add("postScannerOpen");
    if (behaviour == Behaviour.FAIL_IN_POST_SCANNER_OPEN) {
      throw new IOException("the test makes postScannerOpen fail");
    }
    RegionScanner returned =
        behaviour == Behaviour.REMOVE_IN_SCANNER ? new RemovingScanner(scanner) : scanner;
    SCANNERS.add(returned);
    return returned;
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasMore)
      throws IOException {
    if (SCANNERS.contains(scanner)) {
      CALLS.add("preScannerNext");
      if (behaviour == Behaviour.BYPASS_IN_PRE_SCANNER_NEXT) {
        context.bypass();
        return true;
      } else if (behaviour == Behaviour.READ_IN_PRE_SCANNER_NEXT) {
        context.bypass();
        read(scanner, results);
        return true;
      }
    }
    return hasMore;
  }

  private static void read(InternalScanner scanner, List<Result> results) throws IOException {
    boolean hasMore = true;
    while (hasMore) {
      List<Cell> cells = new ArrayList<>();
      hasMore = scanner.next(cells);
      if (!cells.isEmpty() && !isHidden(cells)) {
        results.add(Result.create(cells));
      }
    }
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasMore)
      throws IOException {
    if (SCANNERS.contains(scanner)) {
      CALLS.add("postScannerNext");
      if (behaviour == Behaviour.REMOVE_IN_POST_SCANNER_NEXT) {
        Predicate<Result> hidden = row -> isHidden(row.listCells());
        results.removeIf(hidden);
      } else if (behaviour == Behaviour.ADD_IN_POST_SCANNER_NEXT && results.isEmpty()) {
        results.add(addedRow);
      } else if (behaviour == Behaviour.HOLD_IN_POST_SCANNER_NEXT) {
        holdAction.run(context.getEnvironment().getRegionInfo());
      }
    }
    return hasMore;
  }

  @Override
  public void preScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner)
      throws IOException {
    if (SCANNERS.contains(scanner)) {
      CALLS.add("preScannerClose");
      if (behaviour == Behaviour.FAIL_IN_PRE_SCANNER_CLOSE) {
        throw new IOException("the test makes preScannerClose fail");
      }
    }
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    if (SCANNERS.remove(scanner)) {
      CALLS.add("postScannerClose");
    }
  }

  /** Leaves out rows in the method that a server calls for a client. */
  private static final class RemovingScanner implements RegionScanner {

    private final RegionScanner scanner;

    RemovingScanner(RegionScanner scanner) {
      this.scanner = scanner;
    }

    @Override
    public boolean nextRaw(List<Cell> cells, ScannerContext context) throws IOException {
      boolean hasMore = scanner.nextRaw(cells, context);
      if (isHidden(cells)) {
        cells.clear();
      }
      return hasMore;
    }

    @Override
    public boolean nextRaw(List<Cell> cells) throws IOException {
      return scanner.nextRaw(cells);
    }

    @Override
    public boolean next(List<Cell> cells) throws IOException {
      return scanner.next(cells);
    }

    @Override
    public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
      return scanner.next(cells, context);
    }

    @Override
    public RegionInfo getRegionInfo() {
      return scanner.getRegionInfo();
    }

    @Override
    public boolean isFilterDone() throws IOException {
      return scanner.isFilterDone();
    }

    @Override
    public boolean reseek(byte[] row) throws IOException {
      return scanner.reseek(row);
    }

    @Override
    public long getMaxResultSize() {
      return scanner.getMaxResultSize();
    }

    @Override
    public long getMvccReadPoint() {
      return scanner.getMvccReadPoint();
    }

    @Override
    public int getBatch() {
      return scanner.getBatch();
    }

    @Override
    public void close() throws IOException {
      scanner.close();
    }
  }
}
