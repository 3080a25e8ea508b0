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

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which comments {@code pruning explain --update} writes into files with statements. */
@RunWith(JUnitParamsRunner.class)
public class ExplainUpdateTest extends ExplainCommandTestBase {

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
