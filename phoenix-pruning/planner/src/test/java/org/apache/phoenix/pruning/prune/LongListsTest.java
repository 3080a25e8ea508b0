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
package org.apache.phoenix.pruning.prune;

import static org.apache.phoenix.pruning.prune.RowCondition.and;
import static org.apache.phoenix.pruning.prune.RowCondition.in;
import static org.apache.phoenix.pruning.prune.ScannedRows.check;
import static org.apache.phoenix.pruning.prune.ScannedRows.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.ScanRanges;
import org.junit.Test;

/** Tests products of lists, for which Phoenix would make very many keys. */
public class LongListsTest {

  /** Phoenix creates all 3,375,000 keys of these lists, which takes more than 5 GB. */
  @Test
  public void makesNoKeysOfLongLists() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      new KeyShape("I Sd I").createTable(driver);
      RowCondition lists =
          and(and(in(0, longList("I")), in(1, longList("S"))), in(2, longList("I")));
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      ScanRanges ranges = compiled(driver, lists).getScanRanges();
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000_000);
      assertThat(ranges.isPointLookup()).isFalse();
      assertThat(ranges.getRanges()).extracting(List::size).containsExactly(150, 150, 150);
    }
  }

  @Test
  public void findsTheRowsOfLongLists() throws Exception {
    for (String shape : List.of("I Sd I", "S S? Sd", "Sd Id S", "I I S?")) {
      Object[][] lists =
          IntStream.range(0, 3)
              .mapToObj(i -> longList(new KeyShape(shape).isString(i) ? "S" : "I"))
              .toArray(Object[][]::new);
      check(shape, and(and(in(0, lists[0]), in(1, lists[1])), in(2, lists[2])));
    }
  }

  /** The plan is the same as Phoenix's if the keys fit into memory. */
  @Test
  public void makesTheKeysOfShorterLists() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      new KeyShape("I S I").createTable(driver);
      RowCondition lists = and(and(in(0, longList("I")), in(1, longList("S"))), in(2, 1, 2, 3, 4));
      ScanRanges ranges = compiled(driver, lists).getScanRanges();
      assertThat(ranges.isPointLookup()).isTrue();
      assertThat(ranges.getPointLookupCount()).isEqualTo(150 * 150 * 4);
    }
  }

  /** Returns 150 values: every second value of a column's domain, and values that no row has. */
  private static Object[] longList(String type) {
    boolean isString = type.equals("S");
    List<?> domain = isString ? KeyShape.STRINGS : KeyShape.NUMBERS;
    return IntStream.range(0, 150)
        .mapToObj(
            i ->
                i * 2 < domain.size()
                    ? domain.get(i * 2)
                    : isString ? (Object) ("b" + i) : (Object) (i * 10))
        .toArray();
  }
}
