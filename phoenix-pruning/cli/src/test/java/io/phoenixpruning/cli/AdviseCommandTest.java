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
package io.phoenixpruning.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/**
 * Tests the proposals, the output and the exit codes of {@code pruning advise} without a cluster.
 */
@RunWith(JUnitParamsRunner.class)
public class AdviseCommandTest {

  private static final String SCHEMA =
      """
      CREATE TABLE T (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER, X VARCHAR
        CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30, 40, 50, 60, 70, 80, 90);
      CREATE LOCAL INDEX T_UNUSED ON T (X);
      """;

  private static final String SHOP =
      """
      CREATE TABLE ORDERS (K INTEGER PRIMARY KEY, V INTEGER);
      CREATE TABLE SALES (K INTEGER PRIMARY KEY, X VARCHAR);
      CREATE LOCAL INDEX SALES_X ON SALES (X);
      """;

  /** Statements that read both tables of the shop, but no index. */
  private static final String LOOKUPS =
      "SELECT V FROM ORDERS WHERE K = 5;\nSELECT X FROM SALES WHERE K = 5;\n";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path schema;
  private CommandRun run;

  @Before
  public void writeSchema() throws IOException {
    schema = write("schema.sql", SCHEMA);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(temporary.getRoot().toPath().resolve(name), text);
  }

  private CommandRun advise(String queries, Object... options) throws IOException {
    List<Object> args =
        new ArrayList<>(List.of("--ddl", schema, "--queries", write("q.sql", queries)));
    args.addAll(List.of(options));
    run = CommandRun.of("advise", args.toArray());
    return run;
  }

  private JsonNode json(String queries, Object... options) throws IOException {
    List<Object> args = new ArrayList<>(List.of(options));
    args.add("--json");
    advise(queries, args.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private List<String> ddl(String queries, Object... options) throws IOException {
    List<String> statements = new ArrayList<>();
    json(queries, options).get("ddl").forEach(statement -> statements.add(statement.asText()));
    return statements;
  }

  private List<String> drops(String queries, Object... options) throws IOException {
    List<String> statements = new ArrayList<>();
    json(queries, options).get("drops").forEach(statement -> statements.add(statement.asText()));
    return statements;
  }

  @Test
  public void anIndexForAValueAndNoneForUnreadColumns() throws IOException {
    assertThat(ddl("SELECT V FROM T WHERE V = 5;"))
        .containsExactly("CREATE LOCAL INDEX T_V ON T (V)");
    assertThat(drops("SELECT V FROM T WHERE V = 5;")).containsExactly("DROP INDEX T_UNUSED ON T");
    assertThat(advise("SELECT V FROM T WHERE V = 5;").out())
        .contains("\nCREATE LOCAL INDEX T_V ON T (V);\n")
        .contains("\n-- DROP INDEX T_UNUSED ON T;\n");
  }

  private static List<String> refusedStatementsOfT() {
    return List.of(
        "SELECT X, NOWHERE FROM T WHERE X = 'a'",
        "SELECT /*+ INDEX(T T_UNUSED) */ * FROM WHERE X = 'a'",
        "SELECT * FROM A_VIEW WHERE X = 'a'");
  }

  @Test
  @Parameters(method = "refusedStatementsOfT")
  public void noDropForATableOfARefusedStatement(String refused) throws IOException {
    advise("SELECT V FROM T WHERE V = 5;\n" + refused, "--json");
    assertThat(run.exitCode()).isEqualTo(2);
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("drops")).isEmpty();
    assertThat(json.get("refused")).hasSize(1);
    assertThat(json.at("/tables/0/indexes/1/action").asText()).isEqualTo("keep");
    assertThat(json.at("/tables/0/indexes/1/reason").asText())
        .isEqualTo("no query that could be planned reads it, but a refused statement may");
  }

  @Test
  public void theTextListsARefusedStatementAndNoDrop() throws IOException {
    advise("SELECT V FROM T WHERE V = 5;\nSELECT Y FROM T;");
    assertThat(run.out())
        .contains("Refused, and left out of all figures\n  - ")
        .contains("q.sql:2:1: ERROR 504 (42703): Undefined column. columnName=T.Y\n")
        .doesNotContain("DROP INDEX");
  }

  private static List<String> refusedStatementsOfOtherTables() {
    return List.of(
        "SELECT V.X FROM SALES_VIEW V JOIN ORDERS O ON V.K = O.K",
        "SELECT V FROM ORDERS WHERE K IN (SELECT K FROM SALES_VIEW)",
        "SELECT V FROM ORDERS WHERE V = (SELECT MAX(K) FROM SALES_VIEW)",
        "SELECT X FROM (SELECT X FROM SALES_VIEW) WHERE X = 'a'",
        "SELECT V FROM ORDERS UNION ALL SELECT K FROM SALES_VIEW",
        "DELETE FROM ORDERS WHERE K IN (SELECT K FROM SALES_VIEW)",
        "UPSERT INTO ORDERS SELECT K, 1 FROM SALES_VIEW",
        "SELECT V FROM S.ORDERS",
        // These name the table with the index, or the index itself.
        "SELECT NOWHERE FROM ORDERS O JOIN SALES S ON O.K = S.K",
        "SELECT NOWHERE FROM SALES_X");
  }

  @Test
  @Parameters(method = "refusedStatementsOfOtherTables")
  public void noDropAtAllIfARefusedStatementNamesAnythingButTablesOfTheWorkload(String refused)
      throws IOException {
    schema = write("shop.sql", SHOP);
    advise(LOOKUPS + refused, "--json");
    assertThat(run.exitCode()).isEqualTo(2);
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("refused")).hasSize(1);
    assertThat(json.get("drops")).isEmpty();
  }

