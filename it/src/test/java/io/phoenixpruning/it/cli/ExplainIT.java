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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phoenixpruning.it.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.pruning.config.PruningMode;
import org.awaitility.Awaitility;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests {@code pruning explain --url}. */
public class ExplainIT extends ClusterTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private PruningProcess explain(String statements, String... options) throws Exception {
    Path file = Files.writeString(temporary.newFolder().toPath().resolve("q.sql"), statements);
    return explain(file, options);
  }

  private static PruningProcess explain(Path file, String... options) throws Exception {
    return PruningProcess.start(file.getParent(), "", arguments(file, options));
  }

  /** Runs the command in this JVM. */
  private PruningRun run(String statements, String... options) throws Exception {
    Path file = Files.writeString(temporary.newFolder().toPath().resolve("q.sql"), statements);
    return PruningRun.of(arguments(file, options));
  }

  private static String[] arguments(Path file, String... options) {
    String[] args = new String[options.length + 4];
    args[0] = "explain";
    args[1] = "--url";
    args[2] = "jdbc:phoenix:localhost:" + getUtility().getZkCluster().getClientPort();
    args[3] = file.toString();
    System.arraycopy(options, 0, args, 4, options.length);
    return args;
  }

  private static void createTable(Connection connection, String table) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W VARCHAR
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (%s)"""
            .formatted(table, splits(4, 10)),
        "CREATE LOCAL INDEX " + table + "_I ON " + table + " (V)");
  }

  /** Writes rows to the first region. */
  private static void load(Connection connection, String table, int rows, int bytes)
      throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + table + " VALUES (1, ?, ?, ?)")) {
      for (int i = 0; i < rows; i++) {
        upsert.setInt(1, i);
        upsert.setInt(2, i % 3);
        upsert.setString(3, "w".repeat(bytes));
        upsert.execute();
        connection.commit();
      }
    }
  }

  @Test
  public void plansAreComparedWithExpectationsWithoutRunning() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, "EXPLAINED");
      load(connection, "EXPLAINED", 20, 10);
      execute(connection, "UPDATE STATISTICS EXPLAINED");
    }
    long scans = scanRpcs("EXPLAINED").rpcs();
    String one = "-- expect: regions = 1, index = EXPLAINED_I, layout = natural, scan = range\n";
    String where = " FROM EXPLAINED WHERE V = 1 AND K1 = 1;\n";
    try (PruningProcess explain = explain(one + "SELECT K2" + where + one + "DELETE" + where)) {
      assertThat(explain.await(LIMIT)).as(explain.err()).isZero();
      assertThat(explain.err()).isEmpty();
      assertThat(explain.out())
          .contains(
              "range scan of natural local index EXPLAINED_I of EXPLAINED: 1 of 4 regions, 3 pruned"
                  + " by PRIMARY KEY")
          .endsWith("2 statements: 0 not as expected, 0 refused, 0 warnings\n");
      assertThat(explain.temporaryFiles()).isEmpty();
    }
    assertThat(scanRpcs("EXPLAINED").rpcs()).isEqualTo(scans);
    try (Connection connection = connect(PruningMode.EXACT)) {
      assertThat(rows(connection, "SELECT K2 FROM EXPLAINED")).hasSize(20);
    }
    PruningRun unexpected = run("-- expect: regions <= 3\nSELECT K2 FROM EXPLAINED WHERE V = 1;");
    assertThat(unexpected.exitCode()).isEqualTo(1);
    assertThat(unexpected.out())
        .contains("warning full-fan-out: the local index EXPLAINED_I is scanned in all 4 regions")
        .contains("  - regions <= 3\n  + regions = 4\n");
    PruningRun refused = run("SELECT * FROM NOT_THERE;\nSELECT K2" + where);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .endsWith(
            "q.sql:1:1: ERROR 1012 (42M03): Table undefined. tableName=NOT_THERE. Correct the"
                + " name, or create the table on the cluster");
    assertThat(refused.out()).contains("1 of 4 regions");
  }

  @Test
  public void ctrlCLeavesTheFileAsItWas() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, "STOPPED");
    }
    // With this many statements, some are not planned yet when the command is stopped.
    String statements = "SELECT K2 FROM STOPPED WHERE V = 1;\n".repeat(200_000);
    Path file = Files.writeString(temporary.newFolder().toPath().resolve("q.sql"), statements);
    try (PruningProcess explain = explain(file, "--update")) {
      Awaitility.await().atMost(LIMIT).until(() -> !explain.temporaryFiles().isEmpty());

      explain.signal(PruningProcess.interruptSignal());

      assertThat(explain.await(LIMIT)).isNotZero();
      assertThat(explain.err())
          .isEqualTo("pruning explain: interrupted; no file is left half written\n");
      assertThat(explain.out()).isEmpty();
      assertThat(explain.temporaryFiles()).isEmpty();
    }
    assertThat(Files.readString(file)).isEqualTo(statements);
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrder("q.sql", "in", "out", "err", "tmp");
    }
  }

  @Test
  public void warningsAreOfTheTablesOnTheCluster() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, "FORGOTTEN");
      createTable(connection, "GROWN");
      load(connection, "GROWN", 20, 10);
      execute(connection, "UPDATE STATISTICS GROWN");
      load(connection, "GROWN", 50, 100_000);
      getUtility().flush(TableName.valueOf("GROWN"));
      createTable(connection, "ENCODED");
      execute(
          connection,
          "ALTER TABLE ENCODED SET DATA_BLOCK_ENCODING = 'NONE'",
          "UPDATE STATISTICS ENCODED");
    }
    String lookups = "";
    for (String table : List.of("FORGOTTEN", "GROWN", "ENCODED")) {
      lookups +=
          "SELECT /*+ INDEX(" + table + " " + table + "_I) */ W FROM " + table + " WHERE V = 1;\n";
    }
    JsonNode json =
        new ObjectMapper().readTree(run(lookups, "--json", "--max-regions", "3").output());
    assertThat(json.at("/statements/0/warnings").findValuesAsText("kind"))
        .containsExactly("region-budget", "full-fan-out", "fast-diff", "statistics-missing");
    assertThat(json.at("/statements/0/warnings/3/message").asText())
        .isEqualTo(
            "there are no statistics of FORGOTTEN_I, so the optimizer guesses. Run UPDATE"
                + " STATISTICS FORGOTTEN");
    assertThat(json.at("/statements/1/warnings").findValuesAsText("kind"))
        .containsExactly("region-budget", "full-fan-out", "fast-diff", "statistics-stale");
    assertThat(json.at("/statements/1/warnings/3/message").asText())
        .matches(
            "the statistics of GROWN cover at most 0\\.\\d MiB, but its files have \\d\\.0 MiB\\."
                + " Run UPDATE STATISTICS GROWN");
    assertThat(json.at("/statements/2/warnings").findValuesAsText("kind"))
        .containsExactly("region-budget", "full-fan-out");
  }
}
