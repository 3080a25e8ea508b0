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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.phoenix.coprocessor.ScanRegionObserver;
import org.apache.phoenix.hbase.index.parallel.ThreadPoolBuilder;
import org.apache.phoenix.hbase.index.parallel.ThreadPoolManager;
import org.apache.phoenix.pruning.patch.Patch;
import org.awaitility.Awaitility;
import org.junit.Before;
import org.junit.Test;

/** Takes the threads of scans along global indexes while another scan stops them. */
public class SharedThreadsIT extends IndexedTableTest {

  private RegionCoprocessorEnvironment environment;

  @Before
  public void createTable() throws Exception {
    execute(connection, "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY)");
    HRegion region = getUtility().getHBaseCluster().getRegions(TableName.valueOf(table)).get(0);
    environment =
        (RegionCoprocessorEnvironment)
            region
                .getCoprocessorHost()
                .findCoprocessorEnvironment(ScanRegionObserver.class.getName());
  }

  /** Gets the pool as {@code UncoveredGlobalIndexRegionScanner} does. */
  private ThreadPoolExecutor pool() {
    return ThreadPoolManager.getExecutor(
        new ThreadPoolBuilder(table, environment.getConfiguration()), environment);
  }

  @Test
  public void keepsThreadsThatAnotherScanTakes() throws Exception {
    ThreadPoolExecutor taken = stopWhileTaken(false);

    assertThat(taken.submit(() -> 1).get()).isEqualTo(1);
    taken.shutdown();
    assertThat(taken.isShutdown()).isTrue();
  }

  @Test
  public void stopsThreadsThatAnotherScanTakesWithoutThePatch() throws Exception {
    leaveOut(Patch.SHARED_THREADS);

    stopWhileTaken(true).shutdown();
  }

  /**
   * Lets the only scan end that uses the pool, while another scan is about to take it. {@code
   * ThreadPoolManager} holds a lock from the time when it tests the pool until it counts its user.
   *
   * @param isStopped whether the end of the first scan does not wait for this lock
   * @return the pool of the second scan
   */
  private ThreadPoolExecutor stopWhileTaken(boolean isStopped) throws InterruptedException {
    ThreadPoolExecutor first = pool();
    Thread end = new Thread(first::shutdown);
    ThreadPoolExecutor second;
    synchronized (ThreadPoolManager.class) {
      end.start();
      Awaitility.await()
          .until(
              end::getState,
              state -> state == Thread.State.BLOCKED || state == Thread.State.TERMINATED);
      assertThat(first.isShutdown()).isEqualTo(isStopped);
      second = pool();
    }
    end.join();
    assertThat(second == first).isEqualTo(!isStopped);
    return second;
  }
}
