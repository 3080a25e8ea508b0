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
package io.phoenixpruning.it.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Runs {@code pruning demo} to its end, or interrupts it. */
public class DemoIT {

  private static final Duration DEMO = Duration.ofMinutes(10);
  private static final Duration ENDING = Duration.ofSeconds(30);

  private static final String[] SMALL = {
    "demo", "--regions", "8", "--scale", "0.001", "--color", "never"
  };

  private static final Duration SQL = Duration.ofMinutes(2);

  /** Position of the number of regions in a line of the table. The number of RPCs follows it. */
  private static final int REGIONS = 2;

  private static final int RPCS = 3;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private PruningProcess start(String... args) throws Exception {
    return PruningProcess.start(temporary.getRoot().toPath().resolve("run"), "", args);
  }

  /** Runs in profile {@code nightly}: the next test checks the same output. */
  @Test
  public void stopsTheClusterAtItsEnd() throws Exception {
    assumeTrue(Boolean.getBoolean("it.combinations"));
    try (PruningProcess demo = start(SMALL)) {
      int exitCode = demo.await(DEMO);

      assertThat(demo.err().lines()).hasSize(6);
      assertShowsTheRowsAndCostsOfEachMode(demo);
      assertThat(exitCode).isZero();
      assertThat(demo.temporaryFiles()).isEmpty();
    }
  }

  private static void assertShowsTheRowsAndCostsOfEachMode(PruningProcess demo) throws Exception {
    assertThat(demo.err().lines())
        .allMatch(line -> line.matches(".{44} +\\d+\\.\\d s"), "is a task and its time");
    assertThat(demo.out().lines().map(String::stripTrailing))
        .contains("  Mode        Rows  Regions     RPCs      Median")
        .filteredOn(line -> line.startsWith("  none "))
        .hasSize(10)
        .allMatch(line -> line.matches("  none +\\d+ +8 +\\d+ +[\\d.]+ ms"));
    assertThat(demo.out().lines())
        .filteredOn(line -> line.startsWith("  exact "))
        .hasSize(10)
        .noneMatch(line -> line.contains("WRONG") || line.contains("FAILED"));
    assertThat(demo.out())
        .containsPattern(
            "Exact pruning answered the 10 queries with \\d+ scan RPCs and was always right\\."
                + " Mode stock sent \\d+ \\(\\d+\\.\\d times as many\\)"
                + " and returned wrong rows for \\d( and failed for \\d)?\\."
                + " Without pruning, Phoenix sent \\d+ \\(\\d+\\.\\d times as many\\)\\.");
    assertExactPrunes(demo.out());
  }

  private static void assertExactPrunes(String table) {
    String[] equality = figures(table.substring(table.indexOf("equality:")), "exact").get(0);
    assertThat(equality[REGIONS]).as("regions for one order").isEqualTo("1");
    assertThat(rpcs(table, "exact")).isPositive().isLessThan(rpcs(table, "none"));
  }

  private static long rpcs(String table, String mode) {
    return figures(table, mode).stream().mapToLong(line -> Long.parseLong(line[RPCS])).sum();
  }

  /** Returns the lines of all queries in {@code mode}, each split into its columns. */
  private static List<String[]> figures(String table, String mode) {
    return table
        .lines()
        .filter(line -> line.startsWith("  " + mode + " "))
        .map(line -> line.strip().split(" +"))
        .toList();
  }

