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
package io.phoenixpruning.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.Test;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

public class DemoReportTest {

  private static final DemoQuery QUERY =
      new DemoQuery("range", "V", "FROM LINEITEM WHERE V = 1 ORDER BY V", "I", true);

  private static Measurement runs(Run run) {
    return new Measurement(List.of(run));
  }

  private static Measurement right(int regions, long rpcs) {
    return runs(new Run(7, true, regions, rpcs, 1_500_000, Optional.empty()));
  }

  private static DemoReport report(Measurement none, Measurement stock, Measurement exact) {
    return new DemoReport(
        List.of(
            new QueryReport(
                QUERY,
                7,
                Map.of(
                    PruningMode.NONE, none, PruningMode.STOCK, stock, PruningMode.EXACT, exact))));
  }

  @Test
  public void everyModeIsALineUnderTheQuery() {
    DemoReport report = report(right(200, 400), right(4, 9), right(3, 3));

    assertThat(report.table(Help.defaultColorScheme(Ansi.OFF)).lines().map(String::stripTrailing))
        .containsExactly(
            "  Mode        Rows  Regions     RPCs      Median",
            "range: V = 1",
            "  none           7      200      400      1.5 ms",
            "  stock          7        4        9      1.5 ms",
            "  exact          7        3        3      1.5 ms");
    assertThat(report.isExactCorrect()).isTrue();
  }

  @Test
  public void wrongRowsAreMarkedInRed() {
    Measurement wrong = runs(new Run(9, false, 4, 30, 1_500_000, Optional.empty()));
    DemoReport report = report(right(200, 400), wrong, right(3, 3));

    assertThat(report.table(Help.defaultColorScheme(Ansi.ON)).lines().toList().get(3))
        .contains("\u001b[1m\u001b[31mWRONG: the table has 7 rows");
    assertThat(report.table(Help.defaultColorScheme(Ansi.OFF)).lines().toList().get(3))
        .startsWith(
            "  stock          9        4       30      1.5 ms    WRONG: the table has 7 rows");
  }

  @Test
  public void theSameNumberOfRowsCanBeWrong() {
    Measurement wrong = runs(new Run(7, false, 4, 30, 1_500_000, Optional.empty()));

    assertThat(report(right(200, 400), wrong, right(3, 3)).table(Help.defaultColorScheme(Ansi.OFF)))
        .contains("WRONG: the table has other rows");
  }

  @Test
  public void aFailureIsCutToTheLine() {
    String message = "Task java.util.concurrent.FutureTask\nrejected from " + "x".repeat(200);
    Measurement failed = runs(new Run(0, false, 0, 0, 1, Optional.of(message)));

    assertThat(
            report(right(200, 400), failed, right(3, 3))
                .table(Help.defaultColorScheme(Ansi.OFF))
                .lines())
        .hasSize(5)
        .allMatch(line -> line.length() <= 100)
        .anyMatch(line -> line.contains("FAILED: Task java.util.concurrent.FutureTask..."));
  }

  @Test
  public void theSummaryIsComputedFromTheFigures() {
    Measurement wrong = runs(new Run(9, false, 4, 30, 1, Optional.empty()));

    assertThat(report(right(200, 1_200), wrong, right(3, 3)).summary())
        .isEqualTo(
            "Exact pruning answered the 1 query with 3 scan RPCs and was always right. Mode"
                + " stock sent 30 (10.0 times as many) and returned wrong rows for 1. Without"
                + " pruning, Phoenix sent 1,200 (400.0 times as many).");
  }

  @Test
  public void failuresAreNoWrongRows() {
    Run failed = new Run(0, false, 0, 0, 1, Optional.of("Task rejected"));
    Run wrong = new Run(9, false, 4, 30, 1, Optional.empty());

    assertThat(report(right(200, 1_200), runs(failed), right(3, 3)).summary())
        .contains("Mode stock sent 0 (0.0 times as many) and failed for 1. Without");
    assertThat(
            report(right(200, 1_200), new Measurement(List.of(failed, wrong)), right(3, 3))
                .summary())
        .contains(" and returned wrong rows for 1 and failed for 1. Without");
    assertThat(report(right(200, 400), right(4, 9), runs(failed)).isExactCorrect()).isFalse();
  }

  @Test
  public void exactPruningCanBeReportedAsWrong() {
    Measurement wrong = runs(new Run(6, false, 3, 3, 1, Optional.empty()));
    DemoReport report = report(right(200, 400), right(4, 9), wrong);

    assertThat(report.isExactCorrect()).isFalse();
    assertThat(report.summary())
        .startsWith(
            "Exact pruning answered the 1 query with 3 scan RPCs and returned wrong rows for 1.");
  }
}
