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
package io.phoenixpruning.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests where the statements of a file begin and end, and which comments belong to them. */
@RunWith(JUnitParamsRunner.class)
public class SqlScriptTest {

  private static SqlScript parse(String text) {
    return SqlScript.parse(Path.of("q.sql"), text);
  }

  private static List<String> statements(String text) {
    return parse(text).statements().stream().map(SqlStatement::sql).toList();
  }

  private static SqlStatement statement(String text) {
    List<SqlStatement> statements = parse(text).statements();
    assertThat(statements).hasSize(1);
    return statements.get(0);
  }

  private static List<String> expected(SqlStatement statement) {
    return statement.comments(SqlComment.Kind.EXPECT).stream().map(SqlComment::text).toList();
  }

  private static List<String> problems(SqlScript script) {
    return script.problems().stream().map(Problem::toString).toList();
  }

  @Test
  public void semicolonsEndStatements() {
    assertThat(statements("SELECT 1;SELECT 2 ;\n\n SELECT 3"))
        .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
    assertThat(statements("")).isEmpty();
    assertThat(statements(" ;\n;; -- nothing")).isEmpty();
  }

  @Test
  public void semicolonsInQuotesAndCommentsEndNothing() {
    assertThat(statements("SELECT 'a;''b', \"c;d\" FROM T; SELECT 2"))
        .containsExactly("SELECT 'a;''b', \"c;d\" FROM T", "SELECT 2");
    assertThat(statements("SELECT /*+ INDEX(T I) */ 1 -- a;\n + /* ; \n ' */ 2 // ;'\n;SELECT 3"))
        .containsExactly("SELECT /*+ INDEX(T I) */ 1 -- a;\n + /* ; \n ' */ 2", "SELECT 3");
  }

  @Test
  public void statementsKnowWhereTheyBegin() {
    List<SqlStatement> statements =
        parse("-- first\n  SELECT 1; SELECT\n2;\r\n\tSELECT 3").statements();
    assertThat(statements)
        .extracting(statement -> statement.position().toString())
        .containsExactly("2:3", "2:13", "4:2");
    assertThat(statements.get(1).title()).isEqualTo("SELECT");
    assertThat(statements.get(1).position().inFile(new Position(1, 1))).hasToString("2:13");
    assertThat(statements.get(1).position().inFile(new Position(2, 1))).hasToString("3:1");
  }

  @Test
  public void aTitleIsCut() {
    String title = statement("SELECT " + "x".repeat(200)).title();
    assertThat(title).hasSize(100).endsWith("x...");
  }

  @Test
  public void commentsBeforeAndInAStatementBelongToIt() {
    SqlStatement statement =
        statement(
            "-- expect: a\n// EXPECT : b\n/* expect: block */\nSELECT 1 -- expect: c\r\n+ 1\n--expect:d\n;");
    assertThat(expected(statement)).containsExactly(" a", " b", " block ", " c", "d");
    SqlComment fourth = statement.comments(SqlComment.Kind.EXPECT).get(3);
    assertThat(fourth.position()).hasToString("4:20");
    assertThat(statement("-- bind: 1, 'x'\nSELECT ?").comments(SqlComment.Kind.BIND))
        .extracting(SqlComment::text)
        .containsExactly(" 1, 'x'");
    assertThat(expected(statement("-- I expect: b\nSELECT 1"))).isEmpty();
  }

  @Test
  public void commentsOfTheNextStatementAreNotThoseOfTheLast() {
    List<SqlStatement> statements =
        parse("-- expect: a\nSELECT 1;\n-- expect: b\nSELECT 2;").statements();
    assertThat(expected(statements.get(0))).containsExactly(" a");
    assertThat(expected(statements.get(1))).containsExactly(" b");
  }

  @Test
  public void aCommentAfterAStatementBelongsToNone() {
    SqlScript script = parse("SELECT 1; -- expect: a\nSELECT 2; -- why\n-- expect: b");
    assertThat(problems(script))
        .containsExactly(
            "q.sql:1:11: this comment belongs to no statement. Expected it before a statement or"
                + " inside one. Move it",
            "q.sql:3:1: this comment belongs to no statement. Expected it before a statement or"
                + " inside one. Move it");
    assertThat(script.statements()).allMatch(statement -> expected(statement).isEmpty());
  }

