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

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Compares the local indexes of a table with the table, one region after the other. */
public final class TableCheck {

  /** Number of hash bits that select the bucket of an entry in the first comparison. */
  private static final int BUCKET_BITS = 10;

  /** Number of differences after which the check ends. */
  private static final int MAX_DIFFERENCES = 100_000;

  /** Maximum number of successive region changes. Each compared region resets the count. */
  private static final int MAX_CHANGES = 10;

  private final CheckedTable checked;
  private final int seed = new Random().nextInt();

  public TableCheck(CheckedTable checked) {
    this.checked = checked;
  }

  /**
   * Compares all regions.
   *
   * @param done receives the number of regions that were compared
   */
  public CheckResult check(LongConsumer done) throws SQLException, IOException {
    return check(HConstants.EMPTY_BYTE_ARRAY, HConstants.EMPTY_BYTE_ARRAY, done);
  }

  /**
   * Compares the current regions that overlap {@code regions}. Returns a result for each element of
   * {@code regions}.
   */
  List<CheckResult> checkAgain(List<RegionInfo> regions) throws SQLException, IOException {
    List<CheckResult> results = new ArrayList<>();
    for (RegionInfo region : regions) {
      results.add(check(region.getStartKey(), region.getEndKey(), done -> {}));
    }
    return results;
  }

  /**
   * Compares the regions that overlap a key range. If regions are split or merged in the meantime,
   * compares the new ones.
   *
   * @param start inclusive start; empty for the start of the table
   * @param end exclusive end; empty for the end of the table
   */
  private CheckResult check(byte[] start, byte[] end, LongConsumer done)
      throws SQLException, IOException {
    TreeMap<byte[], RegionAnswer> answers = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    int left = MAX_DIFFERENCES;
    int changes = 0;
    byte @Nullable [] position = start;
    try (Table table = checked.open()) {
      Iterator<RegionInfo> regions = from(position).iterator();
      while (position != null && left > 0) {
        RegionInfo region = regions.next();
        try {
          RegionAnswer answer = RegionCheck.check(checked, region, table, seed, BUCKET_BITS, left);
          // A merged region begins before the position, so earlier results for its parts are
          // replaced.
          answers.tailMap(region.getStartKey(), true).clear();
          answers.put(region.getStartKey(), answer);
          left -= answer.differences().size();
          changes = 0;
          position = next(region, end);
          done.accept(answers.size());
        } catch (RegionChangedException e) {
          if (++changes > MAX_CHANGES) {
            throw new IOException(
                e.getMessage() + " " + changes + " times while it was read. Run the check again",
                e);
          }
          regions = from(position).iterator();
        }
      }
    }
    return new CheckResult(checked, List.copyOf(answers.values()), position == null && left > 0);
  }

  /**
   * Returns the start key of the next region, or null if {@code region} is the last one before
   * {@code end}.
   */
  private static byte @Nullable [] next(RegionInfo region, byte[] end) {
    byte[] next = region.getEndKey();
    boolean isLast =
        next.length == 0 || (end.length > 0 && Bytes.BYTES_COMPARATOR.compare(next, end) >= 0);
    return isLast ? null : next;
  }

  /**
   * Returns the current regions, beginning with the region that contains the key {@code position}.
   */
  private List<RegionInfo> from(byte[] position) throws SQLException {
    return checked.regions().stream()
        .filter(
            region ->
                region.getEndKey().length == 0
                    || Bytes.BYTES_COMPARATOR.compare(region.getEndKey(), position) > 0)
        .toList();
  }
}
