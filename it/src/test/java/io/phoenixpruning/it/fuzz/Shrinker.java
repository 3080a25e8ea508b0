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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reduces a table and a query as long as the query still fails. */
final class Shrinker {

  private static final Duration TIME_LIMIT = Duration.ofMinutes(3);

  private final Failing failing;
  private final long deadline = System.nanoTime() + TIME_LIMIT.toNanos();
  private RandomTable table;
  private RandomQuery query;

  Shrinker(RandomTable table, RandomQuery query, Failing failing) {
    this.table = table;
    this.query = query;
    this.failing = failing;
  }

  RandomTable table() {
    return table;
  }

  RandomQuery query() {
    return query;
  }

  /** Tries all reductions until none succeeds or the time is up. */
  void shrink() throws Exception {
    boolean smaller = true;
    while (smaller) {
      smaller = shrinkQuery();
      smaller |= shrinkIndexes();
      smaller |= shrinkRows();
      smaller |= shrinkSplits();
      smaller |= shrinkColumns();
      smaller |= accept(table.withoutStatistics(), query);
    }
  }

  private boolean shrinkQuery() throws Exception {
    for (RandomQuery candidate : query.smaller()) {
      if (accept(table, candidate)) {
        shrinkQuery();
        return true;
      }
    }
    return false;
  }

  private boolean shrinkIndexes() throws Exception {
    int used = query.index().charAt(query.index().length() - 1) - '0';
    if (table.indexes().size() < 2 || used < 0 || used > 9) {
      return false;
    }
    String only = query.index().substring(0, query.index().length() - 1) + "0";
    return accept(table.withOnlyIndex(used), query.withIndex(only));
  }

  /**
   * Removes halves, quarters, ... of the rows. The first row stays, because a view may depend on
   * it.
   */
  private boolean shrinkRows() throws Exception {
    boolean smaller = false;
    for (int length = table.rows().size() / 2; length > 0; length /= 2) {
      for (int from = 1; from < table.rows().size(); ) {
        List<List<Object>> rows = without(table.rows(), from, length);
        if (accept(table.withRows(rows), query)) {
          smaller = true;
        } else {
          from += length;
        }
      }
    }
    return smaller;
  }

  private boolean shrinkSplits() throws Exception {
    boolean smaller = false;
    for (int i = table.splits().size() - 1; i >= 0; i--) {
      smaller |= accept(table.withSplits(without(table.splits(), i, 1)), query);
    }
    return smaller;
  }

  private boolean shrinkColumns() throws Exception {
    boolean smaller = false;
    for (int i = table.columns().size() - 1; i > table.keys().size(); i--) {
      String name = table.columns().get(i).name();
      boolean used =
          table.view() > 0
              || query.text().contains(name)
              || query.where().sql().phoenix().contains(name)
              || table.indexes().toString().contains(name);
      smaller |= !used && accept(table.withoutColumn(i), query);
    }
    return smaller;
  }

  private static <T> List<T> without(List<T> list, int from, int length) {
    List<T> rest = new ArrayList<>(list.subList(0, from));
    rest.addAll(list.subList(Math.min(list.size(), from + length), list.size()));
    return rest;
  }

  private boolean accept(RandomTable candidate, RandomQuery candidateQuery) throws Exception {
    boolean same = candidate.equals(table) && candidateQuery.equals(query);
    if (same || System.nanoTime() > deadline || !failing.test(candidate, candidateQuery)) {
      return false;
    }
    table = candidate;
    query = candidateQuery;
    return true;
  }

  /** Tests whether a query on a table still fails in the same way. */
  @FunctionalInterface
  interface Failing {
    boolean test(RandomTable table, RandomQuery query) throws Exception;
  }
}
