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
package org.apache.phoenix.pruning.patch.scan;

import java.util.List;
import org.apache.phoenix.hbase.index.parallel.ThreadPoolManager;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Stops the threads of scans only while no other scan takes them. Phoenix's {@code
 * ThreadPoolManager} holds a lock while it returns them, but {@code shutdown} does not take this
 * lock. It can stop the threads after another scan has got them (not reported).
 *
 * <p>Example: {@code SELECT W FROM T WHERE V = 1} along a global index on V, which lacks W, fails
 * with a {@code RejectedExecutionException} if another such scan ends at the same moment.
 */
public aspect SharedThreadsAspect {

  void around() : execution(void *.shutdown()) && within(ThreadPoolManager) {
    if (Patches.isOn(Patch.SHARED_THREADS)) {
      synchronized (ThreadPoolManager.class) {
        proceed();
      }
    } else {
      proceed();
    }
  }

  List around() : execution(List *.shutdownNow()) && within(ThreadPoolManager) {
    if (Patches.isOn(Patch.SHARED_THREADS)) {
      synchronized (ThreadPoolManager.class) {
        return proceed();
      }
    }
    return proceed();
  }
}
