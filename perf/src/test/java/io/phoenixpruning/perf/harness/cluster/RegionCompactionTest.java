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
package io.phoenixpruning.perf.harness.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RegionCompactionTest {

  private static final List<String> FAMILIES = List.of("0", "L#0");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private WALFactory logs;
  private HRegion region;

  @Before
  public void openRegion() throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    Path root = new Path(folder.getRoot().toURI());
    configuration.set("fs.defaultFS", "file:///");
    configuration.set(HConstants.HBASE_DIR, root.toString());
    configuration.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    // The files need not survive a crash.
    configuration.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("T"));
    FAMILIES.forEach(family -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    TableDescriptor descriptor = table.build();
    RegionInfo info = RegionInfoBuilder.newBuilder(descriptor.getTableName()).build();
    logs = new WALFactory(configuration, "RegionCompactionTest");
    region = HRegion.createHRegion(info, root, configuration, descriptor, logs.getWAL(info));
  }

  @After
  public void closeRegion() throws Exception {
    region.close();
    logs.close();
  }

  private void writeFiles(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      Put put = new Put(Bytes.toBytes(i));
      for (String family : FAMILIES) {
        put.addColumn(Bytes.toBytes(family), Bytes.toBytes("v"), Bytes.toBytes(i));
      }
      region.put(put);
      region.flush(true);
    }
  }

  private List<HStoreFile> files() {
    return region.getStores().stream()
        .map(HStore::getStorefiles)
        .flatMap(Collection::stream)
        .toList();
  }

  @Test
  public void writesOneFileOfAFamilyAnew() throws Exception {
    writeFiles(1);
    List<HStoreFile> before = files();

    RegionCompaction.run(region);

    assertThat(files()).hasSize(2).doesNotContainAnyElementsOf(before);
  }

  @Test
  public void needsNoFiles() throws Exception {
    RegionCompaction.run(region);

    assertThat(files()).isEmpty();
  }

  @Test
  public void waitsForCompactionsOfTheServer() throws Exception {
    writeFiles(3);
    HStore store = region.getStore(Bytes.toBytes("0"));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompactionContext compaction = store.requestCompaction().orElseThrow();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<Boolean> ofServer =
          threads.submit(
              () ->
                  region.compact(
                      compaction,
                      store,
                      new NoLimitThroughputController() {
                        @Override
                        public long control(String name, long size) throws InterruptedException {
                          begun.countDown();
                          mayEnd.await();
                          return 0;
                        }
                      }));
      begun.await();
      writeFiles(2);
      List<HStoreFile> before = files();
      CompletableFuture<Thread> running = new CompletableFuture<>();
      Future<?> ours =
          threads.submit(
              () -> {
                running.complete(Thread.currentThread());
                RegionCompaction.run(region);
                return null;
              });
      while (!ours.isDone() && running.get().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      mayEnd.countDown();

      assertThat(ofServer.get()).isTrue();
      ours.get();
      assertThat(files()).hasSize(2).doesNotContainAnyElementsOf(before);
    } finally {
      mayEnd.countDown();
      threads.shutdownNow();
    }
  }
}
