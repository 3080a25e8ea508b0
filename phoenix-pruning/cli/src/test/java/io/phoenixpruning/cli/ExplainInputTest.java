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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/**
 * Tests which statements, comments, files and options {@code pruning explain} refuses, and which
 * position its errors name.
 */
public class ExplainInputTest extends ExplainCommandTestBase {

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
}
