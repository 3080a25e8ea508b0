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
package io.phoenixpruning.it.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.differential.WorkerAnswer.Failure;
import org.junit.Test;

public class WorkerAnswerTest {

  private static final Failure TIMEOUT = new Failure(Failure.TIMEOUT, 0, "after 30 s", "");
  private static final Failure FULL_STACK =
      new Failure("java.lang.StackOverflowError", 0, "null", "at a");
  private static final Failure ERROR = new Failure("java.sql.SQLException", 1, "no column", "at a");

  @Test
  public void doNotEndIfTheTimeIsUpOrTheStackIsFull() {
    assertThat(TIMEOUT.isEndless()).isTrue();
    assertThat(FULL_STACK.isEndless()).isTrue();
    assertThat(ERROR.isEndless()).isFalse();
  }

  @Test
  public void areEqualIfNeitherEnds() {
    assertThat(TIMEOUT).isEqualTo(FULL_STACK).hasSameHashCodeAs(FULL_STACK);
    assertThat(FULL_STACK).isEqualTo(TIMEOUT).isNotEqualTo(ERROR);
    assertThat(ERROR).isNotEqualTo(TIMEOUT);
  }

  @Test
  public void areEqualWithOtherStackTraces() {
    Failure again = new Failure(ERROR.type(), 1, "no column", "at b");
    assertThat(again).isEqualTo(ERROR).hasSameHashCodeAs(ERROR);
    assertThat(new Failure(ERROR.type(), 2, "no column", "at a")).isNotEqualTo(ERROR);
    assertThat(new Failure(ERROR.type(), 1, "no table", "at a")).isNotEqualTo(ERROR);
    assertThat(new Failure("java.io.IOException", 1, "no column", "at a")).isNotEqualTo(ERROR);
  }
}
