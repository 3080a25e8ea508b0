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

import static org.apache.phoenix.pruning.prune.RandomRowConditions.condition;
import static org.apache.phoenix.pruning.prune.RowCondition.and;
import static org.apache.phoenix.pruning.prune.RowCondition.between;
import static org.apache.phoenix.pruning.prune.RowCondition.compare;
import static org.apache.phoenix.pruning.prune.RowCondition.in;
import static org.apache.phoenix.pruning.prune.RowCondition.or;
import static org.apache.phoenix.pruning.prune.RowCondition.rowValue;
import static org.apache.phoenix.pruning.prune.ScannedRows.boundaries;
import static org.apache.phoenix.pruning.prune.ScannedRows.check;
import static org.apache.phoenix.pruning.prune.ScannedRows.compiled;

import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.StatementContext;
import org.junit.Test;

/** Tests to which key a skip scan goes on after a row. */
public class SkipScanRangesTest {

  @Test
  public void skipsToTheNextValue() throws Exception {
    check("S I I", and(and(compare(1, "<", 2), in(0, "aa", "b")), compare(2, "=", 2)));
    check("Sd I I", and(and(between(0, "aa", "ca"), in(1, 2, 1, 5)), in(2, 3, 2, 4)));
    check("I I Sd", and(or(rowValue("=", 0, 3, 4), rowValue("=", 0, 4, 0)), in(2, "ab", "a", "b")));
    check(
        "I S? S?",
        and(
            or(compare(2, ">", "a"), compare(2, "=", "c c")),
            or(rowValue("=", 0, 5, "ab"), rowValue("=", 0, 5, "b"))));
  }

  @Test
  public void skipsToALongerValue() throws Exception {
    check("P I I", and(between(0, "a", "b"), in(1, 0, 2)));
    check("P I I", in(1, 0, 2), and(compare(1, "<", 2), in(2, 1, 3)), compare(2, "=", 3));
    check("I P I", in(2, 0, 2), and(in(0, 1, 3), compare(2, "=", 2)));
    for (String shape : List.of("P S I", "P Id I", "P S? Sd", "Pd S I")) {
      Object second = shape.contains("Id") ? (Object) 2 : "b";
      Object third = shape.endsWith("Sd") ? (Object) "b" : 2;
      check(
          shape,
          and(compare(0, ">", "a"), compare(1, ">=", second)),
          and(compare(0, ">", "a"), compare(1, "=", second)),
          and(compare(0, ">", "b"), and(compare(1, ">", second), compare(2, "=", third))));
    }
    check("I P S", and(in(0, 1, 3), and(compare(1, ">", "a"), compare(2, ">=", "b"))));
  }

  /**
   * Incrementing the greatest value of a column carries into the bytes before the value in the key.
   */
  @Test
  public void skipsPastTheGreatestValue() throws Exception {
    for (String shape :
        List.of("E I I", "Ed I S", "E Ed I", "P E I", "P Ed S", "Pd E I", "I E I")) {
      Object first = shape.startsWith("P") ? (Object) "a" : 0;
      for (String operator : List.of(">=", "<=", ">", "<")) {
        RowCondition range = compare(0, operator, first);
        RowCondition second = compare(1, shape.contains("Ed ") ? "<=" : ">=", 0);
        check(shape, and(range, in(1, 0, 2)), and(range, and(second, lastOf(shape))));
      }
    }
  }

  private static RowCondition lastOf(String shape) {
    return shape.endsWith("S") ? in(2, "a", "c c") : in(2, 1, 4);
  }

  /** The region begins or ends at the key of a row, or inside a value. */
  @Test
  public void skipsInRegionsThatBeginAnywhere() throws Exception {
    RowCondition first = or(in(0, "aa", "ab"), compare(0, ">", "c c"));
    for (String shape : List.of("Sd I S", "Sd Id Sd", "Sd S S?", "Sd? S S")) {
      KeyShape columns = new KeyShape(shape);
      checkAtEachRow(columns, and(first, in(2, "a", "c c")));
      checkAtEachRow(columns, and(in(0, "a", "ab", "ba"), in(2, "a", "b")));
    }
    checkAtEachRow(new KeyShape("Id Id Id"), and(in(0, -1, 2, 3), in(2, -1, 0)));
    checkAtEachRow(new KeyShape("I I S?"), and(in(0, 2, -1), in(2, "b", "ba", "ca")));
  }

  /** Checks the condition with a boundary at the key of each row, and some random boundaries. */
  private static void checkAtEachRow(KeyShape shape, RowCondition condition) throws Exception {
    Random random = new Random(1);
    try (Connectionless driver = new Connectionless()) {
      TreeMap<byte[], Object[]> rows = shape.createTable(driver);
      StatementContext context = compiled(driver, condition);
      for (byte[] start : rows.keySet()) {
        SortedSet<byte[]> boundaries = boundaries(random, rows);
        boundaries.add(start);
        check(
            SimulatedScans.found(context, context.getScan(), rows, boundaries),
            rows,
            condition,
            shape
                + " split at "
                + boundaries.stream().map(Bytes::toStringBinary).toList()
                + ": "
                + condition.sql());
      }
    }
  }
}