  @Test
  public void positionsInABlockAreThoseOfTheFile() {
    SqlStatement statement = statement("  /* expect: a,\n   b */ SELECT 1");
    SqlComment content = statement.comments(SqlComment.Kind.EXPECT).get(0);
    assertThat(content.at(content.text().indexOf('a'))).hasToString("1:14");
    assertThat(content.at(content.text().indexOf('b'))).hasToString("2:4");
  }

  private static List<String> misspelledComments() {
    return List.of(
        "-- expects: regions = 9",
        "-- Expected: regions = 9",
        "-- exepct: regions = 9",
        "-- expect regions = 9",
        "/* expects: regions = 9 */",
        "/* expect regions <= 9 */",
        "// expect index=I",
        "-- expect region = 9",
        "-- expect regions 9",
        "-- expect regions: 9",
        "-- expect trouble, regions 9",
        "-- expect = regions 9",
        "-- expect index I2",
        "-- expect table S.\"t\"",
        "-- expect index none, regions 9",
        "-- expect scan range",
        "/*\n * expects: regions = 9\n */",
        "/*\n * expect region = 9\n */",
        "-- weights: 20",
        "-- weight 20",
        "-- weight = 20",
        "-- weight=2.5e3",
        "-- weights = 20",
        "-- bind = 25",
        "-- wieght: 20",
        "-- binds: 25",
        "-- bind 25, 'x'");
  }

  @Test
  @Parameters(method = "misspelledComments")
  public void aMisspelledCommentIsAProblem(String comment) {
    assertThat(problems(parse("SELECT\n " + comment + "\n1")))
        .singleElement()
        .asString()
        .startsWith("q.sql:2:2: this comment begins with '");
  }

  @Test
  public void theProblemSaysHowToSpellTheComment() {
    assertThat(problems(parse("-- expects: regions = 9\nSELECT 1")))
        .containsExactly(
            "q.sql:1:1: this comment begins with 'expects:', which no command knows. Expected"
                + " 'expect:'. Write -- expect: regions <= 3, index = I2, or begin the comment with"
                + " another word");
  }

  private static List<String> beginningsOfBlocks() {
    return List.of("/*\n * ", "/**\n\t*", "/**\r\n *\r\n * ", "/*\n   ");
  }

  @Test
  @Parameters(method = "beginningsOfBlocks")
  public void blocksMayLookLikeJavadoc(String begin) {
    assertThat(expected(statement(begin + "expect: a\n */\nSELECT 1")))
        .singleElement()
        .asString()
        .isEqualToIgnoringWhitespace("a");
  }

  @Test
  public void positionsInABlockThatLooksLikeJavadocAreThoseOfTheFile() {
    SqlComment content =
        statement("/*\n * expect: a,\n *   b\n */\nSELECT 1")
            .comments(SqlComment.Kind.EXPECT)
            .get(0);
    assertThat(content.text()).isEqualTo(" a,\n     b\n ");
    assertThat(content.at(content.text().indexOf('a'))).hasToString("2:12");
    assertThat(content.at(content.text().indexOf('b'))).hasToString("3:6");
  }

  private static List<String> blocksWithACommandOnALaterLine() {
    return List.of(
        "/* 1st\nexpect: regions = 1 */",
        "/*\r\n * weight: 10\r\n * expect: regions = 1\r\n */",
        "/** Open orders.\n * Weight : 10 */",
        "/*\n * Open\n * orders:\n * bind: 'x'\n **/");
  }

  @Test
  @Parameters(method = "blocksWithACommandOnALaterLine")
  public void aLaterLineOfABlockForACommandIsAProblem(String comment) {
    assertThat(problems(parse(comment + "\nSELECT 1")))
        .singleElement()
        .asString()
        .startsWith("q.sql:1:1: this comment has '");
  }

