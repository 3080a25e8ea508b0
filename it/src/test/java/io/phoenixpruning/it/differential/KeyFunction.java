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

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;

/**
 * A function of a column: its SQL, its type, and its value for a row.
 *
 * @param evaluator returns the value of the function for the values of a row; null for SQL NULL
 */
record KeyFunction(String sql, KeyType type, Function<List<Object>, Object> evaluator) {

  private static final BigDecimal HOUR = new BigDecimal(3_600_000);

  /** Returns the column itself. */
  static KeyFunction none(RandomKeyColumn column) {
    return new KeyFunction(column.name(), column.type(), row -> row.get(column.position()));
  }

  /** Returns {@code SUBSTR(K1, 1, 2)}. */
  static KeyFunction prefix(RandomKeyColumn column, int length) {
    return new KeyFunction(
        "SUBSTR(" + column.name() + ", 1, " + length + ")",
        KeyType.VARCHAR,
        row -> {
          String value = (String) row.get(column.position());
          return value == null ? null : value.substring(0, Math.min(length, value.length()));
        });
  }

  /** Returns {@code FLOOR(U, 'HOUR')}, or the same function under another {@code name}. */
  static KeyFunction hour(RandomKeyColumn column, String name) {
    return new KeyFunction(
        name + "(" + column.name() + ", 'HOUR')",
        KeyType.DATE,
        row -> {
          BigDecimal value = (BigDecimal) row.get(column.position());
          return value == null
              ? null
              : KeyType.number(value.divideToIntegralValue(HOUR).multiply(HOUR));
        });
  }
}
