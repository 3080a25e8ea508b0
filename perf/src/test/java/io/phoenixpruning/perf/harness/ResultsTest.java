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
package io.phoenixpruning.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.console.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.DoubleHistogram;
import org.assertj.core.data.Offset;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.openjdk.jmh.util.ListStatistics;

public class ResultsTest {

  private static final List<String> DIMENSIONS = List.of("condition", "regions");

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path file;

  @Before
  public void nameFile() {
    file = temporary.getRoot().toPath().resolve("results.csv");
  }

  private static Result result(String condition, String regions, double... values) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put("condition", condition);
    at.put("regions", regions);
    return new Result(at, "latency", "ms", Summary.of(new ListStatistics(values)));
  }

  @Test
  public void summarizeManyValuesToThreeDigits() {
    DoubleHistogram values = Summary.histogram();
    for (int i = 1; i <= 10_000; i++) {
      values.recordValue(i / 100.0);
    }
    Summary summary = Summary.of(values);
    assertThat(summary.count()).isEqualTo(10_000);
    Offset<Double> threeDigits = Offset.offset(0.1);
    assertThat(summary.min()).isEqualTo(0.01, threeDigits);
    assertThat(summary.p5()).isEqualTo(5, threeDigits);
    assertThat(summary.median()).isEqualTo(50, threeDigits);
    assertThat(summary.p95()).isEqualTo(95, threeDigits);
    assertThat(summary.p99()).isEqualTo(99, threeDigits);
    assertThat(summary.p999()).isEqualTo(99.9, threeDigits);
    assertThat(summary.max()).isEqualTo(100, threeDigits);
  }

  @Test
  public void areReadAsTheyWereWritten() throws Exception {
    Results written = Results.open(file, DIMENSIONS);
    assertThat(written.all()).isEmpty();
    written.add(List.of(result("a = 1, b = \"x\"", "100", 1.5, 2.25, 4)));
    written.add(List.of(result("a", "100", 1e-7), result("a", "500", 12345678.9)));

    Results read = Results.open(file, DIMENSIONS);
    assertThat(read.all()).isEqualTo(written.all()).hasSize(3);
    read.add(List.of(result("b", "100", 1)));
    assertThat(Results.open(file, DIMENSIONS).all()).hasSize(4);
    assertThat(file.getParent().toFile().list()).containsExactly("results.csv");
  }

  @Test
  public void knowWhichCasesTheyHave() throws Exception {
    Results results = Results.open(file, DIMENSIONS);
    results.add(List.of(result("a", "100", 1), result("b", "500", 1)));
    assertThat(results.has(Map.of("condition", "a"))).isTrue();
    assertThat(results.has(Map.of("condition", "a", "regions", "100"))).isTrue();
    assertThat(results.has(Map.of("condition", "a", "regions", "500"))).isFalse();
  }

  @Test
  public void refuseFilesOfOtherBenchmarks() throws Exception {
    Results.open(file, List.of("layout"));
    assertThatThrownBy(() -> Results.open(file, DIMENSIONS))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has the columns [layout, measure,")
        .hasMessageContaining("Expected [condition, regions, measure,")
        .hasMessageEndingWith("Choose another folder with --out");
  }

  @Test
  public void refuseLinesThatCannotBeRead() throws Exception {
    Results.open(file, DIMENSIONS).add(List.of(result("a", "100", 1)));
    Files.writeString(file, Files.readString(file).replace("1.0", "one"));
    assertThatThrownBy(() -> Results.open(file, DIMENSIONS))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("line 2 of")
        .hasMessageContaining("\"one\"");
  }

  @Test
  public void summariesHavePercentiles() {
    ListStatistics list = new ListStatistics();
    for (int i = 1; i <= 1000; i++) {
      list.addValue(i);
    }
    Summary ofList = Summary.of(list);
    assertThat(ofList.count()).isEqualTo(1000);
    assertThat(ofList.min()).isEqualTo(1);
    assertThat(ofList.p5()).isBetween(50.0, 51.0);
    assertThat(ofList.median()).isBetween(500.0, 501.0);
    assertThat(ofList.p999()).isBetween(999.0, 1000.0);
    assertThat(ofList.max()).isEqualTo(1000);

    assertThat(Summary.of(7)).isEqualTo(new Summary(1, 7, 7, 7, 7, 7, 7, 7));
    assertThatThrownBy(() -> Summary.of(new ListStatistics()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
