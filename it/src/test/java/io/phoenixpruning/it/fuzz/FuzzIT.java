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

import com.google.common.base.Throwables;
import io.phoenixpruning.it.ClusterTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.AfterClass;
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
      Integer.getInteger("fuzz.queries", LENGTH.isTimed() ? 150 : 25);

  /** Number of tables that exist at the same time. Creating a table mostly means waiting. */
  private static final int TABLES = Integer.getInteger("fuzz.tables", 1);

  /**
   * Makes an answer fail the test even if it is also wrong without pruning and no {@link
   * KnownDefect} explains it.
   */
  private static final boolean STRICT = Boolean.getBoolean("fuzz.strict");

  /** Makes one {@link MetamorphicCheck} after this many statements. */
  private static final int CHECK_EACH = 3;

  private static final Path FOLDER = Path.of("target", "fuzz");

  private static final FuzzReport REPORT = new FuzzReport();

  @AfterClass
  public static void report() throws IOException {
    System.out.println(REPORT);
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("report.txt"), REPORT.toString());
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
    RunLength.Run run = LENGTH.start(.5);
    long queries = REPORT.queries();
    AtomicLong taken = new AtomicLong();
    AtomicBoolean failed = new AtomicBoolean();
    ExecutorService workers = Executors.newFixedThreadPool(TABLES);
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < TABLES; i++) {
        running.add(
            workers.submit(
                () -> {
                  try {
                    for (long seed = taken.getAndIncrement();
                        !run.isOver(seed) && !failed.get();
                        seed = taken.getAndIncrement()) {
                      table(firstSeed + seed, run, failed);
                    }
                  } catch (Exception | Error e) {
                    failed.set(true);
                    throw e;
                  }
                  return null;
                }));
      }
      for (Future<Void> worker : running) {
        worker.get();
      }
    } catch (ExecutionException e) {
      Throwables.throwIfUnchecked(e.getCause());
      throw e;
    } finally {
      workers.shutdown();
    }
    assertThat(REPORT.queries()).as("queries that were asked").isGreaterThan(queries);
  }

  private static void table(long seed, RunLength.Run run, AtomicBoolean failed) throws Exception {
    Random random = new Random(seed);
    TableGenerator generator = new TableGenerator(random);
    RandomTable wanted = generator.table();
    DeployedTable deployed =
        REPORT.timed(
            "create",
            () ->
                new DeployedTable(
                    getUrl(), getUtility().getAdmin(), "F" + seed, wanted, generator));
    try {
      REPORT.countTable();
      Oracle oracle = new Oracle(deployed.table());
      QueryGenerator queries = new QueryGenerator(random, deployed.table());
      for (int i = 0; i < QUERIES && !run.isTimeOver() && !failed.get(); i++) {
        RandomQuery query = queries.query();
        Optional<Disagreement> disagreement;
        try {
          disagreement = FuzzCase.check(deployed, oracle, query, checks(i), REPORT);
        } catch (Exception | StackOverflowError e) {
          throw new AssertionError("seed " + seed + ", query " + i + ": " + query.sql(), e);
        }
        if (disagreement.isPresent() && !disagreement.get().byPruning() && !STRICT) {
          REPORT.countUnexplained(seed + "/" + i, query, disagreement.get());
        } else if (disagreement.isPresent()) {
          failed.set(true);
          fail(failure(seed, i, deployed.table(), query, disagreement.get()));
        }
      }
    } finally {
      REPORT.timed(
          "drop",
          () -> {
            deployed.close();
            return null;
          });
    }
  }

  /** Returns the check that follows a statement, or none. Each kind of check is made in turn. */
  private static List<MetamorphicCheck> checks(int number) {
    MetamorphicCheck[] all = MetamorphicCheck.values();
    return number % CHECK_EACH == 0 ? List.of(all[number / CHECK_EACH % all.length]) : List.of();
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
