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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.pruning.protocol.IndexDifference;
import org.apache.phoenix.pruning.protocol.IndexDifference.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries that differ in the requested buckets. Keeps each entry until an equal entry of
 * the other side is added. If the entries take too much memory, drops the last bucket. The client
 * then requests this bucket again.
 */
final class DifferingEntries implements EntryComparison {

  /** Maximum size of the entries in memory, in bytes. */
  static final int MAX_BYTES = 4 << 20;

  /** Estimated size of an entry without its keys, in bytes. */
  private static final int BYTES_PER_ENTRY = 200;

  /** The two sides of an entry. */
  private static final class Sides {

    private final @Nullable IndexEntry required;
    private final @Nullable IndexEntry stored;

    Sides(@Nullable IndexEntry required, @Nullable IndexEntry stored) {
      this.required = required;
      this.stored = stored;
    }

    boolean areEqual() {
      return required != null && stored != null && required.hasCellsOf(stored);
    }

    int size() {
      return size(required) + size(stored);
    }

    private static int size(@Nullable IndexEntry entry) {
      return entry == null ? 0 : BYTES_PER_ENTRY + entry.key().length + entry.dataKey().length;
    }

    IndexDifference toDifference() {
      IndexEntry entry = required == null ? stored : required;
      Kind kind = required == null ? Kind.EXTRA : stored == null ? Kind.MISSING : Kind.STALE;
      if (entry == null) {
        throw new IllegalStateException("Expected at least one side");
      }
      return new IndexDifference(entry.index(), kind, entry.key(), entry.dataKey());
    }
  }

  private final CheckRequest request;
  private final int maxBytes;

  /** The entries of each bucket, by key. The key of a bucket is the index and its number. */
  private final TreeMap<Long, Map<byte[], Sides>> buckets = new TreeMap<>();

  private long bytes;

  DifferingEntries(CheckRequest request) {
    this(request, MAX_BYTES);
  }

  DifferingEntries(CheckRequest request, int maxBytes) {
    this.request = request;
    this.maxBytes = maxBytes;
    for (int i = 0; i < request.buckets().size(); i++) {
      for (int bucket : request.buckets().get(i)) {
        buckets.put(bucketKey(i, bucket), new TreeMap<>(Bytes.BYTES_COMPARATOR));
      }
    }
  }

  private static long bucketKey(int index, int bucket) {
    return (long) index << Integer.SIZE | bucket;
  }

  @Override
  public void addRequired(IndexEntry entry) {
    Map<byte[], Sides> bucket = bucket(entry);
    if (bucket != null) {
      Sides known = bucket.get(entry.key());
      put(bucket, entry.key(), known, new Sides(entry, known == null ? null : known.stored));
    }
  }

  @Override
  public void addStored(IndexEntry entry) {
    Map<byte[], Sides> bucket = bucket(entry);
    if (bucket != null) {
      Sides known = bucket.get(entry.key());
      put(bucket, entry.key(), known, new Sides(known == null ? null : known.required, entry));
    }
  }

  private @Nullable Map<byte[], Sides> bucket(IndexEntry entry) {
    return buckets.get(bucketKey(entry.index(), entry.bucket(request.bucketBits())));
  }

  private void put(Map<byte[], Sides> bucket, byte[] key, @Nullable Sides known, Sides sides) {
    bytes -= known == null ? 0 : known.size();
    if (sides.areEqual()) {
      bucket.remove(key);
      return;
    }
    bucket.put(key, sides);
    bytes += sides.size();
    while (bytes > maxBytes && !buckets.isEmpty()) {
      for (Sides dropped : buckets.pollLastEntry().getValue().values()) {
        bytes -= dropped.size();
      }
    }
  }

  @Override
  public List<int[]> buckets() {
    List<int[]> left = new ArrayList<>();
    for (int i = 0; i < request.buckets().size(); i++) {
      int index = i;
      left.add(
          Arrays.stream(request.buckets().get(i))
              .filter(bucket -> !buckets.containsKey(bucketKey(index, bucket)))
              .toArray());
    }
    return left;
  }

  @Override
  public List<IndexDifference> differences() {
    List<IndexDifference> differences = new ArrayList<>();
    for (Map<byte[], Sides> bucket : buckets.values()) {
      bucket.values().forEach(sides -> differences.add(sides.toDifference()));
    }
    return differences;
  }
}
