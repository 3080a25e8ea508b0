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

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the CPU time and the allocated bytes of the Java threads of this process.
 *
 * <p>The threads that serve JMX are excluded, because they belong to the measurement. If a thread
 * ends between two calls, its usage after the first call is not counted. JIT compilation and
 * garbage collection are not counted.
 */
final class ThreadUsage {

  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final Map<Long, ThreadValues> lastValues = new HashMap<>();
  private long cpuNanos;
  private long allocatedBytes;

  /** The last known values of a thread. */
  private static final class ThreadValues {
    private final boolean isCounted;
    private long cpuNanos;
    private long allocatedBytes;

    ThreadValues(boolean isCounted) {
      this.isCounted = isCounted;
    }
  }

  /** Returns the usage since the start of the process. */
  synchronized ProcessUsage total() {
    long[] ids = threads.getAllThreadIds();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    long[] nanos = threads.getThreadCpuTime(ids);
    Map<Long, ThreadValues> alive = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      // Negative values mean that the thread has ended.
      if (bytes[i] >= 0 && nanos[i] >= 0) {
        ThreadValues thread = lastValues.get(ids[i]);
        if (thread == null) {
          thread = new ThreadValues(isCounted(ids[i]));
        }
        if (thread.isCounted) {
          cpuNanos += nanos[i] - thread.cpuNanos;
          allocatedBytes += bytes[i] - thread.allocatedBytes;
        }
        thread.cpuNanos = nanos[i];
        thread.allocatedBytes = bytes[i];
        alive.put(ids[i], thread);
      }
    }
    lastValues.clear();
    lastValues.putAll(alive);
    return new ProcessUsage(cpuNanos, allocatedBytes);
  }

  private boolean isCounted(long id) {
    ThreadInfo thread = threads.getThreadInfo(id);
    return thread != null
        && !thread.getThreadName().startsWith("RMI ")
        && !thread.getThreadName().startsWith("JMX ");
  }
}
