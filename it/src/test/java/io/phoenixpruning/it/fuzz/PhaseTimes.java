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
package io.phoenixpruning.it.fuzz;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

/**
 * Measures the phases of a run. A phase can contain other phases, whose time does not count for it.
 * Several threads can use this class.
 */
final class PhaseTimes {

  private static final double SECOND = 1_000_000_000.0;

  private final LongSupplier clock;
  private final LongSupplier cpuClock;
  private final Map<String, Phase> phases = new TreeMap<>();
  private final ThreadLocal<Phase> current = ThreadLocal.withInitial(Phase::new);

  PhaseTimes() {
    this(System::nanoTime, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }

  /**
   * Creates an empty list of phases.
   *
   * @param clock returns the current time in nanoseconds
   * @param cpuClock returns the CPU time of the current thread in nanoseconds
   */
  PhaseTimes(LongSupplier clock, LongSupplier cpuClock) {
    this.clock = clock;
    this.cpuClock = cpuClock;
  }

  /** Times of all calls of a phase, in nanoseconds. */
  private static final class Phase {
    private long calls;
    private long elapsed;
    private long cpu;

    private void add(long moreCalls, long moreElapsed, long moreCpu) {
      calls += moreCalls;
      elapsed += moreElapsed;
      cpu += moreCpu;
    }
  }

  /** Runs a task, and counts its time for the phase {@code name}. */
  <T> T timed(String name, Callable<T> task) throws Exception {
    Phase outer = current.get();
    Phase inner = new Phase();
    current.set(inner);
    long start = clock.getAsLong();
    long startCpu = cpuClock.getAsLong();
    try {
      return task.call();
    } finally {
      long elapsed = clock.getAsLong() - start;
      long cpu = cpuClock.getAsLong() - startCpu;
      current.set(outer);
      outer.add(0, elapsed, cpu);
      synchronized (this) {
        phases
            .computeIfAbsent(name, unused -> new Phase())
            .add(1, elapsed - inner.elapsed, cpu - inner.cpu);
      }
    }
  }

  /** Returns a table with a line for each phase, the longest phase first. */
  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "  %-28s %9s %10s %20s%n", "phase", "calls", "seconds", "CPU s of its thread"));
    phases.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -entry.getValue().elapsed))
        .forEach(
            entry ->
                text.append(
                    String.format(
                        "  %-28s %9d %10.1f %20.1f%n",
                        entry.getKey(),
                        entry.getValue().calls,
                        entry.getValue().elapsed / SECOND,
                        entry.getValue().cpu / SECOND)));
    return text.toString();
  }
}
