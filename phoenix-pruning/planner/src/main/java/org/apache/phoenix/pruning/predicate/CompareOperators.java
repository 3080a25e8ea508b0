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

import org.apache.hadoop.hbase.CompareOperator;

/** Transformations of comparison operators. */
final class CompareOperators {

  private CompareOperators() {}

  /** Returns the operator of {@code NOT (a operator b)}. */
  static CompareOperator negate(CompareOperator operator) {
    switch (operator) {
      case LESS:
        return CompareOperator.GREATER_OR_EQUAL;
      case LESS_OR_EQUAL:
        return CompareOperator.GREATER;
      case EQUAL:
        return CompareOperator.NOT_EQUAL;
      case NOT_EQUAL:
        return CompareOperator.EQUAL;
      case GREATER_OR_EQUAL:
        return CompareOperator.LESS;
      case GREATER:
        return CompareOperator.LESS_OR_EQUAL;
      case NO_OP:
        return CompareOperator.NO_OP;
    }
    throw new AssertionError(operator);
  }

  /** Returns the operator for {@code a operator b} with the two operands exchanged. */
  static CompareOperator mirror(CompareOperator operator) {
    switch (operator) {
      case LESS:
        return CompareOperator.GREATER;
      case LESS_OR_EQUAL:
        return CompareOperator.GREATER_OR_EQUAL;
      case GREATER_OR_EQUAL:
        return CompareOperator.LESS_OR_EQUAL;
      case GREATER:
        return CompareOperator.LESS;
      case EQUAL:
      case NOT_EQUAL:
      case NO_OP:
        return operator;
    }
    throw new AssertionError(operator);
  }
}
