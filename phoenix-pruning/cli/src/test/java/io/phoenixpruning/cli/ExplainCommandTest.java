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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
 * Tests the output, the written files and the exit codes of {@code pruning explain} without a
 * cluster.
 */
@RunWith(JUnitParamsRunner.class)
public class ExplainCommandTest {

  private static final String SCHEMA =
      """
      DROP TABLE IF EXISTS T CASCADE;
      CREATE TABLE T (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER, A.X INTEGER
        CONSTRAINT PK PRIMARY KEY (K1, K2)) A.DATA_BLOCK_ENCODING = 'NONE' SPLIT ON (10, 20, 30);
      CREATE LOCAL INDEX TV ON T (V);
      CREATE LOCAL INDEX TKW ON T (K1, W);
      DROP TABLE IF EXISTS D;
      CREATE TABLE D (K INTEGER PRIMARY KEY);
      CREATE TABLE S.U (K INTEGER PRIMARY KEY)
      """;

  private static final String ONE = "SELECT V FROM T WHERE V = 5 AND K1 = 15";
  private static final String ALL = "SELECT V FROM T WHERE V = 5";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path schema;
  private String out;
  private String err;

  @Before
  public void writeSchema() throws IOException {
    schema = write("schema.sql", SCHEMA);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(temporary.getRoot().toPath().resolve(name), text);
  }

  private int run(Object... args) {
    CommandRun run = CommandRun.of("explain", args);
    out = run.out();
    err = run.err();
    return run.exitCode();
  }

  /**
   * Explains a file with {@code text}. Removes the folder from file names in {@link #out} and
   * {@link #err}.
   */
  private int explain(String text, String... options) throws IOException {
    List<Object> args = new ArrayList<>(List.of("--ddl", schema, write("q.sql", text)));
    args.addAll(List.of(options));
    int exitCode = run(args.toArray());
    String folder = temporary.getRoot() + "/";
    out = out.replace(folder, "");
    err = err.replace(folder, "");
    return exitCode;
  }

  private void assertRefused(String text, String line) throws IOException {
    assertThat(explain(text)).isEqualTo(2);
    assertThat(err.lines()).containsExactly("pruning explain: " + line);
  }

  private void assertSchemaRefused(String text, String line) throws IOException {
    schema = write("bad.sql", text);
    assertThat(explain(ONE)).isEqualTo(2);
    assertThat(err.lines()).containsExactly("pruning explain: " + line);
    assertThat(out).isEmpty();
  }

  @Test
  public void aPlanAsExpected() throws IOException {
    assertThat(explain("-- expect: regions = 1, index = tv\n" + ONE + ";\n")).isZero();
    assertThat(out)
        .isEqualToNormalizingNewlines(
            """
            q.sql:2:1: SELECT V FROM T WHERE V = 5 AND K1 = 15
              range scan of natural local index TV of T: 1 of 4 regions, 3 pruned by PRIMARY KEY
              as expected: regions = 1, index = tv

            1 statement: 0 not as expected, 0 refused, 0 warnings
            """);
    assertThat(err).isEmpty();
  }

  @Test
  public void aPlanThatIsNotAsExpectedIsExitCode1() throws IOException {
    assertThat(explain("-- expect: regions <= 3, index = TKW, scan = range\n" + ALL)).isEqualTo(1);
    assertThat(out)
        .isEqualToNormalizingNewlines(
            """
            q.sql:2:1: SELECT V FROM T WHERE V = 5
              range scan of natural local index TV of T: 4 of 4 regions
              warning full-fan-out: the local index TV is scanned in all 4 regions. Add conditions\
             on the primary key of T to the WHERE, or use a global index
              not as expected: regions <= 3, index = TKW, scan = range
              - regions <= 3
              + regions = 4
              - index = TKW
              + index = TV

            1 statement: 1 not as expected, 0 refused, 1 warning
            """);
    assertThat(err).isEmpty();
  }

  private static List<String> metExpectations() {
    return List.of(
        "regions < 2",
        "regions >= 1",
        "regions > 0",
        "layout = natural",
        "table = t",
        "table = T, index = \"TV\"",
        "index = TV, scan = range, layout = NATURAL");
  }

