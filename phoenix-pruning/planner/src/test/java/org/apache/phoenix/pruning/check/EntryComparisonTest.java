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
package org.apache.phoenix.pruning.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.pruning.protocol.IndexDifference;
import org.apache.phoenix.pruning.protocol.IndexDifference.Kind;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests that entries are compared in any order and within the memory limit. */
public class EntryComparisonTest {

  private static final int SEED = 7;
  private static final int BITS = 6;
  private static final byte[] NONE = {};
  private static final byte[] EMPTY_COLUMN = Bytes.toBytes("_0");
  private static final byte[] FAMILY = Bytes.toBytes("L#0");

  private static CheckRequest.Index index;

  @BeforeClass
  public static void createIndex() throws Exception {
    try (Connectionless phoenix = new Connectionless()) {
      phoenix.execute("CREATE TABLE COMPARED (K VARCHAR PRIMARY KEY, V INTEGER)");
      phoenix.execute("CREATE LOCAL INDEX COMPARED_V ON COMPARED (V)");
      PhoenixConnection connection = phoenix.connection().unwrap(PhoenixConnection.class);
      PTable table = connection.getTable("COMPARED");
      index = CheckRequest.Index.of(table, table.getIndexes().get(0), connection);
      phoenix.execute("DROP TABLE COMPARED");
    }
  }

  private static CheckRequest request() {
    return CheckRequest.of(SEED, BITS, NONE, NONE, List.of(index), null);
  }

  private static CheckRequest requestOfAllBuckets() {
    return request().withBuckets(BITS, List.of(IntStream.range(0, 1 << BITS).toArray()));
  }

  private static Cell cell(int key, String column, String value, long timestamp) {
    return new KeyValue(
        Bytes.toBytes(key), FAMILY, Bytes.toBytes(column), timestamp, Bytes.toBytes(value));
  }

  private static IndexEntry required(int key, String value) {
    List<Cell> cells = new ArrayList<>(List.of(cell(key, "v", value, 1), cell(key, "_0", "x", 1)));
    return new IndexEntry(0, Bytes.toBytes(key), Bytes.toBytes(-key), cells, EMPTY_COLUMN, SEED);
  }

  private static IndexEntry stored(int key, String value) {
    List<Cell> cells =
        new ArrayList<>(
            List.of(cell(key, "_0", "", 5), cell(key, "v", value, 9), cell(key, "w", "", 9)));
    return new IndexEntry(0, Bytes.toBytes(key), NONE, cells, EMPTY_COLUMN, SEED);
  }

  /** Adds 1,000 entries in random order: 10 is missing, 20 is stale, and 5,000 is extra. */
  private static void addAll(EntryComparison comparison) {
    List<Runnable> steps = new ArrayList<>();
    for (int key = 0; key < 1_000; key++) {
      int added = key;
      steps.add(() -> comparison.addRequired(required(added, "a" + added)));
      if (key != 10) {
        String value = key == 20 ? "b" : "a" + key;
        steps.add(() -> comparison.addStored(stored(added, value)));
      }
    }
    steps.add(() -> comparison.addStored(stored(5_000, "a")));
    Collections.shuffle(steps, new Random(3));
    steps.forEach(Runnable::run);
  }

  private static int[] bucketsOfDifferences() {
    return IntStream.of(10, 20, 5_000)
        .map(key -> stored(key, "").bucket(BITS))
        .sorted()
        .distinct()
        .toArray();
  }

  /** Two servers, or a server and the client, can answer the requests for one region. */
  @Test
  public void bucketsAreTheSameInAllVersions() {
    assertThat(required(1, "a").bucket(16)).isEqualTo(32_742);
    assertThat(required(258, "b").bucket(30)).isEqualTo(610_773_721);
  }

  @Test
  public void timestampsAndTheValueOfTheEmptyColumnDoNotMatter() {
    assertThat(stored(1, "a").hasCellsOf(required(1, "a"))).isTrue();
    assertThat(stored(1, "a").hasCellsOf(required(1, "b"))).isFalse();
  }

  @Test
  public void findsTheBucketsThatDiffer() {
    BucketSums sums = new BucketSums(request());
    addAll(sums);
    assertThat(sums.buckets()).containsExactly(bucketsOfDifferences());
    assertThat(sums.differences()).isEmpty();
  }

  @Test
  public void findsTheEntriesThatDiffer() {
    DifferingEntries entries = new DifferingEntries(requestOfAllBuckets());
    addAll(entries);
    assertThat(entries.buckets()).containsExactly(new int[0]);
    assertThat(entries.differences())
        .extracting(each -> each.kind() + " " + Bytes.toInt(each.indexRowKey()))
        .containsExactlyInAnyOrder(Kind.MISSING + " 10", Kind.STALE + " 20", Kind.EXTRA + " 5000");
    IndexDifference missing =
        entries.differences().stream()
            .filter(each -> each.kind() == Kind.MISSING)
            .findFirst()
            .orElseThrow();
    assertThat(missing.dataRowKey()).isEqualTo(Bytes.toBytes(-10));
  }

  @Test
  public void entriesOfOtherBucketsAreLeftOut() {
    int bucket = stored(20, "").bucket(BITS);
    DifferingEntries entries =
        new DifferingEntries(request().withBuckets(BITS, List.of(new int[] {bucket})));
    addAll(entries);
    assertThat(entries.differences())
        .extracting(each -> Bytes.toInt(each.indexRowKey()))
        .contains(20)
        .allMatch(key -> stored(key, "").bucket(BITS) == bucket);
  }

  /** Repeats the request for the buckets that did not fit into memory, until no bucket is left. */
  @Test
  public void givesUpBucketsThatDoNotFitIntoMemory() {
    List<String> found = new ArrayList<>();
    int[] left = IntStream.range(0, 1 << BITS).toArray();
    int requests = 0;
    while (left.length > 0) {
      DifferingEntries entries =
          new DifferingEntries(request().withBuckets(BITS, List.of(left)), 20_000);
      addAll(entries);
      entries
          .differences()
          .forEach(each -> found.add(each.kind() + " " + Bytes.toInt(each.indexRowKey())));
      assertThat(entries.buckets().get(0)).as("request %s", requests).hasSizeLessThan(left.length);
      left = entries.buckets().get(0);
      requests++;
    }
    assertThat(requests).isGreaterThan(1);
    assertThat(found)
        .containsExactlyInAnyOrder(Kind.MISSING + " 10", Kind.STALE + " 20", Kind.EXTRA + " 5000");
  }
}
