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

/**
 * The truth of a condition for one row. If a row value has a null, SQL and Phoenix can differ,
 * because Phoenix orders nulls. So several results are possible.
 *
 * @param sql the truth in SQL; null for SQL NULL
 */
record Truth(Boolean sql, boolean canBeTrue, boolean canBeFalse, boolean canBeNull) {

  static final Truth TRUE = new Truth(true, true, false, false);
  static final Truth FALSE = new Truth(false, false, true, false);
  static final Truth NULL = new Truth(null, false, false, true);
  static final Truth NULL_OR_FALSE = new Truth(null, false, true, true);
  static final Truth NULL_OR_ANY = new Truth(null, true, true, true);

  static Truth of(boolean value) {
    return value ? TRUE : FALSE;
  }

  boolean isTrue() {
    return Boolean.TRUE.equals(sql);
  }

  boolean mustBeTrue() {
    return canBeTrue && !canBeFalse && !canBeNull;
  }

  /** Returns the truth of {@code CASE WHEN condition THEN 1 ELSE 0 END = 1}. */
  Truth nullAsFalse() {
    return new Truth(isTrue(), canBeTrue, canBeFalse || canBeNull, false);
  }

  Truth not() {
    return new Truth(sql == null ? null : (Boolean) !sql, canBeFalse, canBeTrue, canBeNull);
  }

  Truth and(Truth other) {
    boolean isFalse = Boolean.FALSE.equals(sql) || Boolean.FALSE.equals(other.sql);
    return new Truth(
        isFalse ? (Boolean) false : sql == null || other.sql == null ? null : (Boolean) true,
        canBeTrue && other.canBeTrue,
        canBeFalse || other.canBeFalse,
        (canBeNull && (other.canBeNull || other.canBeTrue)) || (canBeTrue && other.canBeNull));
  }

  Truth or(Truth other) {
    return not().and(other.not()).not();
  }
}
