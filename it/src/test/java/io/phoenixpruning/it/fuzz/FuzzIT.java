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
import static org.assertj.core.api.Assertions.fail;
import static org.junit.Assume.assumeTrue;

import io.phoenixpruning.it.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Runs random statements on random tables. Each statement is answered in every mode, by the data
 * table, and by Calcite. A failure prints its seed and writes a test with a smaller table and
 * query.
 */
public class FuzzIT extends ClusterTest {

  /**
   * Number of seeds without a time limit. Each table then has few statements, so that many tables
   * are tested.
   */
  private static final RunLength LENGTH = RunLength.of("fuzz.minutes", 6);

  private static final int QUERIES =
      Integer.getInteger("fuzz.queries", LENGTH.isTimed() ? 400 : 25);

  /** Number of tables that exist at the same time. Creating a table mostly means waiting. */
  private static final int TABLES = Integer.getInteger("fuzz.tables", LENGTH.isTimed() ? 4 : 1);

  /**
   * Makes an answer fail the test even if it is also wrong without pruning and no {@link
   * KnownDefect} explains it.
   */
  private static final boolean STRICT = Boolean.getBoolean("fuzz.strict");

  /** Number of statements for each {@link MetamorphicCheck}. */
  private static final int CHECK_EACH = 6;

  private static final Path FOLDER = Path.of("target", "fuzz");

  private static FuzzReport report;

  /** Begins the report after the cluster has started. */
  @BeforeClass
  public static void beginReport() throws Exception {
    PatchesLeftOut.switchPatchesOfJvm(PatchesLeftOut.ofRun());
    report = new FuzzReport();
  }

  @AfterClass
  public static void writeReport() throws Exception {
    PatchesLeftOut.switchPatchesOfJvm(Set.of());
    System.out.println(report);
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("report.txt"), report.toString());
  }

  /** Runs the same seeds each time. With a time limit, takes half of the time. */
  @Test
  public void agreesOnKnownSeeds() throws Exception {
    run(Long.getLong("fuzz.seed", 1));
  }

  /** Runs seeds that differ from run to run. Is skipped without a time limit. */
  @Test
  public void agreesOnFreshSeeds() throws Exception {
    assumeTrue("there is no time limit", LENGTH.isTimed());
    run(System.currentTimeMillis());
  }

  private static void run(long firstSeed) throws Exception {
    System.out.println(
        "Seeds from " + firstSeed + "; run them again with -Dfuzz.seed=" + firstSeed);
    long queries = report.queries();
    SeedRun run = new SeedRun(LENGTH.start(.5), firstSeed);
    run.run(
        TABLES,
        () -> DeployedTable.connections(getUrl()),
        (seed, connections) -> table(seed, connections, run));
    assertThat(report.queries()).as("queries that were asked").isGreaterThan(queries);
  }

  private static void table(long seed, Connections connections, SeedRun run) throws Exception {
    Random random = new Random(seed);
    TableGenerator generator = new TableGenerator(random);
    RandomTable wanted = generator.table();
    PhaseTimes times = report.times();
    DeployedTable deployed =
        new DeployedTable(
            connections, getUtility().getAdmin(), "F" + seed, wanted, generator, times);
    try {
      report.countTable();
      Oracle oracle = new Oracle(deployed.table(), times);
      QueryGenerator queries = new QueryGenerator(random, deployed.table());
      for (int i = 0; i < QUERIES && !run.isStopped(); i++) {
        RandomQuery query = times.timed("generate", queries::query);
        Optional<Disagreement> disagreement;
        try {
          disagreement = FuzzCase.check(deployed, oracle, query, checks(seed, i), report);
        } catch (Exception | StackOverflowError e) {
          throw new AssertionError("seed " + seed + ", query " + i + ": " + query.sql(), e);
        }
        if (disagreement.isPresent() && !disagreement.get().byPruning() && !STRICT) {
          report.countUnexplained(seed + "/" + i, query, disagreement.get());
        } else if (disagreement.isPresent()) {
          fail(failure(seed, i, deployed.table(), query, disagreement.get()));
        }
      }
    } finally {
      times.timed(
          "drop",
          () -> {
            deployed.close();
            return null;
          });
    }
  }

  /**
   * Returns the check that follows a statement, or none. Each kind of check is made in turn, and
   * the seed determines the first kind.
   */
  private static List<MetamorphicCheck> checks(long seed, int number) {
    MetamorphicCheck[] all = MetamorphicCheck.values();
    int check = (int) ((seed + number / CHECK_EACH) % all.length);
    return number % CHECK_EACH == 0 ? List.of(all[check]) : List.of();
  }

  private static String failure(
      long seed, int number, RandomTable table, RandomQuery query, Disagreement disagreement)
      throws Exception {
    Shrinker shrinker =
        new Shrinker(
            table,
            query,
            (smallerTable, smallerQuery) ->
                FuzzCase.check(getUrl(), getUtility().getAdmin(), smallerTable, smallerQuery)
                    .filter(smaller -> smaller.source().equals(disagreement.source()))
                    .isPresent());
    shrinker.shrink();
    String name = "Seed" + seed + "Query" + number + "IT";
    Path test = FOLDER.resolve(name + ".java").toAbsolutePath();
    Files.createDirectories(FOLDER);
    Files.writeString(
        test, Reproduction.test(name, shrinker.table(), shrinker.query(), disagreement));
    return String.format(
        "seed %d, query %d: %s%n%s%n%s%n%s rows, splits %s, indexes %s%nA test: %s",
        seed,
        number,
        disagreement,
        shrinker.query().sql(),
        shrinker.table().createTable(),
        shrinker.table().rows().size(),
        shrinker.table().splits(),
        shrinker.table().indexes(),
        test);
  }
}
