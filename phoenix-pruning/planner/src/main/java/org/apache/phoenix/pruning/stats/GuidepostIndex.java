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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.thirdparty.com.google.common.cache.Cache;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.phoenix.util.PrefixByteDecoder;
import org.apache.phoenix.util.PrefixByteEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Every {@value #INTERVAL}th guidepost of a table, as a position where decoding can start. A query
 * on a few of many regions then does not decode the guideposts of all regions. An index is built
 * once for each set of statistics that the client has cached.
 */
final class GuidepostIndex {

  /** A guidepost, and the offset at which the encoding of the next guidepost starts. */
  static final class Entry {
    private final int index;
    private final byte[] key;
    private final int nextOffset;

    private Entry(int index, byte[] key, int nextOffset) {
      this.index = index;
      this.key = key;
      this.nextOffset = nextOffset;
    }

    /** Returns the number of guideposts before this guidepost. */
    int index() {
      return index;
    }

    byte[] key() {
      return key;
    }

    int nextOffset() {
      return nextOffset;
    }

    /** Returns a decoder whose last decoded key is this guidepost. */
    PrefixByteDecoder decoder(int maxLength) {
      try {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        new PrefixByteEncoder().encode(new DataOutputStream(encoded), key);
        PrefixByteDecoder decoder = new PrefixByteDecoder(maxLength);
        decoder.decode(new DataInputStream(new ByteArrayInputStream(encoded.toByteArray())));
        return decoder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static final int INTERVAL = 128;

  private static final Cache<GuidePostsInfo, GuidepostIndex> CACHE =
      CacheBuilder.newBuilder().weakKeys().build();

  private final Entry[] entries;

  private GuidepostIndex(List<Entry> entries) {
    this.entries = entries.toArray(new Entry[0]);
  }

  /**
   * Returns the index of {@code guideposts}, or null if there are too few guideposts for an index.
   */
  static @Nullable GuidepostIndex of(GuidePostsInfo guideposts) {
    if (guideposts.getGuidePostsCount() <= INTERVAL) {
      return null;
    }
    GuidepostIndex index = CACHE.getIfPresent(guideposts);
    if (index == null) {
      index = read(guideposts);
      CACHE.put(guideposts, index);
    }
    return index;
  }

  private static GuidepostIndex read(GuidePostsInfo guideposts) {
    List<Entry> entries = new ArrayList<>();
    try {
      GuidepostCursor cursor = new GuidepostCursor(guideposts, null);
      for (; cursor.hasKey(); cursor.next()) {
        if (cursor.index() % INTERVAL == 0) {
          entries.add(new Entry(cursor.index(), cursor.key(), cursor.nextOffset()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new GuidepostIndex(entries);
  }

  /** Returns the last entry that is not above {@code key}, or null if there is none. */
  @Nullable Entry floor(byte[] key) {
    int found =
        Arrays.binarySearch(
            entries, new Entry(-1, key, -1), (a, b) -> Bytes.compareTo(a.key, b.key));
    int last = found >= 0 ? found : -found - 2;
    return last >= 0 ? entries[last] : null;
  }
}
