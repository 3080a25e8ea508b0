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
package io.phoenixpruning.cli.explain;

import java.util.Arrays;
import java.util.Optional;

/** Comparison operator of an expectation. */
enum ComparisonOperator {
  EQUAL("="),
  LESS("<"),
  AT_MOST("<="),
  GREATER(">"),
  AT_LEAST(">=");

  private final String sign;

  ComparisonOperator(String sign) {
    this.sign = sign;
  }

  static Optional<ComparisonOperator> of(String sign) {
    return Arrays.stream(values()).filter(comparison -> comparison.sign.equals(sign)).findFirst();
  }

  boolean holds(int left, int right) {
    return switch (this) {
      case EQUAL -> left == right;
      case LESS -> left < right;
      case AT_MOST -> left <= right;
      case GREATER -> left > right;
      case AT_LEAST -> left >= right;
    };
  }

  /** Returns the right side closest to {@code left} for which the comparison holds. */
  int closestBound(int left) {
    return switch (this) {
      case EQUAL, AT_MOST, AT_LEAST -> left;
      case LESS -> left + 1;
      case GREATER -> left - 1;
    };
  }

  @Override
  public String toString() {
    return sign;
  }
}
