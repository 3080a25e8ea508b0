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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.layout.IndexReport;
import io.phoenixpruning.cli.layout.IndexedTable;
import io.phoenixpruning.cli.layout.LayoutReport;
import io.phoenixpruning.cli.layout.TableArgument;
import io.phoenixpruning.it.ClusterTest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** Tests the output and the refusals of {@code pruning layout}. */
public class LayoutIT extends ClusterTest {

  private static final String COMMAND = "> ./pruning layout --url jdbc:phoenix:localhost ";

  private Connection connection;

  @Before
  public void connect() throws Exception {
    connection = connect(PruningMode.EXACT);
    connection.setAutoCommit(true);
  }

  @After
  public void close() throws Exception {
    connection.close();
  }

  private static String url() {
    return "jdbc:phoenix:localhost:" + getUtility().getZkCluster().getClientPort();
  }

  private static String layout(String... args) {
    List<String> all = new ArrayList<>(List.of("layout", "--url", url()));
    all.addAll(List.of(args));
    return PruningRun.of(all.toArray(String[]::new)).output();
  }

  private static void assertRefused(String message, String... args) {
    PruningRun.of(args).assertRefused("pruning layout: " + message);
  }

  private void assertTableRefused(String table, String message) {
    assertThatThrownBy(() -> report(table))
        .isInstanceOf(RefusedException.class)
        .hasMessage("TABLE '" + table + "' " + message);
  }

