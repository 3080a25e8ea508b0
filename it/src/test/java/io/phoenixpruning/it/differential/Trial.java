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

import java.util.List;
import java.util.function.Function;

/**
 * A statement with its expected result.
 *
 * @param ordered whether the order of the rows is part of the answer
 * @param limited whether several answers are correct
 * @param autoCommit whether each change is committed at once; null for a query
 * @param types the types of the columns; null for a statement that writes
 * @param changes the number of rows that a statement writes; 0 for a query
 * @param judge judges the rows of a query, or all rows of the table after a statement that writes
 */
record Trial(
    String sql,
    List<Object> binds,
    boolean ordered,
    boolean limited,
    Boolean autoCommit,
    List<String> types,
    int changes,
    Function<List<List<Object>>, Verdict> judge) {

  static Trial query(
      String sql,
      List<Object> binds,
      List<String> types,
      Function<List<List<Object>>, Verdict> judge) {
    return new Trial(sql, binds, false, false, null, types, 0, judge);
  }

  static Trial ordered(
      String sql,
      List<Object> binds,
      List<String> types,
      Function<List<List<Object>>, Verdict> judge) {
    return new Trial(sql, binds, true, false, null, types, 0, judge);
  }

  static Trial limited(
      String sql,
      List<Object> binds,
      List<String> types,
      Function<List<List<Object>>, Verdict> judge) {
    return new Trial(sql, binds, false, true, null, types, 0, judge);
  }

  static Trial change(
      String sql,
      List<Object> binds,
      boolean autoCommit,
      int changes,
      Function<List<List<Object>>, Verdict> judge) {
    return new Trial(sql, binds, false, false, autoCommit, null, changes, judge);
  }

  enum Verdict {
    RIGHT,
    /** Right if nulls in row values are ordered as Phoenix orders them. SQL does not order them. */
    ALLOWED,
    WRONG
  }

  boolean isQuery() {
    return autoCommit == null;
  }

  @Override
  public String toString() {
    return sql
        + (binds.isEmpty() ? "" : " " + binds.stream().map(Trial::shown).toList())
        + (isQuery() ? "" : autoCommit ? ", auto commit" : ", commit");
  }

  private static String shown(Object bind) {
    return bind == null ? "null" : bind.getClass().getSimpleName() + ":" + bind;
  }
}