  @Test
  @Parameters(method = "metExpectations")
  public void aPropertyAsExpectedIsExitCode0(String met) throws IOException {
    assertThat(explain("-- expect: " + met + "\n" + ONE)).isZero();
  }

  @Test
  @Parameters({
    "regions > 1",
    "regions < 1",
    "layout = rearranged",
    "table = D",
    "index = none",
    "scan = full",
    "index = \"tv\""
  })
  public void aPropertyThatIsNotAsExpectedIsExitCode1(String broken) throws IOException {
    assertThat(explain("-- expect: " + broken + "\n" + ONE)).isEqualTo(1);
  }

  @Test
  public void eachPropertyIsCompared() throws IOException {
    assertThat(explain("-- expect: layout = rearranged\nSELECT W FROM T WHERE K1 = 5 AND W = 1"))
        .isZero();
    assertThat(explain("-- expect: index = none, scan = point\nSELECT * FROM D WHERE K = 1"))
        .isZero();
    assertThat(explain("-- expect: layout = natural\nSELECT * FROM D WHERE K = 1")).isEqualTo(1);
    assertThat(out).contains("- layout = natural").contains("+ layout = none");
    assertThat(
            explain("-- expect: scan = none, regions = 0\nSELECT * FROM D WHERE K = 1 AND K = 2"))
        .isZero();
    assertThat(explain("-- expect: index = TV\nUPSERT INTO D VALUES (1)")).isEqualTo(1);
    assertThat(out).contains("reads no table").contains("+ no table is read");
  }

  @Test
  public void expectationsCanNameATableOfAJoin() throws IOException {
    String join = "SELECT T.V FROM T JOIN D ON T.K1 = D.K WHERE T.V = 5 AND T.K1 = 15 AND D.K < 9";
    assertThat(
            explain(
                "-- expect: table = T, regions = 1, index = TV\n-- expect: table = D, index ="
                    + " none\n-- expect: regions = 2\n"
                    + join))
        .isZero();
    assertThat(explain("-- expect: index = TV\n" + join)).isEqualTo(1);
    assertThat(out).contains("- index = TV").contains("+ index = TV, and index = none");
    assertThat(explain("-- expect: table = U, regions = 1\n" + join)).isEqualTo(1);
    assertThat(out).contains("- table = U").contains("+ table = T, and table = D");
  }

  @Test
  public void parametersHaveTheValuesOfAComment() throws IOException {
    String sql = "SELECT V FROM T WHERE V = ? AND K1 BETWEEN ? AND TO_NUMBER(?)";
    assertThat(explain("-- bind: 5, -3, '9'\n-- expect: regions = 1\n" + sql)).isZero();
    assertRefused(
        sql,
        "q.sql:1:1: the statement has 3 parameters and 0 comments with values. Expected one comment"
            + " before it, such as -- bind: 25, 'x'");
    assertRefused(
        "-- bind: 5\n" + sql,
        "q.sql:1:9: the comment has 1 value for 3 parameters. Write one value for each parameter");
    assertRefused(
        "-- bind: 5\n" + ONE,
        "q.sql:1:9: the comment has 1 value for 0 parameters. Write one value for each parameter");
    assertThat(explain("-- bind: K FROM D\n" + sql)).isEqualTo(2);
    assertThat(err)
        .isEqualTo(
            "pruning explain: q.sql:1:9: the values of the parameters cannot be read (they are not"
                + " constants). Expected constants, such as -- bind: 25, 'x'\n");
    assertThat(explain("-- bind: 5,,\n" + sql)).isEqualTo(2);
    assertThat(err).contains("q.sql:1:9: the values of the parameters").contains("Syntax error");
  }

