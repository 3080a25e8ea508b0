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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.CompareOperator;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class CompareOperatorsTest {

  private static final List<Integer> NUMBERS = List.of(1, 2, 3);

  @Test
  @Parameters({"LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER"})
  public void compareOppositesAndExchangedOperands(CompareOperator operator) {
    for (int one : NUMBERS) {
      for (int other : NUMBERS) {
        boolean expected = holds(operator, one, other);
        assertThat(holds(CompareOperators.negate(operator), one, other))
            .as("%s and %s", one, other)
            .isNotEqualTo(expected);
        assertThat(holds(CompareOperators.mirror(operator), other, one))
            .as("%s and %s", one, other)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  public void keepNoOperation() {
    assertThat(CompareOperators.negate(CompareOperator.NO_OP)).isEqualTo(CompareOperator.NO_OP);
    assertThat(CompareOperators.mirror(CompareOperator.NO_OP)).isEqualTo(CompareOperator.NO_OP);
    assertThatThrownBy(() -> holds(CompareOperator.NO_OP, 1, 1)).isInstanceOf(AssertionError.class);
  }

  static boolean holds(CompareOperator operator, int one, int other) {
    return switch (operator) {
      case LESS -> one < other;
      case LESS_OR_EQUAL -> one <= other;
      case EQUAL -> one == other;
      case NOT_EQUAL -> one != other;
      case GREATER_OR_EQUAL -> one >= other;
      case GREATER -> one > other;
      default -> throw new AssertionError(operator);
    };
  }
}
