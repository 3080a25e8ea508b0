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
package org.apache.phoenix.pruning.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public class EvaluationBudgetTest {

  @Test
  public void endsWithItsUnits() {
    EvaluationBudget budget = new EvaluationBudget(3, 1_000);
    assertThat(budget.spend(1)).isTrue();
    assertThat(budget.spend(2)).isTrue();
    assertThat(budget.isOver()).isFalse();
    assertThat(budget.spend(1)).isFalse();
    assertThat(budget.spend(1)).isFalse();
    assertThat(budget.isOver()).isTrue();
    assertThat(budget.spent()).isEqualTo(3);
    assertThatCode(budget::throwIfStopped).doesNotThrowAnyException();
  }

  @Test
  public void endsWithTheTimeOfTheQuery() {
    AtomicLong nanos = new AtomicLong(17);
    EvaluationBudget budget = new EvaluationBudget(Long.MAX_VALUE, 100, nanos::get);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(budget.spend(EvaluationBudget.UNITS_BETWEEN_CHECKS)).isTrue();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(budget.spend(EvaluationBudget.UNITS_BETWEEN_CHECKS - 1)).isTrue();
    assertThat(budget.spend(1)).isFalse();
    assertThatThrownBy(budget::throwIfStopped)
        .isInstanceOf(SQLTimeoutException.class)
        .hasMessageContaining("100 ms");
  }

  @Test
  public void neverEndsWithoutLimits() {
    EvaluationBudget budget = EvaluationBudget.unlimited();
    for (int i = 0; i < 10; i++) {
      assertThat(budget.spend(Integer.MAX_VALUE)).as("call %s", i).isTrue();
    }
  }
}
