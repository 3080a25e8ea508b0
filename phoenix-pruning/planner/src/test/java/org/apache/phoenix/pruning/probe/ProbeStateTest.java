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
package org.apache.phoenix.pruning.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ServerName;
import org.apache.phoenix.thirdparty.com.google.common.base.Ticker;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Tests that a long-running client does not keep state of indexes and servers that are gone. */
public class ProbeStateTest {

  /** Fails a test that waits forever for state to be forgotten. */
  @Rule public final Timeout timeout = Timeout.seconds(60);

  private final AtomicLong nanos = new AtomicLong();

  private final ProbeState state =
      new ProbeState(
          new Ticker() {
            @Override
            public long read() {
              return nanos.get();
            }
          });

  @Test
  public void forgetsIndexesThatNoStatementUses() {
    ProbeBackoff used = state.backoff("USED");
    ProbeBackoff gone = state.backoff("GONE");
    for (int i = 0; i < 4; i++) {
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(ProbeState.INDEX_MINUTES / 2));
      assertThat(state.backoff("USED")).as("statement %s", i).isSameAs(used);
    }
    assertThat(state.indexCount()).isEqualTo(1);
    assertThat(state.backoff("GONE")).isNotSameAs(gone);
  }

  @Test
  public void keepsABoundedNumberOfIndexes() {
    for (int i = 0; i < 3 * ProbeState.MAX_INDEXES; i++) {
      state.backoff("I" + i);
    }
    assertThat(state.indexCount()).isLessThanOrEqualTo(ProbeState.MAX_INDEXES);
  }

  @Test
  public void forgetsServersWithoutRequests() {
    ServerName asked = ServerName.valueOf("a", 1, 1);
    ProbeThrottle lane = state.throttle(asked);
    for (int start = 2; start < 100; start++) {
      state.throttle(ServerName.valueOf("a", 1, start));
    }
    while (state.throttleCount() > 1) {
      System.gc();
    }
    assertThat(state.throttle(asked)).isSameAs(lane);
  }
}
