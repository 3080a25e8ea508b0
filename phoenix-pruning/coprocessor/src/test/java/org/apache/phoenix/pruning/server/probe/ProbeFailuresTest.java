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

import java.io.IOException;
import org.junit.Test;

public class ProbeFailuresTest {

  private static Exception failure(int depth) {
    return depth == 0 ? new IOException("depth " + depth) : new IllegalStateException(failure(0));
  }

  private static Exception failureAt(String method) {
    Exception failure = new IOException(method);
    failure.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("Reader", method, "Reader.java", 7)});
    return failure;
  }

  @Test
  public void recognizesARepeatedCause() {
    ProbeFailures failures = new ProbeFailures();
    assertThat(failures.isNew(failure(0))).isTrue();
    assertThat(failures.isNew(failure(0))).isFalse();
    assertThat(failures.isNew(failure(1))).as("the same cause, in another exception").isFalse();
    assertThat(failures.isNew(failureAt("seek"))).isTrue();
    assertThat(failures.isNew(failureAt("next"))).isTrue();
    assertThat(failures.isNew(failureAt("seek"))).isFalse();
  }

  @Test
  public void acceptsFailuresWithoutATraceOrWithCyclicCauses() {
    ProbeFailures failures = new ProbeFailures();
    Exception empty = new IOException("no trace");
    empty.setStackTrace(new StackTraceElement[0]);
    assertThat(failures.isNew(empty)).isTrue();
    Exception first = new IOException("first");
    first.initCause(new IOException("second", first));
    assertThat(failures.isNew(first)).isTrue();
  }

  @Test
  public void remembersABoundedNumberOfCauses() {
    ProbeFailures failures = new ProbeFailures();
    for (int i = 0; i < ProbeFailures.MAX_CAUSES; i++) {
      assertThat(failures.isNew(failureAt("method" + i))).as("cause %s", i).isTrue();
    }
    assertThat(failures.isNew(failureAt("one more"))).isFalse();
  }
}