  @Test
  public void problemsHaveThePositionOfTheStatement() throws IOException {
    assertRefused(
        "SELECT 1;\n\n  SELEC 1;",
        "q.sql:3:3: ERROR 601 (42P00): Syntax error. Encountered \"SELEC\"");
    assertRefused(
        "SELECT V\n  FROM T WHERE AND V = 5;",
        "q.sql:2:16: ERROR 604 (42P00): Syntax error. Mismatched input. Expecting \"LPAREN\", got \"AND\"");
    assertRefused(
        "SELECT * FROM NOWHERE",
        "q.sql:1:1: ERROR 1012 (42M03): Table undefined. tableName=NOWHERE. Correct the name, or"
            + " create the table in schema.sql");
    assertRefused(
        "SELECT Z FROM T", "q.sql:1:1: ERROR 504 (42703): Undefined column. columnName=T.Z");
    assertRefused("SELECT #", "q.sql:1:8: '#' is not valid SQL. Remove it");
    assertRefused("SELECT 'a", "q.sql:1:8: the quote or comment that begins here is not closed");
    assertRefused(
        "EXPLAIN SELECT 1",
        "q.sql:1:1: ERROR 201 (22000): Illegal data. The statement has no plan. Expected SELECT,"
            + " UPSERT or DELETE without EXPLAIN");
    assertRefused(
        "-- expect: regions ~ 3\n" + ONE,
        "q.sql:1:20: regions is compared by '~'. Expected one of: =, <, <=, >, >=");
    assertRefused(
        ONE + ";\n-- expect: regions = 3",
        "q.sql:2:1: this comment belongs to no statement. Expected it before a statement or inside"
            + " one. Move it");
  }

  @Test
  public void aCommentForThisCommandIsNeverSkipped() throws IOException {
    assertThat(explain("/* expect: regions = 9 */\n" + ONE)).isEqualTo(1);
    assertThat(explain("/* expect: regions = 1,\n index = TV */ " + ONE)).isZero();
    assertThat(explain("/** expect: regions = 9 **/\n" + ONE)).isEqualTo(1);
    assertThat(explain("--- expect: regions = 9\n" + ONE)).isEqualTo(1);
    assertThat(explain("/** expect: regions = 1 **/\n" + ONE)).isZero();
    assertThat(explain("/*\n * expect: regions = 9\n */\n" + ONE)).isEqualTo(1);
    assertThat(explain("/**\n * expect: regions = 1,\n *         index = TV\n */\n" + ONE))
        .isZero();
    assertThat(explain("/*\n * bind: 5,\n *       15\n */\nSELECT V FROM T WHERE V = ? AND K1 = ?"))
        .isZero();
    assertRefused(
        "/*\n * expect: regions = 1,\n *         indx = TV\n */\n" + ONE,
        "q.sql:3:12: 'indx' is not a property of a plan. Expected one of: table, regions, index,"
            + " layout, scan");
    assertRefused(
        "-- expect regions = 9\n" + ONE,
        "q.sql:1:1: this comment begins with 'expect', which no command knows. Expected 'expect:'."
            + " Write -- expect: regions <= 3, index = I2, or begin the comment with another word");
    assertRefused(
        "/* expect: regions = 1\n index = TV */ " + ONE,
        "q.sql:1:22: regions has the value '1 index = TV'. Expected a number of regions");
    assertRefused(
        "",
        "q.sql: has no statement. Expected SQL statements, separated by semicolons. Write one, or"
            + " leave the file out");
  }

  @Test
  public void aBadStatementHidesNoOtherAndIsExitCode2() throws IOException {
    assertThat(
            explain(
                "-- expect: regions = 9\n" + ALL + ";\nSELEC 1;\n-- expect: regions = 1\n" + ONE))
        .isEqualTo(2);
    assertThat(out)
        .contains("+ regions = 4")
        .contains("q.sql:3:1: SELEC 1\n  refused: see standard error")
        .contains("as expected: regions = 1")
        .endsWith("3 statements: 1 not as expected, 1 refused, 1 warning\n");
    assertThat(err.lines()).hasSize(1);
  }