  @Test
  public void anotherProcessUsesTheClusterUntilCtrlC() throws Exception {
    String[] args = Arrays.copyOf(SMALL, SMALL.length + 1);
    args[SMALL.length] = "--keep";
    try (PruningProcess demo = start(args)) {
      String url = urlOf(demo);
      assertShowsTheRowsAndCostsOfEachMode(demo);
      Path folder = demo.temporaryFiles().get(0);

      String query =
          "SELECT /*+ INDEX(LINEITEM LINEITEM_BY_PART) */ L_ORDERKEY, L_LINENUMBER FROM LINEITEM"
              + " WHERE L_PARTKEY > 0 AND L_ORDERKEY = 1;\n";
      try (PruningProcess sql =
          PruningProcess.start(
              temporary.getRoot().toPath().resolve("sql"),
              query + "EXPLAIN " + query,
              "sql",
              "--url",
              url)) {
        assertThat(sql.await(SQL)).as(sql.err()).isZero();
        assertThat(sql.out())
            .contains("| 1          | 6            |")
            .contains("REGIONS PLANNED 1 OF 8, PRUNED 7 BY PRIMARY KEY");
        assertThat(sql.err()).isEmpty();
        assertThat(sql.temporaryFiles()).isEmpty();
      }
      assertPhoenixIsNotSetUpAgain(url);
      demo.signal(PruningProcess.interruptSignal());

      assertThat(demo.await(ENDING)).isNotZero();
      assertThat(demo.err())
          .endsWith(
              "pruning demo: interrupted; stopped the cluster and deleted "
                  + folder.getParent().toRealPath().resolve(folder.getFileName())
                  + System.lineSeparator());
      assertThat(demo.temporaryFiles()).isEmpty();
    }
  }

  /**
   * Checks that a client with namespaces is refused. Otherwise it would move the cluster's system
   * tables.
   */
  private void assertPhoenixIsNotSetUpAgain(String url) throws Exception {
    try (PruningProcess sql =
        PruningProcess.start(
            temporary.getRoot().toPath().resolve("namespaces"),
            "SELECT 1;\n",
            "sql",
            "--url",
            url + ";phoenix.schema.isNamespaceMappingEnabled=true")) {
      assertThat(sql.await(SQL)).isNotZero();
      assertThat(sql.err().lines())
          .singleElement()
          .asString()
          .contains(
              "leads to an HBase without the table SYSTEM:CATALOG, which this command does not"
                  + " create");
    }
  }

  /** Waits for the URL that {@code demo} prints at its end. */
  private static String urlOf(PruningProcess demo) {
    String hint = "./pruning sql --url ";
    return Awaitility.await()
        .atMost(DEMO.toSeconds(), TimeUnit.SECONDS)
        .until(
            () ->
                demo.out()
                    .lines()
                    .filter(line -> line.contains(hint))
                    .map(line -> line.substring(line.indexOf(hint) + hint.length()))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  @Test
  public void ctrlCWhileTheClusterStartsDeletesAll() throws Exception {
    try (PruningProcess demo = start(SMALL)) {
      Awaitility.await()
          .atMost(DEMO.toSeconds(), TimeUnit.SECONDS)
          .until(() -> demo.temporaryFiles().stream().anyMatch(this::hasRegions));

      demo.signal(PruningProcess.interruptSignal());

      assertThat(demo.await(ENDING)).isNotZero();
      assertThat(demo.err().lines())
          .singleElement()
          .asString()
          .startsWith("pruning demo: interrupted; stopped the cluster and deleted ");
      assertThat(demo.temporaryFiles()).isEmpty();
    }
  }

  private boolean hasRegions(Path folder) {
    return Files.exists(folder.resolve("hbase/data/hbase/meta"));
  }

  @Test
  public void temporaryFilesNeedAFolder() throws Exception {
    Path missing = temporary.getRoot().toPath().resolve("missing");
    try (PruningProcess demo =
        PruningProcess.start(temporary.getRoot().toPath(), missing, "", SMALL)) {
      assertThat(demo.await(ENDING)).isNotZero();
      assertThat(demo.err().lines())
          .singleElement()
          .asString()
          .startsWith("pruning demo: cannot create a temporary folder in " + missing)
          .endsWith("). Set TMPDIR to a writable folder");
      assertThat(demo.out()).isEmpty();
      assertThat(missing).doesNotExist();
    }
  }
}
