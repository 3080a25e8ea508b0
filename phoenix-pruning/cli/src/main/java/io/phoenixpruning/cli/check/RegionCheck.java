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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.CheckAnswer;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.pruning.protocol.IndexDifference;

/**
 * Compares indexes with their table in one region. The first request finds the buckets that differ.
 * The second request finds the entries that differ in these buckets. The third request repeats the
 * second, and only an entry that differs in both is reported.
 */
final class RegionCheck {

  /** Buckets of each index, as a request names them. */
  private record Buckets(int bits, List<int[]> ofIndexes) {

    int count() {
      return ofIndexes.stream().mapToInt(buckets -> buckets.length).sum();
    }

    /** Splits these buckets into two halves. A single bucket is divided by one more bit. */
    List<Buckets> split() {
      if (count() == 1) {
        return List.of(
            new Buckets(bits + 1, map(bucket -> IntStream.of(bucket))),
            new Buckets(bits + 1, map(bucket -> IntStream.of(bucket + (1 << bits)))));
      }
      int[] seen = {0};
      int half = count() / 2;
      List<int[]> first =
          map(bucket -> seen[0]++ < half ? IntStream.of(bucket) : IntStream.empty());
      seen[0] = 0;
      List<int[]> second =
          map(bucket -> seen[0]++ < half ? IntStream.empty() : IntStream.of(bucket));
      return List.of(new Buckets(bits, first), new Buckets(bits, second));
    }

    /**
     * Returns the buckets that the first answer to a request has compared but the second has not.
     *
     * @param ofFirst buckets that the first answer has not compared
     * @param ofSecond buckets that the second answer has not compared
     */
    Buckets onlyInSecond(List<int[]> ofFirst, List<int[]> ofSecond) {
      List<int[]> missing = new ArrayList<>();
      for (int i = 0; i < ofIndexes.size(); i++) {
        Set<Integer> first = Arrays.stream(ofFirst.get(i)).boxed().collect(Collectors.toSet());
        missing.add(
            Arrays.stream(ofSecond.get(i)).filter(bucket -> !first.contains(bucket)).toArray());
      }
      return new Buckets(bits, missing);
    }

    private List<int[]> map(IntFunction<IntStream> change) {
      return ofIndexes.stream()
          .map(buckets -> Arrays.stream(buckets).flatMap(change).toArray())
          .toList();
    }
  }

  private final CheckedTable checked;
  private final RegionInfo region;
  private final RegionReader reader;
  private final int first;
  private final CheckRequest request;
  private final int maxDifferences;

  /**
   * @param maxDifferences number of differences after which the check of the region ends
   */
  private RegionCheck(
      CheckedTable checked, RegionInfo region, Table table, IndexRange range, int maxDifferences) {
    this.checked = checked;
    this.region = region;
    this.reader = new RegionReader(table, region);
    this.first = range.first();
    this.request = range.request();
    this.maxDifferences = maxDifferences;
  }

  /** Compares all indexes of {@code checked} in {@code region}. */
  static RegionAnswer check(
      CheckedTable checked,
      RegionInfo region,
      Table table,
      int seed,
      int bucketBits,
      int maxDifferences)
      throws IOException, RegionChangedException {
    RegionAnswer all = new RegionAnswer(region, 0, List.of(), List.of(), true, 0);
    for (IndexRange range : checked.requests(region, seed, bucketBits)) {
      all = all.plus(new RegionCheck(checked, region, table, range, maxDifferences).check());
    }
    return all;
  }

  private RegionAnswer check() throws IOException, RegionChangedException {
    CheckAnswer answer = reader.answer(request);
    List<Difference> differences = differences(answer.buckets());
    return new RegionAnswer(
        region,
        answer.rows(),
        Arrays.stream(answer.entries()).boxed().toList(),
        differences,
        reader.isComparedByServer(),
        reader.transferred());
  }

  private List<Difference> differences(List<int[]> buckets)
      throws IOException, RegionChangedException {
    List<Difference> differences = new ArrayList<>();
    Deque<Buckets> left = new ArrayDeque<>();
    left.add(new Buckets(request.bucketBits(), buckets));
    while (!left.isEmpty() && differences.size() < maxDifferences) {
      Buckets next = left.remove();
      if (next.count() == 0) {
        continue;
      }
      CheckRequest entries = request.withBuckets(next.bits(), next.ofIndexes());
      CheckAnswer answer = reader.answer(entries);
      Buckets notCompared = new Buckets(next.bits(), answer.buckets());
      if (notCompared.count() == next.count()) {
        left.addAll(next.split());
        continue;
      }
      left.addFirst(notCompared);
      if (!answer.differences().isEmpty()) {
        CheckAnswer again = reader.answer(entries);
        left.addFirst(next.onlyInSecond(answer.buckets(), again.buckets()));
        differences.addAll(confirmed(answer, again));
      }
    }
    return differences;
  }

  /** Returns the differences that are in both answers to a request. */
  private List<Difference> confirmed(CheckAnswer answer, CheckAnswer secondAnswer) {
    Set<String> again = new HashSet<>();
    secondAnswer.differences().forEach(difference -> again.add(identity(difference)));
    return answer.differences().stream()
        .filter(difference -> again.contains(identity(difference)))
        .map(
            difference ->
                new Difference(
                    first + difference.index(),
                    checked.layouts().get(first + difference.index()),
                    region,
                    difference))
        .toList();
  }

  private static String identity(IndexDifference difference) {
    return difference.index()
        + " "
        + difference.kind()
        + " "
        + Bytes.toStringBinary(difference.indexRowKey());
  }
}
