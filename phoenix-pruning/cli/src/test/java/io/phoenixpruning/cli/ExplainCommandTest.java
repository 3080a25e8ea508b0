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
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests the output and the exit codes of {@code pruning explain}. */
@RunWith(JUnitParamsRunner.class)
public class ExplainCommandTest extends ExplainCommandTestBase {

  @Test
  public void aPlanAsExpectedIsExitCode0() throws IOException {
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
}
