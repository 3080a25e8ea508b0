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
package io.phoenixpruning.conformance;

import static io.phoenixpruning.conformance.TestReports.Outcome.FAILED;
import static io.phoenixpruning.conformance.TestReports.Outcome.PASSED;
import static io.phoenixpruning.conformance.TestReports.Outcome.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CompareReportsTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  @Test
  public void readsOutcomes() throws IOException {
    TestReports reports =
        reports(
            "<testcase name='passes' classname='a.X'><system-out>failure</system-out></testcase>"
                + "<testcase name='fails[k=1]' classname='a.X'><failure/></testcase>"
                + "<testcase name='' classname='a.X'><error/></testcase>"
                + "<testcase name='waits' classname='a.X'><skipped/></testcase>");

    assertThat(reports.classes()).containsExactly("a.X");
    assertThat(reports.outcomes())
        .containsOnly(
            Map.entry("a.X#passes", PASSED),
            Map.entry("a.X#fails[k=1]", FAILED),
            Map.entry("a.X#", FAILED),
            Map.entry("a.X#waits", SKIPPED));
  }

  @Test
  public void refusesFolderWithoutReports() {
    assertThatThrownBy(() -> TestReports.read(temporary.getRoot().toPath()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no reports");
  }

  @Test
  public void namesTestsThatDiffer() throws IOException {
    CompareReports comparison =
        new CompareReports(
            reports(
                "<testcase name='same' classname='a.X'/>"
                    + "<testcase name='worse' classname='a.X'><failure/></testcase>"
                    + "<testcase name='new' classname='a.X'><failure/></testcase>"
                    + "<testcase name='better' classname='a.X'/>"),
            reports(
                "<testcase name='same' classname='a.X'/>"
                    + "<testcase name='worse' classname='a.X'/>"
                    + "<testcase name='better' classname='a.X'><error/></testcase>"));

    assertThat(comparison.tests(FAILED, PASSED)).containsExactly("a.X#worse");
    assertThat(comparison.tests(PASSED, FAILED)).containsExactly("a.X#better");
    assertThat(comparison.tests(FAILED, null)).containsExactly("a.X#new");
    assertThat(comparison.tests(FAILED, FAILED)).isEmpty();
  }

  @Test
  public void knowsFailuresWithAndWithoutParameters() throws IOException {
    Path file = temporary.newFile().toPath();
    Files.writeString(
        file, "# why\nPLAN a.X#plans\nEXPLAIN a.X#explains\n\nSTOCK a.X#waits[k=1]\n");
    KnownFailures known = KnownFailures.read(file);

    assertThat(known.mustFail("a.X#plans[k=2]", false)).isTrue();
    assertThat(known.mustFail("a.X#explains[k=2]", true)).isTrue();
    assertThat(known.mayFail("a.X#explains[k=2]", false)).isFalse();
    assertThat(known.mayFail("a.X#waits[k=1]", false)).isTrue();
    assertThat(known.mustFail("a.X#waits[k=1]", false)).isFalse();
    assertThat(known.mayFail("a.X#waits[k=2]", false)).isFalse();
  }

  private TestReports reports(String testcases) throws IOException {
    Path folder = temporary.newFolder().toPath();
    Files.writeString(
        folder.resolve("TEST-a.X.xml"), "<testsuite name='a.X'>" + testcases + "</testsuite>");
    return TestReports.read(folder);
  }
}
