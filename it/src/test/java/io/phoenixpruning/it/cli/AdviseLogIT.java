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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phoenixpruning.it.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.util.PhoenixRuntime;
import org.awaitility.Awaitility;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Runs {@code pruning advise --log}, which reads Phoenix's log of statements, in a separate
 * process.
 */
public class AdviseLogIT extends ClusterTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final String BY_VALUE = "SELECT K2 FROM LOGGED WHERE V = ? AND K1 = ?";
  private static final String COPY = "UPSERT INTO LOGGED_COPY SELECT V FROM LOGGED WHERE K1 = 15";

  /** Query with two rows in the log for each measured run. */
  private static final String UNION =
      "SELECT V FROM LOGGED WHERE K1 = 5 UNION ALL SELECT V FROM LOGGED_NAMES";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private PruningRun advise(String... options) throws Exception {
    List<String> args = new ArrayList<>();
    args.add("advise");
    args.add("--url");
    args.add("jdbc:phoenix:localhost:" + getUtility().getZkCluster().getClientPort());
    args.add("--log");
    args.addAll(List.of(options));
    return PruningRun.of(args.toArray(String[]::new));
  }

  private static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE LOGGED (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V VARCHAR
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (%s)"""
              .formatted(splits(4, 10)),
          "CREATE TABLE LOGGED_NAMES (V VARCHAR PRIMARY KEY)",
          "CREATE TABLE LOGGED_COPY (V VARCHAR PRIMARY KEY)",
          "CREATE LOCAL INDEX LOGGED_COPY_I ON LOGGED_COPY (V)",
          "CREATE TABLE LOGGED_GONE (K INTEGER PRIMARY KEY)",
          "CREATE VIEW LOGGED_VIEW AS SELECT * FROM LOGGED");
    }
  }

  /** Runs each statement as often as the tests expect. */
  private static void run() throws SQLException {
    try (Connection connection = logging(measuring(false))) {
      for (int i = 0; i < 7; i++) {
        rows(connection, BY_VALUE, "v" + i, 25);
      }
      rows(connection, "SELECT * FROM LOGGED_GONE");
      rows(connection, "SELECT COUNT(*) FROM SYSTEM.CATALOG");
      execute(connection, "UPSERT INTO LOGGED VALUES (1, 1, 'v')");
      for (int i = 0; i < 3; i++) {
        execute(connection, "DELETE FROM LOGGED WHERE V = 'x' AND K1 = 35");
      }
      execute(connection, COPY);
      refuse(connection, "SELECT NOT_THERE FROM LOGGED");
    }
    try (Connection connection = logging(measuring(true))) {
      for (int i = 0; i < 2; i++) {
        rows(connection, UNION);
      }
    }
    try (Connection connection = logging(Map.of(PhoenixRuntime.TENANT_ID_ATTRIB, "tenant"))) {
      rows(connection, "SELECT COUNT(*) FROM LOGGED");
    }
  }

  private static Map<String, String> measuring(boolean isOn) {
    return Map.of(QueryServices.COLLECT_REQUEST_LEVEL_METRICS, Boolean.toString(isOn));
  }

  private static Connection logging(Map<String, String> options) throws SQLException {
    Map<String, String> all = new HashMap<>(options);
    all.put(QueryServices.LOG_LEVEL, "TRACE");
    all.put(QueryServices.AUDIT_LOG_LEVEL, "INFO");
    Connection connection = connect(all);
    connection.setAutoCommit(true);
    return connection;
  }

  private static void refuse(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery(sql)).isInstanceOf(SQLException.class);
    }
  }

  /**
   * Waits until the log has {@code sql}. Phoenix writes its log asynchronously, in the order in
   * which statements end.
   */
  private static void awaitLogOf(String sql, Instant since) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      Awaitility.await()
          .atMost(LIMIT)
          .until(
              () ->
                  !rows(
                          connection,
                          "SELECT QUERY FROM SYSTEM.\"LOG\" WHERE QUERY = ? AND START_TIME >= ?",
                          sql,
                          since.toEpochMilli())
                      .isEmpty());
    }
  }

  @Test
  public void runsAreTheWeightsOfTheirStatements() throws Exception {
    createTables();
    Instant since = Instant.now();
    run();
    awaitLogOf("SELECT COUNT(*) FROM LOGGED", since);
    try (Connection connection = connect(PruningMode.EXACT)) {
      assertThat(
              rows(
                  connection,
                  "SELECT TABLE_NAME FROM SYSTEM.\"LOG\" WHERE QUERY = ? AND START_TIME >= ?",
                  UNION,
                  since.toEpochMilli()))
          .containsExactly(
              List.of("LOGGED"),
              List.of("LOGGED"),
              List.of("LOGGED_NAMES"),
              List.of("LOGGED_NAMES"));
      execute(connection, "DROP TABLE LOGGED_GONE");
    }
    PruningRun advise = advise("--log-since", since.toString(), "--json");
    assertThat(advise.exitCode()).as(advise.err()).isEqualTo(2);
    assertThat(advise.err().lines())
        .filteredOn(line -> line.startsWith("pruning advise: "))
        .singleElement()
        .asString()
        .startsWith(
            "pruning advise: SYSTEM.LOG: SELECT * FROM LOGGED_GONE: ERROR 1012 (42M03): Table"
                + " undefined.");
    JsonNode json = new ObjectMapper().readTree(advise.out());
    assertThat(json.get("queries").findValuesAsText("title"))
        .containsExactly(BY_VALUE, "DELETE FROM LOGGED WHERE V = 'x' AND K1 = 35", UNION, COPY);
    assertThat(json.get("queries").findValuesAsText("weight"))
        .containsExactly("7.0", "3.0", "2.0", "1.0");
    assertThat(json.get("queries").findValuesAsText("place")).containsOnly("SYSTEM.LOG");
    assertThat(json.at("/queries/0/before/regions").asInt()).isEqualTo(1);
    assertThat(texts(json.get("ddl"))).containsExactly("CREATE LOCAL INDEX LOGGED_V ON LOGGED (V)");
    assertThat(texts(json.get("assumptions")))
        .contains(
            "Left out of the log: 1 run of tenants",
            "Left out of the log: 1 run of statements other than SELECT, DELETE and UPSERT"
                + " SELECT");
    Path file =
        Files.writeString(
            temporary.newFile("q.sql").toPath(),
            "SELECT K2 FROM LOGGED WHERE K1 = 5;\nSELECT K2 FROM LOGGED_VIEW;");
    PruningRun both =
        advise("--log-since", since.toString(), "--queries", file.toString(), "--weights", "8,1");
    assertThat(both.exitCode()).as(both.err()).isEqualTo(2);
    assertThat(both.err())
        .contains(
            "pruning advise: "
                + file
                + ":2:1: LOGGED_VIEW is a view. Expected a table. Leave out the statements that"
                + " read it, or let them read LOGGED\n");
    assertThat(both.out())
        .contains("1. " + file + ":1:1: SELECT K2 FROM LOGGED WHERE K1 = 5\n    weight 8")
        .contains("2. SYSTEM.LOG: " + BY_VALUE + "\n    weight 7");
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  @Test
  public void nothingLoggedIsRefused() throws Exception {
    PruningRun advise = advise("--log-since", "2100-01-01T00:00:00Z");
    assertThat(advise.exitCode()).isEqualTo(2);
    assertThat(advise.err().lines())
        .singleElement()
        .isEqualTo(
            "pruning advise: --log finds no statements to plan in SYSTEM.LOG since"
                + " 2100-01-01T00:00:00Z. Let clients connect with phoenix.log.level=INFO (TRACE"
                + " for statements with parameters), and with phoenix.audit.log.level=INFO for"
                + " DELETE and UPSERT SELECT");
    assertThat(advise.out()).isEmpty();
  }
}
