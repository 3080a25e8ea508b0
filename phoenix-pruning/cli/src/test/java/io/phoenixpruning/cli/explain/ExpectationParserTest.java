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

import org.junit.Test;

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
    for (String comparison : new String[] {"=", "<", "<=", ">", ">="}) {
      assertThat(parse("regions " + comparison + " 3").conditions())
          .singleElement()
          .hasToString("regions " + comparison + " 3");
    }
    assertThat(parse("index = none")).hasToString("index = none");
  }

  @Test
  public void otherPropertiesAreRefused() {
    assertRefused(
        " regions = 3, indx = I",
        "7:25",
        "expects something of 'indx', which has to be one of: table, regions, index, layout, scan:"
            + " mend it");
    assertRefused(
        "",
        "7:11",
        "expects something of '', which has to be one of: table, regions, index, layout, scan: mend"
            + " it");
    assertRefused(
        "regions = 3,",
        "7:23",
        "expects something of '', which has to be one of: table, regions, index, layout, scan: mend"
            + " it");
  }

  @Test
  public void otherComparisonsAreRefused() {
    assertRefused(
        "regions => 3",
        "7:19",
        "compares regions by '=>', which has to be one of: =, <, <=, >, >=: mend it");
    assertRefused(
        "index != I", "7:17", "compares index by '!=', which has to be one of: =: mend it");
    assertRefused(
        "scan < full", "7:16", "compares scan by '<', which has to be one of: =: mend it");
    assertRefused("layout", "7:17", "compares layout by '', which has to be one of: =: mend it");
  }

  @Test
  public void otherValuesAreRefused() {
    assertRefused(
        "regions = many",
        "7:21",
        "expects regions to be 'many', which has to be a number of regions: mend it");
    assertRefused(
        "regions = -1",
        "7:21",
        "expects regions to be '-1', which has to be a number of regions: mend it");
    assertRefused(
        "regions = 99999999999",
        "7:21",
        "expects regions to be '99999999999', which has to be a number of regions: mend it");
    assertRefused(
        "scan = quick",
        "7:18",
        "expects scan to be 'quick', which has to be one of: point, range, skip, loose, full, none: mend it");
    assertRefused(
        "layout = sorted",
        "7:20",
        "expects layout to be 'sorted', which has to be one of: natural, rearranged: mend it");
    assertRefused(
        "index = ",
        "7:18",
        "expects index to be '', which has to be the name of a table or an index: mend it");
    assertRefused(
        "index = a b",
        "7:19",
        "expects index to be 'a b', which has to be the name of a table or an index: mend it");
    assertRefused(
        "table = T, table = U", "7:22", "two tables in one expectation: write one for each");
  }
}
