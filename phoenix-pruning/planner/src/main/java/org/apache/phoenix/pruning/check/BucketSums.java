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
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.pruning.protocol.IndexDifference;

/**
 * Finds the buckets whose required entries differ from the stored ones. Adds the 128-bit hashes of
 * the required entries of a bucket, and subtracts those of the stored entries, each half modulo
 * 2^64. The order of the entries does not matter. If a sum is not 0, the bucket differs. Both sums
 * of a bucket that differs are 0 by chance with a probability of 2^-128.
 */
final class BucketSums implements EntryComparison {

  private final int indexes;
  private final int bits;
  private final long[] firstSums;
  private final long[] secondSums;

  BucketSums(CheckRequest request) {
    this.indexes = request.indexes().size();
    this.bits = request.bucketBits();
    this.firstSums = new long[indexes << bits];
    this.secondSums = new long[indexes << bits];
  }

  @Override
  public void addRequired(IndexEntry entry) {
    int position = position(entry);
    firstSums[position] += entry.firstHash();
    secondSums[position] += entry.secondHash();
  }

  @Override
  public void addStored(IndexEntry entry) {
    int position = position(entry);
    firstSums[position] -= entry.firstHash();
    secondSums[position] -= entry.secondHash();
  }

  private int position(IndexEntry entry) {
    return (entry.index() << bits) + entry.bucket(bits);
  }

  @Override
  public List<int[]> buckets() {
    List<int[]> differing = new ArrayList<>();
    for (int i = 0; i < indexes; i++) {
      int start = i << bits;
      differing.add(
          IntStream.range(0, 1 << bits)
              .filter(b -> firstSums[start + b] != 0 || secondSums[start + b] != 0)
              .toArray());
    }
    return differing;
  }

  @Override
  public List<IndexDifference> differences() {
    return Collections.emptyList();
  }
}
