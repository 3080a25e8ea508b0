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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ExpectationParserTest {

  private static Expectation parse(String text) throws Exception {
    return ExpectationParser.parse(new SqlComment(text, new Position(7, 11), 0));
  }

  private static void assertRefused(String text, String position, String message) {
    assertThatThrownBy(() -> parse(text))
        .as(text)
        .isInstanceOfSatisfying(
            ExpectationParser.Malformed.class,
            malformed -> assertThat(malformed.position()).hasToString(position))
        .hasMessage(message);
  }

  @Test
  public void conditionsAreSeparatedByCommas() throws Exception {
    assertThat(parse(" regions <= 3, index = I2, scan = range"))
        .hasToString("regions <= 3, index = I2, scan = range");
    assertThat(parse("Regions=3,LAYOUT=Natural,Table=s.\"a,b\""))
        .hasToString("table = s.\"a,b\", regions = 3, layout = Natural");
    assertThat(parse("index = none")).hasToString("index = none");
  }

  @Test
  @Parameters({"=", "<", "<=", ">", ">="})
  public void regionsAreCompared(String comparison) throws Exception {
    assertThat(parse("regions " + comparison + " 3").conditions())
        .singleElement()
        .hasToString("regions " + comparison + " 3");
  }

  @Test
  public void otherPropertiesAreRefused() {
    assertRefused(
        " regions = 3, indx = I",
        "7:25",
        "'indx' is not a property of a plan. Expected one of: table, regions, index, layout, scan");
    assertRefused(
        "",
        "7:11",
        "'' is not a property of a plan. Expected one of: table, regions, index, layout, scan");
    assertRefused(
        "regions = 3,",
        "7:23",
        "'' is not a property of a plan. Expected one of: table, regions, index, layout, scan");
  }

  @Test
  public void otherComparisonsAreRefused() {
    assertRefused(
        "regions => 3", "7:19", "regions is compared by '=>'. Expected one of: =, <, <=, >, >=");
    assertRefused("index != I", "7:17", "index is compared by '!='. Expected one of: =");
    assertRefused("scan < full", "7:16", "scan is compared by '<'. Expected one of: =");
    assertRefused("layout", "7:17", "layout is compared by ''. Expected one of: =");
  }

  @Test
  public void otherValuesAreRefused() {
    assertRefused(
        "regions = many", "7:21", "regions has the value 'many'. Expected a number of regions");
    assertRefused(
        "regions = -1", "7:21", "regions has the value '-1'. Expected a number of regions");
    assertRefused(
        "regions = 99999999999",
        "7:21",
        "regions has the value '99999999999'. Expected a number of regions");
    assertRefused(
        "scan = quick",
        "7:18",
        "scan has the value 'quick'. Expected one of: point, range, skip, loose, full, none");
    assertRefused(
        "layout = sorted",
        "7:20",
        "layout has the value 'sorted'. Expected one of: natural, rearranged");
    assertRefused(
        "index = ", "7:18", "index has the value ''. Expected the name of a table or an index");
    assertRefused(
        "index = a b",
        "7:19",
        "index has the value 'a b'. Expected the name of a table or an index");
    assertRefused(
        "table = T, table = U",
        "7:22",
        "the expectation names two tables. Write one expectation for each table");
  }
}
