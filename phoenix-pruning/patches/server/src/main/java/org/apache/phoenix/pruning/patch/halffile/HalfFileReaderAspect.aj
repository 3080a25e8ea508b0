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

import java.util.Map;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.IndexHalfStoreFileReader;
import org.apache.hadoop.hbase.regionserver.IndexHalfStoreFileReaderGenerator;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Gives the readers of half files the local indexes of their region, for the patch {@code
 * half-file}. {@link HalfFileAspect} then reads the files. Phoenix's {@code
 * IndexHalfStoreFileReaderGenerator} looks up only the local indexes of the table, and not those of
 * its views (not reported).
 *
 * <p>Example: {@code SELECT K, V FROM W WHERE V = 5} along a local index of the view W loses rows
 * after a split. A compaction then drops these index rows for good.
 */
public privileged aspect HalfFileReaderAspect {

  /** True if the region reads half files with our scanner; null before the first file. */
  private Boolean IndexHalfStoreFileReaderGenerator.isPatched;

  /** Local indexes of the region. Each region has its own generator. */
  private LocalIndexes IndexHalfStoreFileReaderGenerator.localIndexes;

  private static boolean isPatched(
      IndexHalfStoreFileReaderGenerator generator,
      ObserverContext<RegionCoprocessorEnvironment> context) {
    synchronized (generator) {
      if (generator.isPatched == null) {
        generator.isPatched =
            Patches.isOn(Patch.HALF_FILE)
                && !ServerMode.isStock(context.getEnvironment().getConfiguration());
      }
      return generator.isPatched;
    }
  }

  pointcut opening(ObserverContext<RegionCoprocessorEnvironment> context) :
      execution(StoreFileReader IndexHalfStoreFileReaderGenerator.preStoreFileReaderOpen(..))
      && args(context, ..);

  /**
   * Makes Phoenix read half files even if the table has no index, because its views may have
   * indexes.
   */
  boolean around(
      IndexHalfStoreFileReaderGenerator generator,
      ObserverContext<RegionCoprocessorEnvironment> context) :
      call(boolean Map.isEmpty())
      && withincode(StoreFileReader IndexHalfStoreFileReaderGenerator.preStoreFileReaderOpen(..))
      && this(generator)
      && cflow(opening(context)) {
    return !isPatched(generator, context) && proceed(generator, context);
  }

  after(
      IndexHalfStoreFileReaderGenerator generator,
      ObserverContext<RegionCoprocessorEnvironment> context)
      returning(StoreFileReader reader) :
      opening(context) && this(generator) {
    if (reader instanceof IndexHalfStoreFileReader && isPatched(generator, context)) {
      synchronized (generator) {
        if (generator.localIndexes == null) {
          generator.localIndexes = new LocalIndexes(context.getEnvironment());
        }
      }
      generator.localIndexes.readTable();
      ((IndexHalfStoreFileReader) reader).localIndexes = generator.localIndexes;
    }
  }
}
