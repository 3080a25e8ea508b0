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
package io.phoenixpruning.it.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A statement on one relation of a random table.
 *
 * @param relation name of the relation
 * @param ofTenant whether the statement runs on the tenant's connection
 * @param index local index for the hint
 * @param options further hints
 * @param text SQL with {@code {}} in place of the condition and {@code %hint} in place of the hints
 */
record RandomQuery(
    Form form,
    String relation,
    boolean ofTenant,
    String index,
    String options,
    String text,
    ConditionTree where) {

  /** Kind of statement, which determines how answers are compared. */
  enum Form {
    ROWS,
    ORDERED,
    /** Any matching rows: as many as LIMIT says, after any OFFSET. */
    LIMITED,
    AGGREGATE,
    GROUPED,
    DISTINCT,
    JOIN,
    /** The table A is joined with itself, as B. */
    SELF_JOIN,
    DERIVED,
    UNION,
    DELETE,
    UPSERT;

    boolean changesRows() {
      return this == DELETE || this == UPSERT;
    }

    /**
     * Returns whether planned regions can be compared. This requires a single scan of all matching
     * rows.
     */
    boolean isOneScan() {
      return this == ROWS || this == ORDERED || this == AGGREGATE;
    }
  }

  Sql sql() {
    Sql condition = where.sql();
    if (form == Form.SELF_JOIN) {
      condition =
          new Sql(ofFirst(condition.phoenix()), ofFirst(condition.calcite()), condition.binds());
    }
    return Sql.format(text, forCalcite(text), condition);
  }

  /** Qualifies all columns with the alias of the first table of a self join. */
  private static String ofFirst(String condition) {
    return condition.replaceAll("\\b([KV]\\d)\\b", "A.$1");
  }

  /**
   * Translates the functions of a GROUP BY or DISTINCT for Calcite. Times are milliseconds, and not
   * negative. If the group is a constant, Calcite makes a group even if there are no rows, also for
   * a DISTINCT with a subquery.
   */
  private static String forCalcite(String text) {
    return text.replaceAll("(\\w+)\\((\\w+), 'HOUR'\\)", "$1($2 / 3600000) * 3600000")
        .replaceAll("(\\w+)\\((\\w+), 'DAY'\\)", "$1($2 / 86400000) * 86400000")
        .replaceAll("\\bTRUNC\\(", "FLOOR(")
        .replaceAll("^SELECT %hint DISTINCT 'x' (FROM .*)$", "SELECT %hint 'x' $1 GROUP BY 'x'")
        .replaceAll(" GROUP BY 'x'$", " GROUP BY 'x' HAVING COUNT(*) > 0")
        .replaceAll("SUBSTR\\((\\w+), 1, (\\d)\\)", "SUBSTRING($1 FROM 1 FOR $2)");
  }

  String hinted() {
    String hintedTable = form == Form.SELF_JOIN ? "A" : relation;
    return "/*+ INDEX(" + hintedTable + " " + index + ") " + options + " */";
  }

  /** Returns whether the order of the rows is defined. */
  boolean isOrdered() {
    return text.contains(" ORDER BY ");
  }

  String unindexed() {
    return "/*+ NO_INDEX " + options + " */";
  }

  RandomQuery withWhere(ConditionTree condition) {
    return new RandomQuery(form, relation, ofTenant, index, options, text, condition);
  }

  RandomQuery withIndex(String otherIndex) {
    return new RandomQuery(form, relation, ofTenant, otherIndex, options, text, where);
  }

  /** Returns queries that are one step smaller. */
  List<RandomQuery> smaller() {
    return where.smaller().stream().map(this::withWhere).collect(Collectors.toList());
  }
}
