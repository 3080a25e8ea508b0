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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.parse.HintNode.Hint;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.SeekRanges;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the scans of a plan can seek from prefix to prefix, and by which key ranges. They
 * can if a restricted key column follows a column that is not restricted to single values.
 *
 * <p>Scans seek only with all patches of {@code local-index}. HBase may return an empty batch after
 * a seek, which Phoenix's server mistakes for the end of the scan without {@link
 * Patch#EMPTY_BATCH}. Other patches correct Phoenix's key ranges. After a column without a
 * condition, Phoenix itself does not use these ranges: it tests each row.
 */
public final class LooseIndexScanPlanner {

  private LooseIndexScanPlanner() {}

  /**
   * Returns the loose index scan for {@code plan}, or empty if the scans of the plan do not seek.
   * If planning fails with a RuntimeException, the scans do not seek.
   */
  public static Optional<LooseIndexScan> plan(QueryPlan plan) throws SQLException {
    if (PlanningMode.of(plan) != PruningMode.EXACT
        || !Patches.areOn(PatchSet.LOCAL_INDEX, plan.getContext().getConnection())) {
      return Optional.empty();
    }
    PTable index = plan.getTableRef().getTable();
    try {
      boolean isOfTenant = plan.getContext().getConnection().getTenantId() != null;
      return isSeekable(plan)
          ? plan(plan.getContext().getScanRanges(), new TableKeyColumns(index, isOfTenant))
          : Optional.empty();
    } catch (RuntimeException e) {
      Fallbacks.GLOBAL.looseIndexScanFailed(index.getName().getString(), e);
      return Optional.empty();
    }
  }

  /** Returns true unless the order, a hint or a condition of a plan forbids seeks. */
  private static boolean isSeekable(QueryPlan plan) {
    return plan.getOrderBy() != OrderBy.REV_ROW_KEY_ORDER_BY
        && !plan.getStatement().getHint().hasHint(Hint.RANGE_SCAN)
        && !hasInexactRange(where(plan));
  }

  /** Returns the WHERE of a plan, or null if there is none. */
  private static @Nullable Expression where(QueryPlan plan) {
    BoundWhere where = ((BoundWhere.Holder) (Object) plan.getContext()).getBoundWhere();
    return where == null ? null : where.expression();
  }

  /**
   * Returns whether an expression contains a function for which Phoenix's key ranges can lack rows.
   * Examples are {@code REGEXP_SUBSTR(S, 'b$') = 'b'}, RTRIM of a descending column, and TRUNC of a
   * date before 1970. Only the ranges of SUBSTR of a VARCHAR have all rows: see {@link
   * Patch#SUBSTRING_RANGE}.
   */
  private static boolean hasInexactRange(@Nullable Expression expression) {
    return expression != null
        && (hasInexactRangeItself(expression)
            || expression.getChildren().stream().anyMatch(LooseIndexScanPlanner::hasInexactRange));
  }

  private static boolean hasInexactRangeItself(Expression expression) {
    return expression instanceof ScalarFunction
        && ((ScalarFunction) expression).getKeyFormationTraversalIndex()
            != ScalarFunction.NO_TRAVERSAL
        && !(expression instanceof SubstrFunction
            && expression.getChildren().get(0).getDataType() == PVarchar.INSTANCE);
  }

  /** Returns the loose index scan for key ranges, or empty if they do not allow one. */
  public static Optional<LooseIndexScan> plan(ScanRanges ranges, TableKeyColumns columns) {
    if (ranges.isEverything()
        || ranges.isDegenerate()
        || ranges.isPointLookup()
        || ranges.useSkipScanFilter()
        || ranges.isSalted()) {
      return Optional.empty();
    }
    List<List<KeyRange>> slots = ranges.getRanges().subList(0, seekableSlots(ranges, columns));
    if (slots.size() <= leadingPointSlots(slots) + 1
        || slots.stream().mapToInt(List::size).sum() > SeekRanges.MAX_SENT_RANGES) {
      return Optional.empty();
    }
    int[] slotSpans = Arrays.copyOf(ranges.getSlotSpans(), slots.size());
    SkipScanFilter filter =
        RangePatches.withAll(
                () -> ScanRanges.create(ranges.getSchema(), slots, slotSpans, null, true, -1))
            .getSkipScanFilter();
    return Optional.of(looseIndexScan(filter, slots, slotSpans, columns));
  }

  /**
   * Returns the number of slots up to the last slot that restricts its values. Stops before a slot
   * that follows the whole data key, where no two rows have the same prefix. Also stops before:
   *
   * <ul>
   *   <li>bytes of variable length: Phoenix's ranges confuse null with bytes that begin with a zero
   *       byte;
   *   <li>a range of a CHAR: Phoenix pads its bounds with blanks, and compares values without
   *       blanks, so the range lacks values with a character that sorts before the blank;
   *   <li>a range of a BINARY: if the column is descending, Phoenix does not pad its bounds.
   * </ul>
   */
  private static int seekableSlots(ScanRanges ranges, TableKeyColumns columns) {
    List<List<KeyRange>> slots = ranges.getRanges();
    int all = columns.countDataKeyColumns(0, columns.count());
    int end = 0;
    for (int i = 0; i < slots.size(); i++) {
      int first = ScanUtil.getRowKeyPosition(ranges.getSlotSpans(), i);
      int last = first + ranges.getSlotSpans()[i];
      if (columns.countDataKeyColumns(0, first) == all
          || IntStream.rangeClosed(first, last).anyMatch(columns::isBinary)
          || !isPoints(slots.get(i))
              && !slots.get(i).contains(KeyRange.EVERYTHING_RANGE)
              && IntStream.rangeClosed(first, last).anyMatch(columns::isPadded)) {
        break;
      }
      if (!slots.get(i).contains(KeyRange.EVERYTHING_RANGE)) {
        end = i + 1;
      }
    }
    return end;
  }

  /** Returns how many of the first slots have single values only. */
  private static int leadingPointSlots(List<List<KeyRange>> slots) {
    int slot = 0;
    while (slot < slots.size() && isPoints(slots.get(slot))) {
      slot++;
    }
    return slot;
  }

  private static boolean isPoints(List<KeyRange> slot) {
    return slot.stream().allMatch(KeyRange::isSingleKey);
  }

  /** Returns a loose index scan with the names of the prefix columns and of the sought columns. */
  private static LooseIndexScan looseIndexScan(
      SkipScanFilter filter, List<List<KeyRange>> slots, int[] slotSpans, TableKeyColumns columns) {
    List<String> prefix = new ArrayList<>();
    List<String> sought = new ArrayList<>();
    int column = 0;
    for (int i = 0; i < slots.size(); i++) {
      boolean isPrefix = i < slots.size() - 1 && !isPoints(slots.get(i));
      for (int span = slotSpans[i]; span >= 0; span--, column++) {
        if (columns.isVariable(column)) {
          (isPrefix ? prefix : sought).add(columns.name(column));
        }
      }
    }
    return new LooseIndexScan(filter, slots.size(), prefix, sought);
  }
}
