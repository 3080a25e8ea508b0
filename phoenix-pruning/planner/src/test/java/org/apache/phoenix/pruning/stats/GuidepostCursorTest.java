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
package org.apache.phoenix.pruning.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import com.carrotsearch.randomizedtesting.RandomizedTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.util.PrefixByteCodec;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(RandomizedRunner.class)
public class GuidepostCursorTest extends RandomizedTest {

  private static GuidePostsInfo guideposts(List<byte[]> keys) throws IOException {
    ImmutableBytesWritable encoded = new ImmutableBytesWritable();
    int maxLength = PrefixByteCodec.encodeBytes(keys, encoded);
    List<Long> numbers = new ArrayList<>();
    for (long i = 0; i < keys.size(); i++) {
      numbers.add(i);
    }
    return new GuidePostsInfo(
        numbers,
        new ImmutableBytesWritable(encoded.copyBytes()),
        numbers,
        maxLength,
        keys.size(),
        numbers);
  }

  /**
   * Returns the guideposts that a cursor finds in each region.
   *
   * @param boundaries start key and end key of each region; the last end key may be missing
   */
  private static List<List<Long>> byRegion(GuidePostsInfo guideposts, List<byte[]> boundaries) {
    GuidepostCursor cursor = new GuidepostCursor(guideposts);
    List<List<Long>> found = new ArrayList<>();
    for (int i = 0; i < boundaries.size(); i += 2) {
      List<Long> ofRegion = new ArrayList<>();
      cursor.skipTo(boundaries.get(i));
      byte[] end = i + 1 < boundaries.size() ? boundaries.get(i + 1) : HConstants.EMPTY_END_ROW;
      for (; cursor.isWithin(end); cursor.next()) {
        assertThat(cursor.bytes())
            .as("region %s", i / 2)
            .isEqualTo(cursor.rows())
            .isEqualTo(cursor.timestamp());
        ofRegion.add(cursor.rows());
      }
      found.add(ofRegion);
    }
    return found;
  }

  private static List<List<Long>> expected(List<byte[]> keys, List<byte[]> boundaries) {
    List<List<Long>> expected = new ArrayList<>();
    for (int i = 0; i < boundaries.size(); i += 2) {
      List<Long> ofRegion = new ArrayList<>();
      for (int k = 0; k < keys.size(); k++) {
        boolean above = Bytes.compareTo(keys.get(k), boundaries.get(i)) > 0;
        boolean upTo =
            i + 1 >= boundaries.size() || Bytes.compareTo(keys.get(k), boundaries.get(i + 1)) <= 0;
        if (above && upTo) {
          ofRegion.add((long) k);
        }
      }
      expected.add(ofRegion);
    }
    return expected;
  }

  private static List<byte[]> randomKeys(int count) {
    SortedSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[randomIntBetween(1, 6)];
      for (int b = 0; b < key.length; b++) {
        key[b] = (byte) randomIntBetween(-2, 2);
      }
      keys.add(key);
    }
    return new ArrayList<>(keys);
  }

  @Test
  public void findsTheGuidepostsOfEachRegion() throws IOException {
    for (int i = 0; i < 200; i++) {
      List<byte[]> keys = randomKeys(randomIntBetween(0, 5 * GuidepostIndex.INTERVAL));
      List<byte[]> boundaries = randomKeys(randomIntBetween(1, 20));

      assertThat(byRegion(guideposts(keys), boundaries))
          .as("case %s", i)
          .isEqualTo(expected(keys, boundaries));
    }
  }

  @Test
  public void decodesOnlyGuidepostsNearTheRegion() throws IOException {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 100 * GuidepostIndex.INTERVAL; i++) {
      keys.add(Bytes.toBytes(i));
    }
    GuidePostsInfo guideposts = guideposts(keys);
    List<byte[]> region = Arrays.asList(Bytes.toBytes(5_000), Bytes.toBytes(5_002));
    List<List<Long>> expected = Collections.singletonList(Arrays.asList(5_001L, 5_002L));
    assertThat(byRegion(guideposts, region)).isEqualTo(expected);

    // Overwrites the guideposts that are more than an interval away, so that they cannot be
    // decoded.
    byte[] encoded = guideposts.getGuidePosts().get();
    int each = encoded.length / keys.size();
    int from = (5_000 - GuidepostIndex.INTERVAL) * each;
    int to = (5_003 + GuidepostIndex.INTERVAL) * each;
    Arrays.fill(encoded, 2 * each, from, Byte.MIN_VALUE);
    Arrays.fill(encoded, to, encoded.length, Byte.MIN_VALUE);
    assertThat(byRegion(guideposts, region)).isEqualTo(expected);
  }
}
