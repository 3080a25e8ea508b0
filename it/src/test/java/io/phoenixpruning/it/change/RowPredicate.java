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
package io.phoenixpruning.it.change;

import io.phoenixpruning.it.change.ChangingTable.Row;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A condition on {@link ChangingTable#ROWS}, as SQL and as a Java predicate. */
record RowPredicate(String sql, Predicate<Row> holds) {

  RowPredicate and(RowPredicate other) {
    return new RowPredicate(sql + " AND " + other.sql, holds.and(other.holds));
  }

  /** Returns the rows that match, in key order. */
  List<Row> rows() {
    return ChangingTable.ROWS.stream().filter(holds).toList();
  }

  /**
   * Returns a random condition on the indexed column that matches only rows of {@link
   * ChangingTable#ROWS}.
   */
  static RowPredicate onValue(Random random) {
    int value = random.nextInt(ChangingTable.SECOND_KEYS);
    return switch (random.nextInt(4)) {
      case 0 -> new RowPredicate("V < " + (value + 1), row -> row.v() <= value);
      case 1 ->
          new RowPredicate(
              "V BETWEEN " + value + " AND " + (ChangingTable.SECOND_KEYS - 1),
              row -> row.v() >= value);
      case 2 -> {
        int other = random.nextInt(ChangingTable.SECOND_KEYS);
        yield new RowPredicate(
            "V IN (" + value + ", " + other + ")", row -> row.v() == value || row.v() == other);
      }
      default -> equalValue(random);
    };
  }

  static RowPredicate equalValue(Random random) {
    int value = random.nextInt(ChangingTable.SECOND_KEYS);
    return new RowPredicate("V = " + value, row -> row.v() == value);
  }

  /** Returns a condition on the key, by which regions are pruned. */
  static RowPredicate onKey(Random random) {
    int from = random.nextInt(ChangingTable.FIRST_KEYS);
    int to = from + random.nextInt(ChangingTable.FIRST_KEYS - from);
    int second = random.nextInt(ChangingTable.SECOND_KEYS);
    return switch (random.nextInt(6)) {
      case 0 -> new RowPredicate("K1 = " + from, row -> row.k1() == from);
      case 1 -> {
        TreeSet<Integer> keys =
            IntStream.range(0, 4)
                .mapToObj(i -> random.nextInt(ChangingTable.FIRST_KEYS))
                .collect(Collectors.toCollection(TreeSet::new));
        String list = keys.stream().map(String::valueOf).collect(Collectors.joining(", "));
        yield new RowPredicate("K1 IN (" + list + ")", row -> keys.contains(row.k1()));
      }
      case 2 -> new RowPredicate("K1 >= " + from, row -> row.k1() >= from);
      case 3 ->
          new RowPredicate(
              "(K1 = " + from + " OR K1 = " + to + " AND K2 > " + second + ")",
              row -> row.k1() == from || row.k1() == to && row.k2() > second);
      default ->
          new RowPredicate(
              "K1 BETWEEN " + from + " AND " + to, row -> row.k1() >= from && row.k1() <= to);
    };
  }
}
