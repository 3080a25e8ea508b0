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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phoenixpruning.cli.advise.SampleTables;
import io.phoenixpruning.it.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.schema.types.PInteger;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Tests the measurements of {@code pruning advise --measure}, and that it leaves nothing behind.
 */
public class AdviseMeasureIT extends ClusterTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private PruningProcess advise(String queries, String... options) throws Exception {
    return PruningProcess.start(temporary.newFolder().toPath(), "", arguments(queries, options));
  }

  /** Runs the command in this JVM. */
  private PruningRun run(String queries, String... options) throws Exception {
    return PruningRun.of(arguments(queries, options));
  }

  private String[] arguments(String queries, String... options) throws Exception {
    Path file = Files.writeString(temporary.newFolder().toPath().resolve("q.sql"), queries);
    List<String> args = new ArrayList<>(List.of("advise", "--measure", "--url"));
    args.add("jdbc:phoenix:localhost:" + getUtility().getZkCluster().getClientPort());
    args.addAll(List.of("--queries", file.toString()));
    args.addAll(List.of(options));
    return args.toArray(String[]::new);
  }

  /**
   * Creates a table with 500 rows, an index that queries need, and an index that no query reads.
   */
  private static void create(Connection connection, String table) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER,
          A.W VARCHAR(9), D DATE
          CONSTRAINT PK PRIMARY KEY (K1, K2 DESC)) SPLIT ON (%s)"""
            .formatted(table, splits(10, 10)),
        "CREATE LOCAL INDEX " + table + "_W ON " + table + " (A.W)",
        "CREATE LOCAL INDEX " + table + "_D ON " + table + " (D)");
    for (int i = 0; i < 500; i++) {
      String text = i % 7 == 0 ? "NULL" : "'w" + i + "'";
      execute(
          connection,
          "UPSERT INTO %s (K1, K2, V, A.W) VALUES (%d, %d, %d, %s)"
              .formatted(table, i % 100, i, i, text));
    }
    connection.commit();
  }

  private static String queries(String table) {
    String select = "SELECT K2 FROM " + table + " WHERE ";
    return select + "V = 5;\n" + select + "A.W = 'w5';\n";
  }

  private static List<String> indexes(Connection connection, String table) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getTableNoCache(table).getIndexes().stream()
        .map(index -> index.getName().getString())
        .sorted()
        .toList();
  }

  /** Returns the names of sample tables that HBase or Phoenix has. */
  private static Set<String> sampleTables() throws Exception {
    Set<String> names =
        Arrays.stream(getUtility().getAdmin().listTableNames())
            .map(TableName::getNameAsString)
            .collect(Collectors.toSet());
    try (Connection connection = connect(PruningMode.EXACT)) {
      rows(connection, "SELECT TABLE_NAME FROM SYSTEM.CATALOG WHERE TABLE_SCHEM IS NULL")
          .forEach(row -> names.add(String.valueOf(row.get(0))));
    }
    names.removeIf(name -> !name.startsWith(SampleTables.PREFIX));
    return names;
  }

  @After
  public void noSampleTableIsLeft() throws Exception {
    assertThat(sampleTables()).isEmpty();
  }

  private static JsonNode index(JsonNode advice, String action) {
    for (JsonNode index : advice.at("/tables/0/indexes")) {
      if (index.get("action").asText().equals(action)) {
        return index;
      }
    }
    throw new AssertionError("nothing to " + action + " in " + advice);
  }

  private static void assertMeasured(JsonNode index) {
    JsonNode ratio = index.at("/write/upsertRatio");
    assertThat(ratio.get("least").asDouble()).isPositive();
    assertThat(ratio.get("median").asDouble())
        .isGreaterThanOrEqualTo(ratio.get("least").asDouble());
    assertThat(ratio.get("most").asDouble()).isGreaterThanOrEqualTo(ratio.get("median").asDouble());
    assertThat(ratio.get("rows").asInt()).isEqualTo(250);
    assertThat(ratio.get("rounds").asInt()).isEqualTo(7);
  }

  @Test
  public void createdAndKeptIndexesAreMeasured() throws Exception {
    String table = "MEASURED";
    List<List<Object>> rows;
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(connection, table);
      rows = rows(connection, "SELECT * FROM " + table);
    }
    PruningRun advise =
        run(queries(table), "--json", "--writes", table + "=1", "--sample-rows", "250");
    assertThat(advise.exitCode()).as(advise.err()).isZero();
    JsonNode advice = new ObjectMapper().readTree(advise.out());
    assertMeasured(index(advice, "create"));
    assertMeasured(index(advice, "keep"));
    assertThat(index(advice, "keep").get("index").asText()).isEqualTo("MEASURED_W");
    assertThat(index(advice, "drop").at("/write/upsertRatio").isNull()).isTrue();
    try (Connection connection = connect(PruningMode.EXACT)) {
      assertThat(indexes(connection, table)).containsExactly("MEASURED_D", "MEASURED_W");
      assertThat(rows(connection, "SELECT /*+ NO_INDEX */ * FROM " + table)).isEqualTo(rows);
    }
  }

  @Test
  public void indexesOfAnEmptyTableStayEstimated() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE UNMEASURED (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON ("
              + splits(10, 10)
              + ")");
    }
    PruningRun advise = run("SELECT K FROM UNMEASURED WHERE V = 5;");
    assertThat(advise.exitCode()).as(advise.err()).isZero();
    assertThat(advise.out())
        .contains("create UNMEASURED_V", "write cost  estimated: ")
        .contains("- UNMEASURED has no rows, so the write cost of its indexes was not measured\n");
  }

  /**
   * Tests rows that were written without Phoenix. Phoenix reads such rows, but refuses to write
   * them again.
   */
  @Test
  public void sampleTablesAreDroppedWhenRowsCannotBeWritten() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE TOO_LONG (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR(3))
            COLUMN_ENCODED_BYTES = 0 SPLIT ON (%s)"""
              .formatted(splits(10, 10)),
          "UPSERT INTO TOO_LONG VALUES (1, 2, 'abc')");
      connection.commit();
    }
    try (Table table = getUtility().getConnection().getTable(TableName.valueOf("TOO_LONG"))) {
      table.put(
          new Put(PInteger.INSTANCE.toBytes(1))
              .addColumn(Bytes.toBytes("0"), Bytes.toBytes("W"), Bytes.toBytes("abcdef")));
    }
    PruningRun advise = run("SELECT K FROM TOO_LONG WHERE V = 5;");
    assertThat(advise.exitCode()).as(advise.err()).isEqualTo(2);
    assertThat(advise.err().lines())
        .singleElement()
        .asString()
        .startsWith("pruning advise: --measure failed on the cluster (ERROR 206 (22003): ")
        .endsWith("). Fix the cause, or leave out --measure");
    assertThat(advise.out()).isEmpty();
  }

  /** Runs in profile {@code nightly}: other tests interrupt other commands. */
  @Test
  public void ctrlCDropsSampleTables() throws Exception {
    assumeTrue(ALL_COMBINATIONS);
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(connection, "INTERRUPTED");
    }
    try (PruningProcess advise = advise(queries("INTERRUPTED"), "--writes", "INTERRUPTED=1")) {
      // By then rows are being written, or an index is being created.
      Awaitility.await().atMost(LIMIT).until(() -> sampleTables().size() >= 2);

      advise.signal(PruningProcess.interruptSignal());

      assertThat(advise.await(LIMIT)).isNotZero();
      assertThat(advise.err()).endsWith("pruning advise: interrupted; nothing was changed\n");
      assertThat(advise.out()).isEmpty();
      assertThat(advise.temporaryFiles()).isEmpty();
    }
  }
}
