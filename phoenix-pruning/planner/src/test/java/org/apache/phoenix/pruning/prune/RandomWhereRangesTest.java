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
import static org.apache.phoenix.pruning.prune.ScannedRows.PARTS;
import static org.apache.phoenix.pruning.prune.ScannedRows.boundaries;
import static org.apache.phoenix.pruning.prune.ScannedRows.check;
import static org.apache.phoenix.pruning.prune.ScannedRows.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.junit.Test;

/** Tests which rows Phoenix's scans find for random conditions, with and without patches. */
public class RandomWhereRangesTest {

  private static final int TABLES =
      Math.max(1, Math.min(2_000, Integer.getInteger("tests.cases", 10_000) / 400));
  private static final int QUERIES = 300;

  /** Tables whose keys have many nulls, for the test of single patches. */
  private static final List<String> WITH_NULLS =
      List.of("S? I I", "Sd? S I", "S S? I", "I Sd? S?", "S S? S?", "I S? Id");

  /** Patches that change the rows that a scan finds. */
  private static final List<Patch> RANGE_PATCHES =
      List.of(
          Patch.DESCENDING_NULL,
          Patch.NULL_OR_VALUE,
          Patch.NULL_RANGES,
          Patch.ROW_VALUE_RANGES,
          Patch.SKIP_SCAN);

  @Test
  public void findsTheRowsOfRandomConditions() throws Exception {
    for (int seed = 0; seed < TABLES; seed++) {
      Random random = new Random(seed);
      KeyShape shape = KeyShape.random(random);
      try (Connectionless driver = new Connectionless()) {
        TreeMap<byte[], Object[]> rows = shape.createTable(driver);
        for (int i = 0; i < QUERIES; i++) {
          check(driver, rows, condition(random, shape, 2), "seed " + seed + ", " + shape);
        }
      }
    }
  }

  /**
   * Leaves out each patch alone, and adds each patch alone. If Phoenix finds the right rows without
   * these patches, the other patches must not change them.
   */
  @Test
  public void losesNoRowsIfPatchesAreLeftOut() throws Exception {
    List<PatchSet> sets = new ArrayList<>();
    for (Patch patch : RANGE_PATCHES) {
      sets.add(PatchSet.parse("all,-" + patch.id()));
      sets.add(allBut(RANGE_PATCHES.stream().filter(other -> other != patch)));
    }
    PatchSet none = allBut(RANGE_PATCHES.stream());
    int wrong = 0;
    for (int seed = 0; seed < WITH_NULLS.size() * 2; seed++) {
      Random random = new Random(seed);
      KeyShape shape =
          seed % 2 == 0
              ? KeyShape.random(random)
              : new KeyShape(WITH_NULLS.get(seed / 2 % WITH_NULLS.size()));
      List<RowCondition> conditions =
          IntStream.range(0, 20).mapToObj(i -> condition(random, shape, 2)).toList();
      List<Boolean> ofPhoenix = areRight(none, shape, conditions);
      wrong += Collections.frequency(ofPhoenix, false);
      for (PatchSet set : sets) {
        List<Boolean> right = areRight(set, shape, conditions);
        for (int i = 0; i < right.size(); i++) {
          assertThat(right.get(i) || !ofPhoenix.get(i))
              .as(set + ", " + shape + ": " + conditions.get(i / PARTS.size()).sql())
              .isTrue();
        }
      }
    }
    assertThat(wrong).as("wrong in Phoenix").isPositive();
  }

  private static PatchSet allBut(Stream<Patch> patches) {
    return PatchSet.parse(
        patches.map(patch -> ",-" + patch.id()).collect(Collectors.joining("", "all", "")));
  }

  /** Returns for each condition, and each of PARTS, whether its scan finds the right rows. */
  private static List<Boolean> areRight(
      PatchSet patches, KeyShape shape, List<RowCondition> conditions) throws Exception {
    List<Boolean> right = new ArrayList<>();
    try (Connectionless driver = new Connectionless(PruningOptions.PATCHES, patches.toString())) {
      PatchSet usable =
          PruningOptions.of(driver.connection().unwrap(PhoenixConnection.class)).patches();
      TreeMap<byte[], Object[]> all = shape.createTable(driver);
      for (RowCondition condition : conditions) {
        StatementContext context = compiled(driver, condition);
        for (int part : PARTS) {
          Random random = new Random(31L * condition.sql().hashCode() + part);
          TreeMap<byte[], Object[]> rows = new TreeMap<>(all);
          rows.values().removeIf(row -> random.nextInt(part) > 0);
          right.add(isRight(context, rows, boundaries(random, all), condition, usable));
        }
      }
    }
    return right;
  }

  private static boolean isRight(
      StatementContext context,
      TreeMap<byte[], Object[]> rows,
      SortedSet<byte[]> boundaries,
      RowCondition condition,
      PatchSet patches)
      throws Exception {
    try {
      check(
          SimulatedScans.found(context, context.getScan(), rows, boundaries, patches),
          rows,
          condition,
          "");
      return true;
    } catch (AssertionError | RuntimeException e) {
      // Phoenix's own skip scan can also fail with an exception.
      return false;
    }
  }
}
