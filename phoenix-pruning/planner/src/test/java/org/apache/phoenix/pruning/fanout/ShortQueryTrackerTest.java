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
package org.apache.phoenix.pruning.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.phoenix.util.EnvironmentEdge;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class ShortQueryTrackerTest {

  private final ShortQueryTracker tracker = new ShortQueryTracker();
  private final Object one = new Object();
  private final Object other = new Object();
  private long now = 1;

  @Before
  public void setClock() {
    EnvironmentEdgeManager.injectEdge(
        new EnvironmentEdge() {
          @Override
          public long currentTime() {
            return now;
          }
        });
  }

  @After
  public void resetClock() {
    EnvironmentEdgeManager.reset();
  }

  @Test
  public void hasNoneAtFirst() {
    assertThat(tracker.hasRecentOfOthers(one)).isFalse();
  }

  @Test
  public void seesAQueryOfAnotherConnectionForAWhile() {
    tracker.recordStart(other, 1);
    now += ShortQueryTracker.RECENT_MILLIS - 1;
    assertThat(tracker.hasRecentOfOthers(one)).isTrue();
    now++;
    assertThat(tracker.hasRecentOfOthers(one)).isFalse();
  }

  @Test
  public void ignoresQueriesOfTheSameConnection() {
    tracker.recordStart(one, 4);
    assertThat(tracker.hasRecentOfOthers(one)).isFalse();
    tracker.recordStart(other, 4);
    tracker.recordStart(one, 1);
    tracker.recordStart(one, 1);
    assertThat(tracker.hasRecentOfOthers(one)).isTrue();
    now += ShortQueryTracker.RECENT_MILLIS - 1;
    tracker.recordStart(one, 1);
    now++;
    assertThat(tracker.hasRecentOfOthers(one)).isFalse();
    assertThat(tracker.hasRecentOfOthers(other)).isTrue();
  }

  @Test
  public void ignoresQueriesWithManyScans() {
    tracker.recordStart(other, 5);
    assertThat(tracker.hasRecentOfOthers(one)).isFalse();
  }
}
