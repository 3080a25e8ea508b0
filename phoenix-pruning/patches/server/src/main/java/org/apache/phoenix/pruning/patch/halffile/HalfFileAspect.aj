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
package org.apache.phoenix.pruning.patch.halffile;

import org.apache.hadoop.hbase.regionserver.IndexHalfStoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * Reads the store files of split and merged regions with {@code HalfFileScanner} instead of
 * Phoenix's {@code LocalIndexStoreFileScanner}. Each region decides when it opens its first file,
 * and keeps the decision until it closes.
 *
 * <p>Example: {@code SELECT K, V FROM T WHERE V = 5} along a local index fails, loses rows or does
 * not end until a compaction rewrites these files (not reported).
 */
public privileged aspect HalfFileAspect {

  /** Local indexes of the region; null if Phoenix's scanner reads the file. */
  LocalIndexes IndexHalfStoreFileReader.localIndexes;

  StoreFileScanner around(
      IndexHalfStoreFileReader reader,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      long readPoint,
      long scannerOrder,
      boolean canOptimizeForNonNullColumn) :
      execution(StoreFileScanner IndexHalfStoreFileReader.getStoreFileScanner(..))
      && this(reader)
      && args(
          cacheBlocks, pread, isCompaction, readPoint, scannerOrder, canOptimizeForNonNullColumn) {
    return reader.localIndexes == null
        ? proceed(
            reader,
            cacheBlocks,
            pread,
            isCompaction,
            readPoint,
            scannerOrder,
            canOptimizeForNonNullColumn)
        : HalfFileScanner.of(
            reader,
            reader.localIndexes,
            cacheBlocks,
            pread,
            isCompaction,
            readPoint,
            scannerOrder,
            canOptimizeForNonNullColumn);
  }
}