  @Test
  public void aDropForATableThatNoRefusedStatementNames() throws IOException {
    schema = write("shop.sql", SHOP);
    assertThat(advise(LOOKUPS + "SELECT NOWHERE FROM ORDERS").out())
        .contains("\n-- DROP INDEX SALES_X ON SALES;\n");
  }

  @Test
  public void settingsNameTheirFamilyIfThereAreSeveral() throws IOException {
    assertThat(
            ddl(
                "SELECT /*+ INDEX(T T_UNUSED) */ V FROM T WHERE X = 'a';",
                "--writes",
                "T=1000000000"))
        .containsExactly("ALTER TABLE T SET DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'");
    schema =
        write(
            "families.sql",
            """
            CREATE TABLE F (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, "f".X INTEGER);
            CREATE LOCAL INDEX F_V ON F (V);""");
    assertThat(
            ddl("SELECT /*+ INDEX(F F_V) */ W, X FROM F WHERE V = 5;", "--writes", "F=1000000000"))
        .containsExactly(
            "ALTER TABLE F SET \"0\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'",
            "ALTER TABLE F SET \"f\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'");
  }

  @Test
  @Parameters({"T=0", "T=1000", "T=1000000000"})
  public void noFigureGetsWorse(String writes) throws IOException {
    String queries =
        """
        -- weight: 100
        SELECT X FROM T WHERE X = 'a' AND K1 = 15;
        SELECT V FROM T WHERE V = 5 AND K1 IN (15, 25);
        -- weight: 3
        SELECT W, V FROM T WHERE W > 5 AND K1 > 85;
        SELECT COUNT(*) FROM T WHERE V = 5 OR W = 6;
        """;
    JsonNode totals = json(queries, "--writes", writes).get("totals");
    assertThat(List.of("rpcs", "regions", "rows", "bytes"))
        .allSatisfy(
            figure ->
                assertThat(totals.get(figure).get("after").asDouble())
                    .isLessThanOrEqualTo(totals.get(figure).get("before").asDouble()));
  }

  @Test
  public void aRearrangedIndexForAKeyAndARange() throws IOException {
    assertThat(ddl("SELECT V FROM T WHERE K1 = 5 AND V > 7;"))
        .contains("CREATE LOCAL INDEX T_K1_V ON T (K1, V)");
  }

  @Test
  public void nothingForLookupsByKeyAndWholeTables() throws IOException {
    String queries = "SELECT V FROM T WHERE K1 = 5 AND K2 = 6;\nSELECT SUM(W) FROM T;\n";
    assertThat(ddl(queries)).isEmpty();
    assertThat(drops(queries)).containsExactly("DROP INDEX T_UNUSED ON T");
  }

  @Test
  public void writesDecideWhetherAnIndexPays() throws IOException {
    String query = "SELECT V FROM T WHERE V = 5;";
    assertThat(ddl(query, "--writes", "T=1000000000")).isEmpty();
  }

  @Test
  public void weightsDecideWhichIndexPays() throws IOException {
    String queries =
        "-- weight: 100000\nSELECT V FROM T WHERE V = 5;\nSELECT W FROM T WHERE W = 5;";
    assertThat(ddl(queries)).containsExactly("CREATE LOCAL INDEX T_V ON T (V)");
    assertThat(ddl(queries, "--weights", "1,100000"))
        .containsExactly("CREATE LOCAL INDEX T_W ON T (W)");
  }

  @Test
  public void costsBeforeAndAfterAreReported() throws IOException {
    JsonNode query = json("SELECT V FROM T WHERE V = 5 AND K1 = 15;").at("/queries/0");
    assertThat(query.at("/before/reads/0").asText()).isEqualTo("T");
    assertThat(query.at("/after/reads/0").asText()).startsWith("T_");
    assertThat(query.at("/after/rpcs").asInt()).isEqualTo(1);
    assertThat(query.at("/after/rows").asDouble())
        .isLessThan(query.at("/before/rows").asDouble() / 10);
  }

  @Test
  public void anHtmlPageIsWrittenInAdditionToTheText() throws IOException {
    Path page = temporary.getRoot().toPath().resolve("advice.html");
    advise("SELECT V FROM T WHERE V = 5;", "--html", page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(page).content().contains("<svg").contains("CREATE LOCAL INDEX T_V ON T (V)");
  }

  private void assertRefused(String line) {
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().replace(temporary.getRoot() + "/", "").lines())
        .containsExactly("pruning advise: " + line);
  }

