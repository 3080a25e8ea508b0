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
package org.apache.phoenix.pruning.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;

/** Tests counts of events by their cause. */
public class CauseCountsTest {

  @Test
  public void recognizesTheFirstEventOfEachCause() {
    CauseCounts counts = new CauseCounts(10);
    assertThat(counts.countAndCheckFirst("a")).isTrue();
    assertThat(counts.countAndCheckFirst("a")).isFalse();
    assertThat(counts.countAndCheckFirst("b")).isTrue();
    assertThat(counts.countAndCheckFirst("a")).isFalse();
    assertThat(counts.snapshot()).containsExactly(entry("a", 3L), entry("b", 1L));
  }

  @Test
  public void countsOnlyKnownCausesAfterTheMaximum() {
    CauseCounts counts = new CauseCounts(2);
    counts.countAndCheckFirst("a");
    counts.countAndCheckFirst("b");
    assertThat(counts.countAndCheckFirst("c")).isFalse();
    assertThat(counts.countAndCheckFirst("b")).isFalse();
    assertThat(counts.snapshot()).containsExactly(entry("a", 1L), entry("b", 2L));
  }

  @Test
  public void hasOneFirstEventOfSeveralThreads() throws Exception {
    CauseCounts counts = new CauseCounts(10);
    int events = 1_000;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> calls =
          IntStream.range(0, events)
              .mapToObj(i -> (Callable<Boolean>) () -> counts.countAndCheckFirst("a"))
              .collect(Collectors.toList());
      int first = 0;
      for (Future<Boolean> call : threads.invokeAll(calls)) {
        first += call.get() ? 1 : 0;
      }
      assertThat(first).isEqualTo(1);
    } finally {
      threads.shutdown();
    }
    assertThat(counts.snapshot()).containsExactly(entry("a", (long) events));
  }
}