  @Test
  public void theProblemSaysThatNoCommandReadsALaterLine() {
    assertThat(problems(parse("/*\n * Open orders.\n * expect: regions = 1\n */\nSELECT 1")))
        .containsExactly(
            "q.sql:1:1: this comment has 'expect:' on a later line, where no command reads it."
                + " Expected it at the beginning of a comment. Write -- expect: regions <= 3, index"
                + " = I2 in a comment of its own");
  }

  private static List<String> problemsOfTheFirstStatement() {
    return List.of(
        "-- expects: a\nSELECT 1; SELECT 2",
        "SELECT 1 -- expects: a\n; SELECT 2",
        "SELECT 1; -- expects: a\nSELECT 2",
        "SELECT 1; -- expect: a\nSELECT 2",
        "SELECT 1; -- why\n-- expect: a");
  }

  @Test
  @Parameters(method = "problemsOfTheFirstStatement")
  public void aCommentWithAProblemIsOfOneStatement(String text) {
    assertThat(parse(text).statementsWithProblems())
        .extracting(SqlStatement::sql)
        .singleElement()
        .asString()
        .startsWith("SELECT 1");
  }

  @Test
  public void aCommentWithAProblemCanBeOfTheNextStatementOrOfNone() {
    assertThat(parse("SELECT 1;\n-- expects: a\nSELECT 2").statementsWithProblems())
        .extracting(SqlStatement::sql)
        .containsExactly("SELECT 2");
    assertThat(parse("-- expects: a").statementsWithProblems()).isEmpty();
    assertThat(parse("-- expect: a\nSELECT 1").statementsWithProblems()).isEmpty();
  }

  private static List<String> otherComments() {
    return List.of(
        "-- expect trouble here",
        "-- expect the unexpected",
        "-- expect one region",
        "-- expect index lookups",
        "-- expect table scans, and slow ones",
        "-- expect V = 5 to match a row",
        "-- weights are in grams",
        "-- weight = mass of a parcel",
        "-- weight 10 is heavy",
        "/*\n * Parcels:\n * weight: in grams\n */",
        "/*\n * Parcels, of which we\n * expect: nothing\n */",
        "-- the weight of a parcel: 20",
        "-- weight of a parcel",
        "-- bind it to a region",
        "-- accept: nothing here",
        "-- TODO: regions = 9",
        "--",
        "/* regions = 9 */");
  }

  @Test
  @Parameters(method = "otherComments")
  public void otherCommentsAreNoProblem(String comment) {
    assertThat(problems(parse(comment + "\nSELECT 1"))).isEmpty();
  }

  private static List<String> filesWithoutStatements() {
    return List.of("", " \n", ";;", "-- nothing\n");
  }

  @Test
  @Parameters(method = "filesWithoutStatements")
  public void aFileWithoutStatementsIsAProblem(String text) {
    assertThat(problems(parse(text)))
        .containsExactly(
            "q.sql: has no statement. Expected SQL statements, separated by semicolons. Write"
                + " one, or leave the file out");
  }

  @Test
  public void aFlawDoesNotHideLaterStatements() {
    List<SqlStatement> statements = parse("SELECT #1;\nSELECT 2").statements();
    assertThat(statements.get(0).flaw())
        .contains(new SqlStatement.Flaw(new Position(1, 8), "'#' is not valid SQL. Remove it"));
    assertThat(statements.get(1).flaw()).isEmpty();
  }

  @Test
  public void aCommentThatPhoenixTakesForOpenIsAFlaw() {
    assertThat(statement("/**/\nSELECT 1").flaw()).isPresent();
  }

  @Test
  @Parameters({"'abc", "\"abc", "/* abc", "/*+ abc"})
  public void unterminatedTextIsAFlawWhereItBegins(String open) {
    assertThat(statement("SELECT 1,\n " + open + ";\nSELECT 2").flaw())
        .contains(
            new SqlStatement.Flaw(
                new Position(2, 2), "the quote or comment that begins here is not closed"));
  }
}
