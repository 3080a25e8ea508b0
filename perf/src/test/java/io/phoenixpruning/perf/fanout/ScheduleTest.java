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
package io.phoenixpruning.perf.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.Test;

public class ScheduleTest {

  private static Schedule schedule(double rate, int client, int clients) {
    return new Schedule(1_000, Duration.ofSeconds(1), rate, client, clients);
  }

  @Test
  public void clientsTakeTurns() {
    assertThat(schedule(4, 0, 2).due()).containsExactly(1_000L, 500_001_000L);
    assertThat(schedule(4, 1, 2).due()).containsExactly(250_001_000L, 750_001_000L);
  }

  @Test
  public void endsBeforeTheNextSlice() {
    assertThat(schedule(2, 0, 1).due()).containsExactly(1_000L, 500_001_000L);
    assertThat(schedule(0.5, 0, 2).due()).containsExactly(1_000L);
    assertThat(schedule(0.5, 1, 2).due()).isEmpty();
  }
}