  @Test
  public void aFileThatCannotBeReadHidesNoOther() throws IOException {
    Path good = write("good.sql", ONE);
    Path latin = temporary.getRoot().toPath().resolve("latin.sql");
    Files.write(latin, "SELECT 'é'".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(run("--ddl", schema, "no.sql", latin, temporary.getRoot(), good)).isEqualTo(2);
    assertThat(err.lines())
        .containsExactlyInAnyOrder(
            "pruning explain: no.sql: does not exist. Expected a file with SQL statements",
            "pruning explain: " + latin + ": is not in UTF-8. Convert it to UTF-8",
            "pruning explain: "
                + temporary.getRoot()
                + ": cannot be read (Is a directory). Expected a readable file");
    assertThat(out).contains("1 of 4 regions");
  }

  @Test
  public void aSchemaThatFailsIsRefused() throws IOException {
    assertSchemaRefused(
        "DROP TABLE IF EXISTS B;\nCREATE TABLE B (K INTEGER);",
        "bad.sql:2:1: ERROR 509 (42888): The table does not have a primary key. tableName=B");
    assertSchemaRefused(
        "CREATE\n TABEL B", "bad.sql:2:2: ERROR 601 (42P00): Syntax error. Encountered \"TABEL\"");
    assertSchemaRefused(
        "UPSERT INTO T VALUES (1)",
        "bad.sql:1:1: only definitions of tables, views and indexes are allowed. Remove this"
            + " statement");
    assertSchemaRefused("CREATE #", "bad.sql:1:8: '#' is not valid SQL. Remove it");
    schema = Path.of("no.sql");
    assertThat(explain(ONE)).isEqualTo(2);
    assertThat(err.lines())
        .containsExactly(
            "pruning explain: --ddl 'no.sql' does not exist. Expected a file with SQL statements");
  }

  @Test
  public void optionsThatAreWrongAreRefused() throws IOException {
    assertThat(explain(ONE, "--max-regions", "-1")).isEqualTo(2);
    assertThat(err.lines())
        .containsExactly("pruning explain: --max-regions is -1. Expected 0 or more");
    assertThat(explain(ONE, "--url", "jdbc:phoenix:localhost")).isEqualTo(2);
    assertThat(err)
        .isEqualTo(
            "pruning explain: Error: --url=URL, --ddl=FILE are mutually exclusive (specify only one);"
                + " see pruning explain --help\n");
    assertThat(run("q.sql")).isEqualTo(2);
    assertThat(err)
        .isEqualTo(
            "pruning explain: Error: Missing required argument (specify one of these): (--url=URL |"
                + " --ddl=FILE); see pruning explain --help\n");
    assertThat(run("--ddl", schema)).isEqualTo(2);
    assertThat(err)
        .isEqualTo(
            "pruning explain: Missing required parameter: 'FILE'; see pruning explain --help\n");
    assertThat(run("--url", "jdbc:phoenix:none", "q.sql")).isEqualTo(2);
    assertThat(err).contains("Phoenix's URL for no cluster");
  }

  @Test
  public void warningsNameTheRemedy() throws IOException {
    assertThat(explain(ALL, "--max-regions", "3")).isZero();
    assertThat(out)
        .contains(
            "warning region-budget: the statement plans 4 regions, but --max-regions is 3. Add"
                + " conditions on the primary key to its WHERE")
        .contains("warning full-fan-out: ");
    assertThat(explain(ONE, "--max-regions", "1")).isZero();
    assertThat(out).doesNotContain("warning ");
    String lookedUp = "SELECT /*+ INDEX(T TV) */ W, X FROM T WHERE V = 5 AND K1 = 15";
    assertThat(explain(lookedUp)).isZero();
    assertThat(out)
        .containsOnlyOnce("warning ")
        .contains(
            "warning fast-diff: rows of T are looked up by key in the family 0, and each lookup"
                + " decodes its FAST_DIFF block from the start. Include the columns in the index,"
                + " or run ALTER TABLE T SET \"0\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'");
  }

  @Test
  public void jsonHasTheContentOfTheText() throws IOException {
    assertThat(
            explain(
                "-- expect: regions = 2\n" + ONE + ";\nSELECT * FROM D WHERE K = 1;\nSELEC",
                "--json"))
        .isEqualTo(2);
    JsonNode json = new ObjectMapper().readTree(out);
    JsonNode first = json.at("/statements/0");
    assertThat(first.at("/file").asText()).isEqualTo("q.sql");
    assertThat(first.at("/line").asInt()).isEqualTo(2);
    assertThat(first.at("/column").asInt()).isEqualTo(1);
    assertThat(first.at("/sql").asText()).isEqualTo(ONE);
    assertThat(first.at("/plan/regionsPlanned").asInt()).isEqualTo(1);
    assertThat(first.at("/plan/explain/1").asText())
        .isEqualTo("    REGIONS PLANNED 1 OF 4, PRUNED 3 BY PRIMARY KEY");
    assertThat(first.at("/plan/scans/0").toString())
        .isEqualTo(
            "{\"table\":\"T\",\"index\":\"TV\",\"indexKind\":\"local\",\"layout\":\"natural\","
                + "\"scan\":\"range\",\"regionsPlanned\":1,\"regionsTotal\":4,"
                + "\"regionsPruned\":{\"PRIMARY KEY\":3}}");
    assertThat(first.at("/warnings").toString()).isEqualTo("[]");
    assertThat(first.at("/expectations/0").toString())
        .isEqualTo(
            "{\"line\":1,\"column\":11,\"expected\":\"regions = 2\",\"met\":false,\"differences\":"
                + "[{\"expected\":\"regions = 2\",\"actual\":\"regions = 1\"}]}");
    assertThat(json.at("/statements/1/plan/scans/0").toString())
        .isEqualTo(
            "{\"table\":\"D\",\"index\":null,\"indexKind\":\"none\",\"layout\":null,\"scan\":\"point\","
                + "\"regionsPlanned\":1,\"regionsTotal\":null,\"regionsPruned\":{}}");
    assertThat(json.at("/statements/2/plan").isNull()).isTrue();
    assertThat(json.at("/statements/2/problems/0").toString())
        .isEqualTo(
            "{\"file\":\"q.sql\",\"line\":4,\"column\":1,\"message\":\"ERROR 601 (42P00): Syntax"
                + " error. Encountered \\\"SELEC\\\"\"}");
    assertThat(json.at("/problems").toString()).isEqualTo("[]");
    assertThat(err.lines()).hasSize(1);
  }

  private String updated(String text) throws IOException {
    assertThat(explain(text, "--update")).as(err).isZero();
    String updated = Files.readString(temporary.getRoot().toPath().resolve("q.sql"));
    assertThat(explain(updated, "--update")).isZero();
    assertThat(Files.readString(temporary.getRoot().toPath().resolve("q.sql")))
        .as("updated again")
        .isEqualTo(updated);
    assertThat(explain(updated)).as("as expected after the update").isZero();
    return updated;
  }

  @Test
  public void updateWritesTheCurrentPlans() throws IOException {
    String now = "-- expect: regions = 1, index = TV, layout = natural, scan = range";
    assertThat(updated("-- why\n" + ONE + " ;\n\n"))
        .isEqualTo("-- why\n" + now + "\n" + ONE + " ;\n\n");
    assertThat(updated("  -- expect: regions = 7 \n  " + ONE)).isEqualTo("  " + now + "\n  " + ONE);
    assertThat(updated("SELECT 1; " + ONE)).isEqualTo("SELECT 1; \n" + now + "\n" + ONE);
    assertThat(updated("\t" + ONE + ";\r\n")).isEqualTo("\t" + now + "\r\n\t" + ONE + ";\r\n");
    assertThat(updated("SELECT V -- expect: scan = full\nFROM T WHERE V = 5 AND K1 = 15"))
        .isEqualTo("SELECT V " + now + "\nFROM T WHERE V = 5 AND K1 = 15");
    assertThat(updated("-- expect: regions = 7\n-- keep\n-- expect: index = none\n" + ONE))
        .isEqualTo(now + "\n-- keep\n" + ONE);
    assertThat(updated("-- expect: regions = 7\nSELECT 1")).isEqualTo("SELECT 1");
    assertThat(updated("SELECT * FROM D; -- a ; b 'é'\n"))
        .isEqualTo(
            "-- expect: regions = 1, index = none, scan = full\nSELECT * FROM D; -- a ; b 'é'\n");
  }

  @Test
  public void updateWritesALineForEachTable() throws IOException {
    String join =
        "SELECT A.V FROM T A JOIN D ON A.K1 = D.K JOIN T B ON A.K1 = B.K1 WHERE A.V = 5 AND B.W = 3"
            + " AND B.K1 = 15";
    assertThat(updated(" -- expect: regions = 1\n " + join).lines())
        .hasSize(3)
        .anyMatch(line -> line.matches(" -- expect: table = T, regions = \\d+, scan = range"))
        .anyMatch(line -> line.startsWith(" -- expect: table = D, regions = 1, index = none"))
        .contains(" " + join);
  }

  @Test
  public void updateKeepsInequalities() throws IOException {
    String rest = ", index = TV, layout = natural, scan = range";
    assertThat(updated("-- expect: regions <= 3\n" + ONE))
        .isEqualTo("-- expect: regions <= 3" + rest + "\n" + ONE);
    assertThat(updated("-- expect: regions <= 3\n" + ALL))
        .isEqualTo("-- expect: regions <= 4" + rest + "\n" + ALL);
    assertThat(updated("-- expect: regions < 3\n" + ALL)).startsWith("-- expect: regions < 5,");
    assertThat(updated("-- expect: regions >= 3\n" + ONE)).startsWith("-- expect: regions >= 1,");
    assertThat(updated("-- expect: regions > 3\n" + ONE)).startsWith("-- expect: regions > 0,");
    assertThat(updated("-- expect: regions >= 2, regions <= 5\n" + ALL))
        .startsWith("-- expect: regions >= 2, regions <= 5,");
    assertThat(updated("/* expect: regions <= 3 */ " + ONE))
        .isEqualTo("/* expect: regions <= 3" + rest + " */ " + ONE);
  }

  @Test
  @Parameters({"T", "t", "\"T\""})
  public void updateKeepsAnInequalityOfTheTable(String table) throws IOException {
    assertThat(updated("-- expect: table = " + table + ", regions <= 3\n" + ONE))
        .isEqualTo("-- expect: regions <= 3, index = TV, layout = natural, scan = range\n" + ONE);
  }

  @Test
  public void updateKeepsInequalitiesOfTheSameScans() throws IOException {
    String rest = ", index = TV, layout = natural, scan = range\n" + ONE;
    assertThat(updated("-- expect: table = D, regions <= 3\n" + ONE))
        .isEqualTo("-- expect: regions = 1" + rest);
    assertThat(updated("-- expect: regions <= 3, index = TV\nSELECT 1"))
        .isEqualTo("-- expect: regions <= 3\nSELECT 1");
    assertThat(updated("/*\n * expect: regions <= 3\n */\n" + ONE))
        .startsWith("/* expect: regions <= 3, index = TV,");
  }

  private static final String JOIN =
      "SELECT T.V FROM T JOIN S.U U ON T.K1 = U.K WHERE T.V = 5 AND T.K1 = 15 AND U.K < 9";

  /** The comment that {@code --update} writes for table T of {@link #JOIN}. */
  private static final String OF_T =
      "-- expect: table = T, regions = 1, index = TV, layout = natural, scan = range\n";

  private static final String OF_U =
      "-- expect: table = S.U, regions = 1, index = none, scan = range\n";

  @Test
  @Parameters({"U", "u", "S.U", "s.u", "\"S\".U"})
  public void updateKeepsAnInequalityOfATableOfAJoin(String table) throws IOException {
    assertThat(updated("-- expect: table = " + table + ", regions <= 3\n" + JOIN))
        .isEqualTo(OF_T + OF_U.replace("regions = 1", "regions <= 3") + JOIN);
  }

  @Test
  public void updateKeepsInequalitiesOfAJoin() throws IOException {
    assertThat(updated(JOIN)).isEqualTo(OF_T + OF_U + JOIN);
    assertThat(updated("-- expect: regions <= 50\n" + JOIN))
        .isEqualTo(OF_T + OF_U + "-- expect: regions <= 50\n" + JOIN);
    assertThat(updated("-- expect: regions < 2, index = TV\n" + JOIN))
        .isEqualTo(OF_T + OF_U + "-- expect: regions < 3\n" + JOIN);
    assertThat(
            updated("-- expect: regions <= 50\n-- expect: table = T, regions >= 1\n" + OF_T + JOIN))
        .isEqualTo(
            OF_T.replace("regions = 1", "regions >= 1")
                + OF_U
                + "-- expect: regions <= 50\n"
                + JOIN);
  }

  @Test
  public void updateListsItsChanges() throws IOException {
    String text = "-- expect: regions = 7\n" + ALL + ";\n" + ONE;
    String change =
        """
        q.sql:2:1: changed
          - expect: regions = 7
          + expect: regions = 4, index = TV, layout = natural, scan = range

        q.sql:3:1: changed
          + expect: regions = 1, index = TV, layout = natural, scan = range
        """;
    assertThat(explain(text, "--update", "--dry-run")).isEqualTo(1);
    assertThat(out)
        .contains("not as expected: regions = 7")
        .containsIgnoringNewLines(change.replace("changed", "would change"));
    assertThat(Files.readString(temporary.getRoot().toPath().resolve("q.sql"))).isEqualTo(text);
    assertThat(explain(text, "--update", "--dry-run", "--json")).isEqualTo(1);
    assertThat(new ObjectMapper().readTree(out).at("/changes/0").toString())
        .isEqualTo(
            "{\"file\":\"q.sql\",\"line\":2,\"column\":1,\"written\":false,\"before\":[\"regions ="
                + " 7\"],\"after\":[\"regions = 4, index = TV, layout = natural, scan = range\"]}");
    assertThat(explain(text, "--update")).isZero();
    assertThat(out).containsIgnoringNewLines(change);
    String updated = Files.readString(temporary.getRoot().toPath().resolve("q.sql"));
    assertThat(explain(updated, "--update")).isZero();
    assertThat(out).doesNotContain("changed");
    assertThat(explain(updated, "--dry-run")).isEqualTo(2);
    assertThat(err)
        .isEqualTo(
            "pruning explain: --dry-run is given without --update. Expected both: add --update, or"
                + " leave --dry-run out\n");
  }

  @Test
  public void updateNamesTheFileThatCannotBeWritten() throws IOException {
    // The temporary file in the same folder would need a longer name, which is not possible.
    Path file = write("q".repeat(250) + ".sql", ONE);
    assertThat(run("--ddl", schema, "--update", file)).isEqualTo(2);
    assertThat(err.lines())
        .singleElement()
        .asString()
        .startsWith("pruning explain: " + temporary.getRoot())
        .endsWith(": File name too long). --update needs a writable file in a writable folder")
        .hasSize(300);
    assertThat(Files.readString(file)).isEqualTo(ONE);
  }

  @Test
  public void updateLeavesStatementsWithProblemsUnchanged() throws IOException {
    String bad = "-- expect: regons = 1\n" + ALL + ";\n-- expect: regions = 3\nSELEC 1;\n";
    assertThat(explain(bad + ONE, "--update")).isEqualTo(2);
    assertThat(Files.readString(temporary.getRoot().toPath().resolve("q.sql")))
        .startsWith(bad + "-- expect: regions = 1,")
        .endsWith(ONE);
  }

  private static List<String> misspelledComments() {
    return List.of(
        "-- expects: regions <= 3\n" + ALL + ";\n",
        "-- expect region <= 3\n" + ALL + ";\n",
        ALL + "; -- expects: regions <= 3\n",
        ALL + "; -- expect: regions <= 3\n",
        "/*\n * All.\n * expect: regions <= 3\n */\n" + ALL + ";\n");
  }

  @Test
  @Parameters(method = "misspelledComments")
  public void updateWritesNothingNextToAMisspelledComment(String bad) throws IOException {
    assertThat(explain(bad + ONE, "--update", "--dry-run")).isEqualTo(2);
    assertThat(out).containsOnlyOnce("would change");
    assertThat(explain(bad + ONE, "--update")).isEqualTo(2);
    assertThat(err.lines()).hasSize(1);
    assertThat(Files.readString(temporary.getRoot().toPath().resolve("q.sql")))
        .startsWith(bad + "-- expect: regions = 1,")
        .endsWith(ONE);
  }

  @Test
  public void aProblemHasItsPositionAfterTheUpdate() throws IOException {
    assertThat(explain(ONE + ";\n-- expects: regions <= 3\n" + ALL, "--update")).isEqualTo(2);
    assertThat(err)
        .as("counts the line that was written before it")
        .startsWith("pruning explain: q.sql:3:1: this comment begins with 'expects:'");
  }

  @Test
  public void updateKeepsLinksAndPermissionsAndLeavesNoTemporaryFile() throws IOException {
    Path file = write("real.sql", ONE);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    Path link = Files.createSymbolicLink(temporary.getRoot().toPath().resolve("link.sql"), file);
    assertThat(run("--ddl", schema, "--update", link)).isZero();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(file)).startsWith("-- expect: ");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-rw-r--");
    assertThat(temporary.getRoot().list())
        .containsExactlyInAnyOrder("schema.sql", "real.sql", "link.sql");
  }
}
