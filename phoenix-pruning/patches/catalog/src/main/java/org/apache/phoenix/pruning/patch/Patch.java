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
package org.apache.phoenix.pruning.patch;

import java.util.Locale;

/**
 * Fixes of defects in Phoenix that are woven into Phoenix's classes. No patch prunes regions: if
 * {@code phoenix.pruning.patches} switches a patch off, pruning continues.
 *
 * <p>{@link #ROW_VALUE_RANGES}, {@link #NULL_RANGES} and {@link #SKIP_SCAN} depend on one another:
 * leave out all three or none.
 */
public enum Patch {
  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  ARRAY_COMPARISON(
      Scope.JVM,
      true,
      "A comparison with ANY or ALL of an array takes null for false, and false for null."),

  CANCELLED_SCAN(
      Scope.CONNECTION,
      true,
      "A scan that is cancelled while its statement runs is left out, and its rows are missing."),

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  CASE_RESET(
      Scope.JVM, true, "AND and OR within a CASE keep the nulls of the previous row for the next."),

  COERCED_KEY_PART(
      Scope.CONNECTION,
      true,
      "A function of a column that an index keeps as another type gets a key range in the bytes of"
          + " the wrong type."),

  COMPARISON_RANGE(
      Scope.CONNECTION,
      true,
      "A comparison with the least or the greatest value of a type gets a key range that lacks rows,"
          + " or has all of them."),

  DATA_ROW_LOOKUP(
      Scope.CONNECTION,
      true,
      "The server reads the columns that an index lacks from memory that it has released, and fails"
          + " at a row that has none of them."),

  /**
   * Follows the JVM of the client, which compiles casts in a static method without a connection.
   */
  DECIMAL_TIMES(
      Scope.JVM,
      true,
      "A cast of a DECIMAL to a DATE or a TIME rounds to a unit that is not given."),

  /**
   * Changes the bytes that are stored, so clients with and without the patch write two keys for one
   * row. Follows the JVM, since literals are made without a connection.
   */
  DESCENDING_DECIMAL_BYTES(
      Scope.JVM,
      false,
      true,
      "A literal for a descending DECIMAL key column with a scale is written with other bytes than"
          + " the same value as a parameter."),

  DESCENDING_GROUPS(
      Scope.CONNECTION,
      true,
      "Groups of a descending column of variable length are merged in the wrong order if they come"
          + " from several regions."),

  DESCENDING_ORDER(
      Scope.CONNECTION,
      true,
      "ORDER BY sorts descending values of variable length with one before its own prefix."),

  DISTINCT_PREFIX(
      Scope.CONNECTION,
      true,
      "DISTINCT and GROUP BY along a local index skip rows before the WHERE has been tested."),

  EMPTY_BATCH(
      Scope.CONNECTION,
      true,
      "A scan of a local or an uncovered global index ends at the first empty batch, although HBase"
          + " has more rows."),

  HINTED_INDEX(
      Scope.CONNECTION,
      true,
      "A join fails with \"Undefined column\" if a hint names a global index that lacks a column of"
          + " the query."),

  INDEX_ROW_CONDITION(
      Scope.CONNECTION,
      true,
      "The WHERE of a local index scan keeps the nulls and the values of the previous row for the"
          + " next."),

  INHERITED_INDEX(
      Scope.CONNECTION,
      true,
      "A view's query along a local index of its table cannot look up columns in the data table."),

  JOINED_AGGREGATE(
      Scope.CONNECTION,
      true,
      "An aggregate over a hash join along a local index projects each row twice and finds nulls."),

  JOINED_TYPES(
      Scope.CONNECTION,
      true,
      "A join, or a query with a subquery, returns an index's DECIMAL for a BOOLEAN or a DATE."),

  /**
   * Applies to tables with a local index, for which pruning can choose another plan than Phoenix.
   */
  KEY_ORDER(
      Scope.CONNECTION,
      true,
      "Phoenix assumes a row order that functions of key columns, such as TRUNC, do not preserve:"
          + " groups are returned in parts, and rows are not sorted."),

  /** Follows the JVM, since a type converts bytes without a connection or a scan. */
  LONG_DECIMAL(
      Scope.JVM,
      true,
      "A DECIMAL with many digits is cut when it is read as UNSIGNED_LONG, DATE or UNSIGNED_DATE."),

  /** Follows the JVM, since a type compares bytes without a connection or a scan. */
  MIXED_ORDER(
      Scope.JVM,
      true,
      "Bytes of a descending and an ascending value are compared with their sign."),

  /** Follows the JVM, since expressions are evaluated without a connection or a scan. */
  NULL_PATTERN(Scope.JVM, true, "LIKE and NOT LIKE of a null are true or false instead of null."),

  NULL_RANGES(
      Scope.CONNECTION,
      true,
      "Ranges without a lower bound lose or gain the nulls of a column of variable length."),

  POINT_KEYS(
      Scope.CONNECTION,
      true,
      "IN lists of all key columns are multiplied, and the resulting keys exhaust the client's"
          + " memory."),

  ROW_VALUE_RANGES(
      Scope.CONNECTION,
      true,
      "Key ranges of row values that are combined with others lose rows, or gain rows that do not"
          + " match."),

  /**
   * Applies to the whole JVM of the client, because all connections share the class that frees hash
   * tables.
   */
  SERVER_CACHE(
      Scope.JVM,
      false,
      "A DELETE with a join that scans nothing frees its hash table twice and fails."),

  SKIP_SCAN(
      Scope.CONNECTION,
      true,
      "A skip scan steps over rows whose keys have values of different lengths, or nulls, and over"
          + " rows of regions that begin or end at the key of a row or inside a value."),

  SUBSTRING_RANGE(
      Scope.CONNECTION,
      true,
      "A comparison of SUBSTR(K, 1, N) with a text of another length gets a key range that lacks"
          + " rows.");

  /** Level at which a patch is switched on or off. */
  public enum Scope {
    /** Connection that runs the statement. The server follows the request in the scan. */
    CONNECTION,

    /**
     * JVM, which reads a system property, or hbase-site.xml on its class path. A client and a
     * server each follow their own JVM.
     */
    JVM
  }

  private final Scope scope;
  private final boolean forLocalIndexes;
  private final boolean optIn;
  private final String defect;

  Patch(Scope scope, boolean forLocalIndexes, String defect) {
    this(scope, forLocalIndexes, false, defect);
  }

  Patch(Scope scope, boolean forLocalIndexes, boolean optIn, String defect) {
    this.scope = scope;
    this.forLocalIndexes = forLocalIndexes;
    this.optIn = optIn;
    this.defect = defect;
  }

  /** Returns the name in settings, such as {@code skip-scan}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the patch with this {@link #id}, or null if there is none. */
  static Patch of(String id) {
    for (Patch patch : values()) {
      if (patch.id().equals(id)) {
        return patch;
      }
    }
    return null;
  }

  /** Describes Phoenix's defect in one sentence. */
  public String defect() {
    return defect;
  }

  public Scope scope() {
    return scope;
  }

  /** Returns whether queries along local indexes can return wrong rows without this patch. */
  public boolean isForLocalIndexes() {
    return forLocalIndexes;
  }

  /** Returns whether the patch is on only if a setting names it. */
  public boolean isOptIn() {
    return optIn;
  }
}
