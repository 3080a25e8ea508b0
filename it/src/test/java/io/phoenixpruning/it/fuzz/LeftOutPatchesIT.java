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

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.ClusterTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Test;

/**
 * Finds the patches that {@link FuzzIT} would miss. Runs its queries with patches left out, along
 * the index and on the data table. All patches that no query has shown yet are left out at the same
 * time. If an answer is then wrong, the test searches for the patch.
 */
public class LeftOutPatchesIT extends ClusterTest {

  private static final RunLength LENGTH = RunLength.of("fuzz.minutes", 1);

  private static final int QUERIES =
      Integer.getInteger("fuzz.queries", LENGTH.isTimed() ? 100 : 20);

  /**
   * Patches that are never left out. Without {@link Patch#UNBOUNDED_UNION}, Phoenix compiles some
   * statements forever. Without {@link Patch#POINT_KEYS}, it can need all memory.
   */
  private static final Set<Patch> ALWAYS_ON = EnumSet.of(Patch.UNBOUNDED_UNION, Patch.POINT_KEYS);

  private static final Path REPORT = Path.of("target", "fuzz", "left-out.txt");

  private static final Map<Patch, String> FOUND = new LinkedHashMap<>();

  private static long queries;

  @After
  public void turnPatchesOn() throws Exception {
    PatchesLeftOut.switchPatchesOfJvm(Set.of());
  }

  @AfterClass
  public static void writeReport() throws IOException {
    List<String> lines = new ArrayList<>();
    FOUND.forEach((patch, query) -> lines.add(patch.id() + " " + query));
    String summary = queries + " queries, wrong without one of " + FOUND.size() + " patches";
    lines.add(summary + ". Never wrong without one of these:");
    notFound().forEach(patch -> lines.add("  " + patch.id()));
    System.out.println(summary);
    Files.createDirectories(REPORT.getParent());
    Files.write(REPORT, lines);
  }

  /** Patches of writes are left to {@link WritesFuzzIT}. */
  private static Set<Patch> notFound() {
    EnumSet<Patch> patches = EnumSet.allOf(Patch.class);
    patches.removeIf(
        patch ->
            patch.isOptIn()
                || patch.isOfWrites()
                || ALWAYS_ON.contains(patch)
                || FOUND.containsKey(patch));
    return patches;
  }

  @Test
  public void makesAnswersWrong() throws Exception {
    long firstSeed = Long.getLong("fuzz.seed", 1);
    SeedRun run = new SeedRun(LENGTH.start(1), firstSeed);
    run.run(
        1,
        () -> DeployedTable.connections(getUrl()),
        (seed, connections) -> table(seed, connections, run));
    assertThat(FOUND.keySet()).contains(Patch.INDEX_ROW_CONDITION, Patch.DERIVED_GROUPS);
  }

  private static void table(long seed, Connections connections, SeedRun run) throws Exception {
    Random random = new Random(seed);
    TableGenerator generator = new TableGenerator(random);
    RandomTable wanted = generator.table();
    FuzzReport report = new FuzzReport();
    try (DeployedTable deployed =
        new DeployedTable(
            connections, getUtility().getAdmin(), "L" + seed, wanted, generator, report.times())) {
      Oracle oracle = new Oracle(deployed.table(), report.times());
      QueryGenerator generated = new QueryGenerator(random, deployed.table());
      for (int i = 0; i < QUERIES && !run.isStopped(); i++) {
        RandomQuery query = generated.query();
        if (!query.form().changesRows() && KnownDefect.of(wanted, query).isEmpty()) {
          AnswerComparison answers = new AnswerComparison(deployed, oracle, report);
          Optional<List<List<Object>>> expected = answers.expected(query);
          if (expected.isPresent() && !answers.isWrong(query, expected.get())) {
            queries++;
            String name = seed + "/" + i + " (" + queries + ")";
            search(notFound(), new Search(name, deployed, answers, query, expected.get()));
            leaveOut(Set.of(), deployed);
          }
        }
      }
    }
  }

  /** A query whose answer is right with all patches. */
  private record Search(
      String name,
      DeployedTable deployed,
      AnswerComparison answers,
      RandomQuery query,
      List<List<Object>> expected) {

    boolean isWrongWithout(Set<Patch> patches) throws Exception {
      leaveOut(patches, deployed);
      return answers.isWrong(query, expected);
    }
  }

  /** Searches for single patches without which the answer is wrong. */
  private static void search(Set<Patch> patches, Search search) throws Exception {
    if (patches.isEmpty() || !search.isWrongWithout(patches)) {
      return;
    }
    if (patches.size() == 1) {
      Patch patch = patches.iterator().next();
      FOUND.put(patch, search.name() + ": " + search.query().sql().phoenix());
      System.out.println(patch.id() + " " + FOUND.get(patch));
      return;
    }
    List<Patch> all = List.copyOf(patches);
    search(part(all.subList(0, all.size() / 2)), search);
    search(part(all.subList(all.size() / 2, all.size())), search);
  }

  private static Set<Patch> part(List<Patch> patches) {
    return patches.stream().collect(toCollection(() -> EnumSet.noneOf(Patch.class)));
  }

  private static void leaveOut(Set<Patch> patches, DeployedTable deployed) throws Exception {
    PatchesLeftOut.switchPatchesOfJvm(patches);
    deployed.leaveOut(PatchesLeftOut.ofConnection(patches));
  }
}
