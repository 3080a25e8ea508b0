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

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.RoundDateExpression;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.parse.HintNode.Hint;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.patch.PatchRequest;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.BoundedInput;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;
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

  /** Scan attribute that holds a serialized {@link SkipScanFilter}. */
  public static final String ATTRIBUTE = "_PhoenixPruningLooseIndexScan";

  /** Maximum number of ranges, which is limited because each scan carries all ranges. */
  private static final int MAX_RANGES = 10_000;

  private static final int BITS_OF_RANGES = (1 << 21) - 1;

  private final SkipScanFilter filter;
  private final int slots;
  private final List<String> prefix = new ArrayList<>();
  private final List<String> sought = new ArrayList<>();

  /** Serialized filter, or null until a scan is marked. */
  private byte @Nullable [] serialized;

  private LooseIndexScan(SkipScanFilter filter, int slots) {
    this.filter = filter;
    this.slots = slots;
  }

  /** Returns the loose index scan for {@code plan}, or empty if no condition allows one. */
  public static Optional<LooseIndexScan> of(QueryPlan plan) {
    if (plan.getOrderBy() == OrderBy.REV_ROW_KEY_ORDER_BY
        || plan.getStatement().getHint().hasHint(Hint.RANGE_SCAN)
        || hasRounding(where(plan))) {
      return Optional.empty();
    }
    PTable table = plan.getTableRef().getTable();
    boolean isOfTenant = plan.getContext().getConnection().getTenantId() != null;
    return of(plan.getContext().getScanRanges(), new TableKeyColumns(table, isOfTenant));
  }

  /** Returns the WHERE of a plan, or null if there is none. */
  private static @Nullable Expression where(QueryPlan plan) {
    BoundWhere where = ((BoundWhere.Holder) (Object) plan.getContext()).getBoundWhere();
    return where == null ? null : where.expression();
  }

  /**
   * Returns whether an expression contains FLOOR, CEIL, ROUND or TRUNC. Phoenix's key ranges for
   * these functions lack rows for descending columns and for dates before 1970.
   */
  private static boolean hasRounding(@Nullable Expression expression) {
    return expression instanceof RoundDateExpression
        || expression instanceof RoundDecimalExpression
        || expression != null
            && expression.getChildren().stream().anyMatch(LooseIndexScan::hasRounding);
  }

  /** Returns the loose index scan for key ranges, or empty if they do not allow one. */
  public static Optional<LooseIndexScan> of(ScanRanges ranges, TableKeyColumns columns) {
    if (ranges.isEverything()
        || ranges.isDegenerate()
        || ranges.isPointLookup()
        || ranges.useSkipScanFilter()
        || ranges.isSalted()) {
      return Optional.empty();
    }
    List<List<KeyRange>> slots = ranges.getRanges().subList(0, end(ranges, columns));
    int prefix = firstRange(slots);
    if (slots.size() <= prefix + 1 || slots.stream().mapToInt(List::size).sum() > MAX_RANGES) {
      return Optional.empty();
    }
    int[] furtherColumns = Arrays.copyOf(ranges.getSlotSpans(), slots.size());
    SkipScanFilter filter =
        RangePatches.withAll(
                () -> ScanRanges.create(ranges.getSchema(), slots, furtherColumns, null, true, -1))
            .getSkipScanFilter();
    LooseIndexScan loose = new LooseIndexScan(filter, slots.size());
    loose.name(slots, furtherColumns, columns);
    return Optional.of(loose);
  }

  /**
   * Returns the number of slots up to the last slot that restricts its values. Stops before a slot
   * that follows the whole data key, where no two rows have the same prefix. Also stops before
   * bytes of variable length: Phoenix's ranges confuse null with bytes that begin with a zero byte.
   */
  private static int end(ScanRanges ranges, TableKeyColumns columns) {
    List<List<KeyRange>> slots = ranges.getRanges();
    int all = columns.countDataKeyColumns(0, columns.count());
    int end = 0;
    for (int i = 0; i < slots.size(); i++) {
      int column = columnsBefore(ranges, i);
      int last = column + ranges.getSlotSpans()[i];
      if (columns.countDataKeyColumns(0, column) == all
          || IntStream.rangeClosed(column, last).anyMatch(columns::isBinary)) {
        break;
      }
      if (!slots.get(i).contains(KeyRange.EVERYTHING_RANGE)) {
        end = i + 1;
      }
    }
    return end;
  }

  private static int columnsBefore(ScanRanges ranges, int slot) {
    return ScanUtil.getRowKeyPosition(ranges.getSlotSpans(), slot);
  }

  /**
   * Returns the first slot with other ranges than single values, or the number of slots if there is
   * none.
   */
  private static int firstRange(List<List<KeyRange>> slots) {
    int slot = 0;
    while (slot < slots.size() && isPoints(slots.get(slot))) {
      slot++;
    }
    return slot;
  }

  /**
   * Parses the key ranges with which a scan was marked.
   *
   * @throws IOException if the bytes do not describe key ranges
   */
  public static SkipScanFilter read(byte[] serialized) throws IOException {
    try {
      check(new BoundedInput("ranges of keys", serialized));
      SkipScanFilter filter = SkipScanFilter.parseFrom(serialized);
      ((PatchRequest.Patched) filter).setPatches(PatchSet.ALL);
      return filter;
    } catch (EOFException | DeserializationException | RuntimeException e) {
      throw new IOException("These bytes do not describe ranges of keys: " + e, e);
    }
  }

  private static void check(BoundedInput in) throws IOException {
    in.skipRowKeySchema();
    int slots = in.readInt();
    in.requireWithin("the number of slots", slots, 1, in.available());
    for (int i = 0; i < slots; i++) {
      // Encoded as -(n + 1). The low 21 bits of n are the number of ranges, the bits above are the
      // number of columns after the first.
      int columnsAndRanges = in.readInt();
      in.requireWithin("the columns of a slot", columnsAndRanges, Integer.MIN_VALUE, -1);
      int ranges = -(columnsAndRanges + 1) & BITS_OF_RANGES;
      in.requireWithin("the number of ranges", ranges, 1, in.available());
      for (int bound = 0; bound < 2 * ranges; bound++) {
        // The length is negative for an exclusive bound, and 0 for no bound.
        long length = Math.abs((long) in.readVInt());
        in.readBytes("the length of a bound", Math.max(0, length - 1));
      }
    }
  }

  private static boolean isPoints(List<KeyRange> slot) {
    return slot.stream().allMatch(KeyRange::isSingleKey);
  }

  /** Fills in the names of the prefix columns and of the columns to seek. */
  private void name(List<List<KeyRange>> ranges, int[] furtherColumns, TableKeyColumns columns) {
    int column = 0;
    for (int i = 0; i < ranges.size(); i++) {
      boolean isPrefix = i < ranges.size() - 1 && !isPoints(ranges.get(i));
      for (int further = furtherColumns[i]; further >= 0; further--, column++) {
        if (columns.isVariable(column)) {
          (isPrefix ? prefix : sought).add(columns.name(column));
        }
      }
    }
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
    scan.setAttribute(ATTRIBUTE, serialized());
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