  /** Returns the code block of docs/layout.md that begins with a text, without its fences. */
  private static List<String> example(String start) throws Exception {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "layout.md"));
    int first = lines.indexOf("```");
    while (!lines.get(first + 1).startsWith(start)) {
      lines = lines.subList(first + 1, lines.size());
      first = lines.indexOf("```");
    }
    List<String> block = lines.subList(first + 1, lines.size());
    return block.subList(0, block.indexOf("```"));
  }

  /** Returns the values that are shown after a label, of all indexes. */
  private static List<String> valuesAfter(String label, List<String> shown) {
    List<String> values = new ArrayList<>();
    String current = "";
    for (String line : shown) {
      if (line.startsWith("  ")) {
        String before = line.substring(2, 14).strip();
        current = before.isEmpty() ? current : before;
        if (current.equals(label)) {
          values.add(line.substring(14).strip());
        }
      }
    }
    return values;
  }

  /**
   * Masks parts of a line that depend on the length of an index ID. With the settings of Phoenix's
   * tests, an index ID has 8 bytes instead of 2.
   */
  private static String mask(String line) {
    return line.replaceAll("_INDEX_ID \\w+|[\\d.]+ KiB|[\\d.]+ a row|cost [\\d,]+", "#");
  }

  @Test
  public void printsTheExample() throws Exception {
    String create = String.join("\n", example("> CREATE TABLE VISITS")).replace("> ", "");
    for (String statement : create.split(";")) {
      execute(connection, statement);
    }
    connection.setAutoCommit(false);
    for (int shop = 0; shop < 40; shop++) {
      for (int visit = 0; visit < 5; visit++) {
        int person = (3 * shop + visit) % 11;
        execute(
            connection,
            "UPSERT INTO VISITS VALUES (" + shop + ", " + visit + ", " + person + ", 'note')");
      }
    }
    connection.commit();
    List<String> example = example(COMMAND);
    String[] args = example.get(0).substring(COMMAND.length()).split(" ");
    assertThat(layout(args).lines().map(LayoutIT::mask).toList())
        .isEqualTo(example.stream().skip(1).map(LayoutIT::mask).toList());
  }

  @Test
  public void showsATableInASchemaWithNamesInLowerCase() throws Exception {
    execute(
        connection,
        "CREATE TABLE \"shops\".\"visits\" (\"k\" INTEGER PRIMARY KEY, \"f\".\"v\" VARCHAR(9), W DATE)",
        "CREATE LOCAL INDEX \"by_v\" ON \"shops\".\"visits\" (\"f\".\"v\", W DESC)",
        "UPSERT INTO \"shops\".\"visits\" VALUES (7, 'it''s', TO_DATE('2020-02-29'))");
    List<String> shown = layout("\"shops\".\"visits\"").lines().toList();
    assertThat(shown).startsWith("shops.by_v on shops.visits, 1 region");
    assertThat(valuesAfter("key", shown).subList(1, 4))
        .containsExactly(
            "\"f\".\"v\" VARCHAR(9), nullable",
            "W DECIMAL DESC, nullable",
            "\"k\" INTEGER, of the row key");
    assertThat(valuesAfter("rows", shown))
        .containsExactly("not known: no statistics; --count counts the rows");
    assertThat(valuesAfter("stored", shown))
        .containsExactly(
            "in the region from '' to ''",
            "\"f\".\"v\" = 'it''s', W = '2020-02-29 00:00:00.000', \"k\" = 7 ->"
                + " \\x80\\x00\\x00\\x07");
  }

  @Test
  public void whatIsNoTableWithALocalIndexIsRefused() throws Exception {
    execute(
        connection,
        "CREATE TABLE BAD.T (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)",
        "CREATE TABLE BAD.BARE (K INTEGER PRIMARY KEY)",
        "CREATE VIEW BAD.W AS SELECT * FROM BAD.T",
        "CREATE INDEX G ON BAD.T (V)");
    assertTableRefused(
        "NOWHERE",
        "names the table NOWHERE, which does not exist. Correct the name; names in lower case need"
            + " quotes");
    assertTableRefused(
        "bad.\"t\"",
        "names the table BAD.t, which does not exist. Correct the name; names in lower case need"
            + " quotes");
    assertTableRefused("BAD.BARE", "has no local index. Run CREATE LOCAL INDEX first");
    assertTableRefused("BAD.T", "has no local index, only BAD.G. Run CREATE LOCAL INDEX first");
    assertTableRefused(
        "BAD.G", "is an index. Expected a table. Give BAD.T, the table of the index");
    assertTableRefused("BAD.W", "is a view. Expected a table. Give BAD.T, the table of the view");
  }

  @Test
  public void aWrongUrlIsRefused() throws Exception {
    assertRefused(
        "TABLE 'T' is read with TenantId=me, but the rows of all tenants are needed. Leave TenantId"
            + " out of --url",
        "layout",
        "--url",
        url() + ";TenantId=me",
        "T");
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    String url = "jdbc:phoenix:localhost:" + closed;
    assertRefused(
        "--url '" + url + "' does not answer (Connection refused). Correct the URL, or start HBase",
        "layout",
        "--url",
        url,
        "T");
  }

  private List<String> report(String table) throws Exception {
    PhoenixConnection phoenix = connection.unwrap(PhoenixConnection.class);
    IndexedTable indexed = IndexedTable.find(phoenix, TableArgument.parse(table));
    List<IndexReport> reports = new ArrayList<>();
    for (IndexLayout layout : indexed.layouts()) {
      reports.add(IndexReport.of(indexed, layout, OptionalLong.empty()));
    }
    return new LayoutReport(indexed, reports)
        .text(Help.defaultColorScheme(Ansi.OFF))
        .lines()
        .toList();
  }

  @Test
  public void anEmptyTableHasNoRowsToShow() throws Exception {
    execute(
        connection,
        "CREATE TABLE LAYOUT_EMPTY (K INTEGER PRIMARY KEY, V INTEGER)",
        "CREATE LOCAL INDEX LAYOUT_EMPTY_V ON LAYOUT_EMPTY (V)");
    assertThat(report("layout_empty"))
        .endsWith(
            "  size        not known",
            "  key bytes   not known: no rows found",
            "  lookups     not known: no rows found",
            "  stored      no rows found");
  }

  @Test
  public void rowsAndSizeComeFromStatistics() throws Exception {
    execute(
        connection,
        "CREATE TABLE LAYOUT_STATS (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR) SPLIT ON (500)",
        "CREATE LOCAL INDEX LAYOUT_STATS_V ON LAYOUT_STATS (V)",
        "CREATE LOCAL INDEX LAYOUT_STATS_W ON LAYOUT_STATS (W, V) INCLUDE (K)");
    connection.setAutoCommit(false);
    for (int k = 0; k < 1_000; k++) {
      execute(
          connection, "UPSERT INTO LAYOUT_STATS VALUES (" + k + ", " + k % 7 + ", 'w" + k + "')");
    }
    connection.commit();
    execute(connection, "UPDATE STATISTICS LAYOUT_STATS");
    List<String> rows = valuesAfter("rows", report("LAYOUT_STATS"));
    assertThat(rows).hasSize(2);
    for (String line : rows) {
      assertThat(line).as(line).matches("[\\d,]+ to [\\d,]+, from statistics");
      String[] bounds = line.replaceAll("[^\\d ]", "").strip().split(" +");
      assertThat(Integer.parseInt(bounds[0])).as(line).isBetween(900, 1_000);
      assertThat(Integer.parseInt(bounds[1])).as(line).isBetween(1_000, 1_100);
    }
  }

  @Test
  public void showsTheRowsOfARegionThatWasSplitAndNotCompacted() throws Exception {
    execute(
        connection,
        "CREATE TABLE LAYOUT_SPLIT (K INTEGER PRIMARY KEY, V INTEGER)",
        "CREATE LOCAL INDEX LAYOUT_SPLIT_V ON LAYOUT_SPLIT (V)");
    for (int k = 0; k < 20; k++) {
      execute(connection, "UPSERT INTO LAYOUT_SPLIT VALUES (" + k + ", " + (k + 10) % 20 + ")");
    }
    TableName name = TableName.valueOf("LAYOUT_SPLIT");
    getUtility()
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(getUtility().getAdmin().getDescriptor(name))
                .setCompactionEnabled(false)
                .build());
    getUtility().getAdmin().flush(name);
    split(regions("LAYOUT_SPLIT").get(0), PInteger.INSTANCE.toBytes(10));
    assertThat(getUtility().getHBaseCluster().getRegions(name))
        .anyMatch(region -> region.hasReferences());
    List<String> shown = report("LAYOUT_SPLIT");
    assertThat(shown).startsWith("LAYOUT_SPLIT_V on LAYOUT_SPLIT, 2 regions");
    assertThat(valuesAfter("lookups", shown).subList(0, 1)).containsExactly("V = 0");
    assertThat(valuesAfter("stored", shown))
        .containsExactly(
            "in the region from '\\x80\\x00\\x00\\x0A' to ''",
            "V = 0, K = 10 -> \\x80\\x00\\x00\\x0A",
            "V = 1, K = 11 -> \\x80\\x00\\x00\\x0B",
            "V = 2, K = 12 -> \\x80\\x00\\x00\\x0C");
  }

  @Test
  public void plansLookupsOfEveryKindOfIndex() throws Exception {
    execute(
        connection,
        """
        CREATE TABLE LAYOUT_KINDS (T VARCHAR NOT NULL, K1 CHAR(3) NOT NULL,
          K2 DECIMAL(10,2), V INTEGER, A.D DATE, S VARCHAR, B BOOLEAN
          CONSTRAINT PK PRIMARY KEY (T, K1 DESC, K2)) SALT_BUCKETS = 3, MULTI_TENANT = TRUE""",
        "CREATE LOCAL INDEX LAYOUT_KINDS_V ON LAYOUT_KINDS (V)",
        "CREATE LOCAL INDEX LAYOUT_KINDS_K ON LAYOUT_KINDS (K1, V DESC)",
        "CREATE LOCAL INDEX LAYOUT_KINDS_F ON LAYOUT_KINDS (UPPER(S), A.D DESC, B) INCLUDE (V)",
        "CREATE LOCAL INDEX LAYOUT_KINDS_R ON LAYOUT_KINDS (K2 DESC, K1)",
        """
        UPSERT INTO LAYOUT_KINDS VALUES ('me', 'abc', 1.5, 5, TO_DATE('2020-02-29'),
          'straight', TRUE)""");
    List<String> shown = report("LAYOUT_KINDS");
    assertThat(valuesAfter("stored", shown))
        .filteredOn(line -> !line.startsWith("in the region"))
        .hasSize(4)
        .allMatch(line -> line.matches("T = 'me', .*"))
        .allMatch(line -> line.contains("K1 = 'abc', ") || line.contains("K1 = 'abc' -> "))
        .allMatch(line -> line.contains("K2 = 1.5, ") || line.contains("K2 = 1.5 -> "));
    assertThat(valuesAfter("lookups", shown))
        .contains(
            "T = 'me' AND V = 5",
            "T = 'me' AND V = 5 AND K1 >= 'abc'",
            "T = 'me' AND V = 5 AND K1 = 'abc'",
            "T = 'me' AND V = 5 AND K1 = 'abc' AND K2 = 1.5",
            "T = 'me' AND K1 = 'abc'",
            "T = 'me' AND UPPER(S) = 'STRAIGHT' AND A.D = '2020-02-29 00:00:00.000' AND B = true",
            "T = 'me' AND K2 = 1.5")
        .noneMatch(line -> line.contains("instead"));
  }

  @Test
  public void looksUpNullsWhereNothingElseIsStored() throws Exception {
    execute(
        connection,
        "CREATE TABLE LAYOUT_NULLS (K INTEGER PRIMARY KEY, V INTEGER)",
        "CREATE LOCAL INDEX LAYOUT_NULLS_V ON LAYOUT_NULLS (V)",
        "UPSERT INTO LAYOUT_NULLS VALUES (3, NULL)");
    List<String> shown = report("LAYOUT_NULLS");
    assertThat(valuesAfter("lookups", shown)).contains("V IS NULL", "V IS NULL AND K = 3");
    assertThat(valuesAfter("stored", shown)).contains("V = null, K = 3 -> \\x80\\x00\\x00\\x03");
  }
}
