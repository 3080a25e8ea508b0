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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Tests the threads of a random run. */
public class SeedRunTest {

  private final RunLength.Run fiveSeeds = RunLength.of("no.such.property", 5).start(1);
  private final AtomicInteger open = new AtomicInteger();
  private final Set<Long> tested = ConcurrentHashMap.newKeySet();

  /** Returns a resource that all tests of a thread use. */
  private AutoCloseable shared() {
    open.incrementAndGet();
    return open::decrementAndGet;
  }

  @Test
  public void testsEachSeedOnce() throws Exception {
    new SeedRun(fiveSeeds, 7)
        .run(3, this::shared, (seed, shared) -> assertThat(tested.add(seed)).isTrue());
    assertThat(tested).containsExactlyInAnyOrder(7L, 8L, 9L, 10L, 11L);
    assertThat(open).hasValue(0);
  }

  @Test
  public void stopsAtAFailureAndThrowsIt() {
    SeedRun run = new SeedRun(fiveSeeds, 1);
    assertThatThrownBy(
            () ->
                run.run(
                    1,
                    this::shared,
                    (seed, shared) -> {
                      tested.add(seed);
                      assertThat(seed).isLessThan(3);
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("3");
    assertThat(tested).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(run.isStopped()).isTrue();
    assertThat(open).hasValue(0);
  }
}
