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
import org.apache.phoenix.pruning.config.ServerMode;

/** Gives the readers of half files the local indexes of their region. */
public privileged aspect HalfFileReaderAspect {

  /** Local indexes of the region. Each region has its own generator. */
  private LocalIndexes IndexHalfStoreFileReaderGenerator.localIndexes;

  pointcut opening(ObserverContext<RegionCoprocessorEnvironment> context) :
      execution(StoreFileReader IndexHalfStoreFileReaderGenerator.preStoreFileReaderOpen(..))
      && args(context, ..);

  /**
   * Makes Phoenix read half files even if the table has no index, because its views may have
   * indexes.
   */
  boolean around(ObserverContext<RegionCoprocessorEnvironment> context) :
      call(boolean Map.isEmpty())
      && withincode(StoreFileReader IndexHalfStoreFileReaderGenerator.preStoreFileReaderOpen(..))
      && cflow(opening(context)) {
    return ServerMode.isStock(context.getEnvironment().getConfiguration()) && proceed(context);
  }

  after(
      IndexHalfStoreFileReaderGenerator generator,
      ObserverContext<RegionCoprocessorEnvironment> context)
      returning(StoreFileReader reader) :
      opening(context) && this(generator) {
    RegionCoprocessorEnvironment environment = context.getEnvironment();
    if (reader instanceof IndexHalfStoreFileReader
        && !ServerMode.isStock(environment.getConfiguration())) {
      synchronized (generator) {
        if (generator.localIndexes == null) {
          generator.localIndexes = new LocalIndexes(environment);
        }
      }
      generator.localIndexes.readTable();
      ((IndexHalfStoreFileReader) reader).localIndexes = generator.localIndexes;
    }
  }
}
