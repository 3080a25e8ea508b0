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
package org.apache.phoenix.pruning.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.Test;

public class ProbeDeadlineTest {

  private static final long NEVER = Long.MAX_VALUE;

  @Test
  public void countsTheTimeThatARequestWaitedForAHandler() {
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 10_000, NEVER)).isEqualTo(500);
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 9_800, NEVER)).isEqualTo(300);
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 9_000, NEVER)).isEqualTo(-500);
  }

  @Test
  public void endsWhenTheClientGivesUp() {
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 10_000, 10_200)).isEqualTo(200);
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 9_900, 10_450)).isEqualTo(400);
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 9_900, 9_999)).isNegative();
  }

  /** Tests a receive time in the future, as after the clock of a machine was set back. */
  @Test
  public void doesNotExceedTheRequestedTime() {
    assertThat(ProbeResponder.remainingMillis(500, 10_000, 10_300, NEVER)).isEqualTo(500);
  }

  /** Phoenix's paging filter reads for 0.3 of the page, rounded down. */
  @Test
  public void letsThePagingFilterReadForTheWholeTime() {
    assertThat(LongStream.rangeClosed(1, 100_000))
        .allSatisfy(
            millis ->
                assertThat((long) (ProbedRegion.pageMillis(millis) * 0.3))
                    .isBetween(millis, millis + 1));
  }
}