  @Test
  public void oneBadStatementDoesNotHideTheOthers() throws IOException {
    advise("SELECT V FROM T WHERE V = 5;\nSELECT Y FROM T;");
    assertRefused("q.sql:2:1: ERROR 504 (42703): Undefined column. columnName=T.Y");
    assertThat(run.out()).contains("CREATE LOCAL INDEX T_V ON T (V);");
  }

  @Test
  public void refusedStatementsAreListedIfThereAreNoOthers() throws IOException {
    String refused = "q.sql:1:1: ERROR 504 (42703): Undefined column. columnName=T.Y";
    Path page = temporary.getRoot().toPath().resolve("advice.html");
    advise("SELECT Y FROM T;", "--html", page);
    assertRefused(refused);
    assertThat(run.out())
        .contains("Refused, and left out of all figures\n  - ")
        .contains(refused + "\n")
        .contains("-- No change is proposed, and nothing was changed.\n");
    assertThat(page).content().contains(refused);
    advise("SELECT Y FROM T;", "--json");
    assertRefused(refused);
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("refused")).hasSize(1);
    assertThat(json.get("refused").get(0).asText()).endsWith(refused);
    assertThat(json.get("queries")).isEmpty();
    assertThat(json.get("drops")).isEmpty();
  }

  @Test
  public void thereIsNoAdviceWithoutStatements() throws IOException {
    advise("-- nothing yet");
    assertRefused(
        "q.sql: has no statement. Expected SQL statements, separated by semicolons. Write one, or"
            + " leave the file out");
    assertThat(run.out()).isEmpty();
  }

  @Test
  public void writesAreMeasuredOnAClusterOnly() throws IOException {
    advise("SELECT V FROM T;", "--measure");
    assertRefused(
        "--measure is given with --ddl, but needs a cluster. Give --url instead of --ddl, or leave"
            + " out --measure");
    advise("SELECT V FROM T;", "--sample-rows", "5");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "pruning advise: Error: Missing required argument(s): --measure; see pruning advise"
                + " --help\n");
  }

  @Test
  @Parameters({"0", "100001"})
  public void tooFewOrTooManySampleRowsAreRefused(String rows) throws IOException {
    Path queries = write("q.sql", "SELECT V FROM T;");
    run =
        CommandRun.of(
            "advise",
            "--url",
            "jdbc:phoenix:localhost",
            "--queries",
            queries,
            "--measure",
            "--sample-rows",
            rows);
    assertRefused("--sample-rows is " + rows + ". Expected 1 to 100000");
  }

  @Test
  public void badInputIsRefused() throws IOException {
    advise("-- weight: -1\nSELECT V FROM T;");
    assertRefused(
        "q.sql:1:11: the weight is '-1'. Expected one number above 0, such as -- weight: 10");
    advise("SELECT V FROM T;", "--weights", "1,2");
    assertRefused(
        "--weights has 2 numbers, but the files have 1 statement. Give one number for each"
            + " statement, or write -- weight: 10 before a statement");
    advise("SELECT V FROM T;", "--weights", "0");
    assertRefused("--weights has 0.0. Expected numbers above 0");
    advise("SELECT V FROM T;", "--writes", "T=-1");
    assertRefused("--writes has T=-1.0. Expected 0 or more rows");
    advise("SELECT V FROM T;", "--writes", "NOSUCH=5");
    assertRefused(
        "--writes names NOSUCH, which no statement reads or writes. Expected one of: T. Correct the"
            + " name, or leave it out");
    run =
        CommandRun.of(
            "advise", "--ddl", schema, "--queries", temporary.getRoot().toPath().resolve("n.sql"));
    assertRefused("n.sql: does not exist. Expected a file with SQL statements");
  }

  private void assertRefused(List<Object> args, String line) {
    run = CommandRun.of("advise", args.toArray());
    assertRefused(line);
    assertThat(run.out()).isEmpty();
  }

  @Test
  public void optionsThatDoNotGoTogetherAreRefused() throws IOException {
    Path queries = write("q.sql", "SELECT V FROM T;");
    String url = "jdbc:phoenix:no.invalid";
    assertRefused(
        List.of("--ddl", schema),
        "neither --queries nor --log is given. Give --queries to read SQL files, or --log to read"
            + " the statements that Phoenix logged");
    assertRefused(
        List.of("--ddl", schema, "--queries", queries, "--log"),
        "--log is given with --ddl, but needs a cluster. Give --url instead of --ddl, or --queries"
            + " instead of --log");
    assertRefused(
        List.of("--ddl", schema, "--queries", queries, "--log-since", "PT1H"),
        "--log-since is given without --log. Add --log, or leave out --log-since");
    assertRefused(
        List.of("--url", url, "--log", "--weights", "1"),
        "--weights is given without --queries. With --log, the weight is the number of runs. Leave"
            + " out --weights");
    assertRefused(
        List.of("--url", url, "--log", "--log-since", "yesterday"),
        "Invalid value for option '--log-since': 'yesterday' is not a time. Expected an instant"
            + " such as 2026-11-01T00:00:00Z, or a duration such as PT24H; see pruning advise"
            + " --help");
  }
}
