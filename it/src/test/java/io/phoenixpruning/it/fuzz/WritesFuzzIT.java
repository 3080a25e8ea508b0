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

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.phoenixpruning.it.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Runs random statements that write, and random changes of indexes, columns and regions. A model in
 * memory computes the rows after each commit. The table, its views and all its local indexes must
 * have these rows. A failure prints its seed, and the shortest statements that still fail.
 */
public class WritesFuzzIT extends ClusterTest {

  private static final RunLength LENGTH =
      RunLength.of("fuzz.minutes", Integer.getInteger("fuzz.seeds", 3));

  private static final int STEPS = Integer.getInteger("fuzz.steps", LENGTH.isTimed() ? 60 : 25);

  private static final int TABLES = Integer.getInteger("fuzz.tables", LENGTH.isTimed() ? 2 : 1);

  /** Number of failures after which a run ends. */
  private static final int FAILURES = Integer.getInteger("fuzz.failures", 1);

  private static final Path FOLDER = Path.of("target", "fuzz");

  private static final AtomicInteger REPLAYS = new AtomicInteger();

  private static WritesReport report;

  /** Begins the report after the cluster has started. */
  @BeforeClass
  public static void beginReport() throws Exception {
    PatchesLeftOut.switchPatchesOfJvm(PatchesLeftOut.ofRun());
    report = new WritesReport();
  }

  @AfterClass
  public static void writeReport() throws Exception {
    PatchesLeftOut.switchPatchesOfJvm(Set.of());
    System.out.println(report);
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("writes.txt"), report.toString());
  }

  /** Runs the same seeds each time. With a time limit, takes half of the time. */
  @Test
  public void keepsIndexesRightOnKnownSeeds() throws Exception {
    run(Long.getLong("fuzz.seed", 1));
  }

  /** Runs seeds that differ from run to run. Is skipped without a time limit. */
  @Test
  public void keepsIndexesRightOnFreshSeeds() throws Exception {
    assumeTrue("there is no time limit", LENGTH.isTimed());
    run(System.currentTimeMillis());
  }

  private static void run(long firstSeed) throws Exception {
    System.out.println(
        "Seeds from " + firstSeed + "; run them again with -Dfuzz.seed=" + firstSeed);
    long comparisons = report.comparisons();
    SeedRun run = new SeedRun(LENGTH.start(.5), firstSeed);
    run.run(
        TABLES,
        () -> DeployedTable.connections(getUrl()),
        (seed, connections) -> {
          table(seed, connections, run);
          if (report.failures().size() >= FAILURES) {
            throw new AssertionError(String.join("\n\n", report.failures()));
          }
        });
    assertThat(report.failures()).isEmpty();
    assertThat(report.comparisons()).as("comparisons").isGreaterThan(comparisons);
  }

  private static void table(long seed, Connections connections, SeedRun run) throws Exception {
    Random random = new Random(seed);
    WrittenTableGenerator tables = new WrittenTableGenerator(random);
    WrittenTableDefinition definition = tables.table();
    List<Step> steps = new ArrayList<>();
    Optional<WriteFailure> failure = Optional.empty();
    try (WrittenTable table = new WrittenTable(connections, getUtility(), "F" + seed, definition)) {
      report.countTable();
      definition = definition.withSplits(tables.boundaries(definition, table));
      if (!definition.splits().isEmpty()) {
        table.create(definition.splits());
      }
      ModelTable model = new ModelTable(definition);
      StepGenerator generator = new StepGenerator(random, tables, model, table);
      for (int i = 0; i < STEPS && failure.isEmpty() && !run.isStopped(); i++) {
        Step step = generator.step();
        steps.add(step);
        failure = run(table, model, step);
        if (failure.isEmpty() && (random.nextInt(3) == 0 || i == STEPS - 1)) {
          report.countComparison();
          failure = compare(table, model);
        }
      }
    }
    if (failure.isPresent()) {
      String text = failure(seed, connections, definition, steps, failure.get());
      report.addFailure(text);
      Files.createDirectories(FOLDER);
      Files.writeString(FOLDER.resolve("writes-" + seed + ".txt"), text);
    }
  }

  private static Optional<WriteFailure> run(WrittenTable table, ModelTable model, Step step) {
    try {
      step.run(table);
    } catch (Exception | StackOverflowError e) {
      return Optional.of(WriteFailure.of(step.lines(), e));
    }
    report.countStep(step);
    step.apply(model);
    return Optional.empty();
  }

  private static Optional<WriteFailure> compare(WrittenTable table, ModelTable model) {
    try {
      return new WrittenTableCheck(table, model, report).compare();
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof ArrayIndexOutOfBoundsException
          && e.getCause().getStackTrace()[0].getMethodName().equals("updateEstimates")
          && !KnownWriteDefect.GUIDE_POSTS.isIncluded()) {
        report.countQuery("failed because of a guidepost");
        return Optional.empty();
      }
      return Optional.of(WriteFailure.of(e.getMessage(), e.getCause()));
    } catch (Exception | StackOverflowError e) {
      return Optional.of(WriteFailure.of("the comparison", e));
    }
  }

  private static String failure(
      long seed,
      Connections connections,
      WrittenTableDefinition definition,
      List<Step> steps,
      WriteFailure failure) {
    Optional<List<Step>> shrunk =
        new StepShrinker(steps, fewer -> fails(connections, definition, fewer, failure.kind()))
            .shrink();
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(", step ").append(steps.size() - 1).append(": ");
    text.append(failure).append('\n');
    text.append(
        shrunk.isEmpty() ? "The failure does not occur again. All steps:\n" : "Smallest steps:\n");
    text.append(script(definition, shrunk.orElse(steps)));
    return text.toString();
  }

  /** Returns the statements as a script. A {@code $} ends each name. */
  private static String script(WrittenTableDefinition definition, List<Step> steps) {
    List<String> lines = new ArrayList<>();
    lines.add(definition.ddl() + ";");
    lines.add("-- regions: " + definition.splits());
    steps.forEach(step -> lines.addAll(step.lines()));
    return String.join("\n", lines).replaceAll("\\$(\\w+)", "$1\\$");
  }

  /** Runs steps on a new table, and returns whether the same kind of failure occurs. */
  private static boolean fails(
      Connections connections, WrittenTableDefinition definition, List<Step> steps, String kind) {
    try (WrittenTable table =
        new WrittenTable(connections, getUtility(), "R" + REPLAYS.incrementAndGet(), definition)) {
      ModelTable model = new ModelTable(definition);
      for (Step step : steps) {
        if (step.isAllowed(model)) {
          Optional<WriteFailure> failure = run(table, model, step);
          if (failure.isPresent()) {
            return failure.get().kind().equals(kind);
          }
        }
      }
      return compare(table, model).filter(failure -> failure.kind().equals(kind)).isPresent();
    } catch (Exception e) {
      return false;
    }
  }
}
