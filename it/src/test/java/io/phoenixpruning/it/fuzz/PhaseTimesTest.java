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

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

/** Tests how the times of phases are counted. */
public class PhaseTimesTest {

  private final AtomicLong now = new AtomicLong();
  private final PhaseTimes times = new PhaseTimes(now::get, () -> now.get() / 10);

  private void passSeconds(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  public void doesNotCountInnerPhasesForTheOuterPhase() throws Exception {
    String result =
        times.timed(
            "outer",
            () -> {
              passSeconds(20);
              return times.timed(
                  "inner",
                  () -> {
                    passSeconds(50);
                    return "done";
                  });
            });
    assertThat(result).isEqualTo("done");
    assertThat(times.toString().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "phase calls seconds CPU s of its thread", "inner 1 50.0 5.0", "outer 1 20.0 2.0");
  }

  @Test
  public void countsCallsThatFail() {
    assertThatThrownBy(
            () ->
                times.timed(
                    "failing",
                    () -> {
                      throw new IOException("expected");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(times.toString()).containsPattern("failing +1 ");
  }
}
