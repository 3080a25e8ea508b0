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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.openjdk.jmh.util.ListStatistics;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

public class ReportTest {

  private static final View LATENCY =
      View.of("Latency", "latency", "way", "layout", "regions")
          .comparedWith("stock")
          .linesBy("regions");

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private final List<Result> results = new ArrayList<>();

  private void add(String layout, String regions, String way, double... millis) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put("layout", layout);
    at.put("regions", regions);
    at.put("way", way);
    results.add(new Result(at, "latency", "ms", Summary.of(new ListStatistics(millis))));
  }

  private void addAll() {
    add("natural", "100", "stock", 8, 10, 12);
    add("natural", "100", "exact", 2.5);
    add("natural", "5000", "stock", 400);
    add("natural", "5000", "exact", 2);
    add("rearranged", "100", "exact", 3);
  }

  private static RunDescription run() {
    return RunDescription.of("fanout", Map.of("rounds", "3"), 17, "Tested 1.0");
  }

  @Test
  public void tablesCompareColumnsSideBySide() {
    addAll();
    assertThat(new Pivot(LATENCY, results).markdown())
        .isEqualTo(
            """
            **Latency, ms**

            | layout | regions | stock | exact |
            |---|---|---:|---:|
            | natural | 100 | 10 (8 to 12) | 2.5, × 0.25 |
            | natural | 5000 | 400 | 2, × 0.005 |
            | rearranged | 100 |  | 3 |

            """);
  }

  @Test
  public void tablesShowIntervals() {
    add("natural", "100", "exact", 1.5);
    for (String bound : new String[] {"from", "to"}) {
      Result ratio = results.get(0);
      Summary value = Summary.of(bound.equals("from") ? 1.25 : 2);
      results.add(new Result(ratio.at(), bound, "", value));
    }
    View ratios = View.of("Ratio", "latency", "way", "layout").within("from", "to");
    assertThat(new Pivot(ratios, results).markdown()).contains("| natural | 1.5 (1.25 to 2) |");
  }

  @Test
  public void tablesShowTheRequestedFigure() {
    addAll();
    assertThat(new Pivot(LATENCY.with(View.Figure.P99), results).markdown())
        .isEqualTo(
            """
            **Latency, 99th percentile, ms**

            | layout | regions | stock | exact |
            |---|---|---:|---:|
            | natural | 100 | 12 | 2.5, × 0.208 |
            | natural | 5000 | 400 | 2, × 0.005 |
            | rearranged | 100 |  | 3 |

            """);
    assertThat(new Pivot(View.of("RPCs", "rpcs", "way", "regions"), results).markdown()).isEmpty();
  }

  @Test
  public void writesThePageTheTablesAndTheResults() throws Exception {
    addAll();
    Path folder = temporary.getRoot().toPath();
    View bars = View.of("Latency in bars", "latency", "way", "regions", "layout");
    new Report(run(), List.of(LATENCY, bars, View.of("RPCs", "rpcs", "way", "regions")), results)
        .write(folder);

    assertThat(Files.readString(folder.resolve("report.md")))
        .contains("| natural | 5000 | 400 | 2, × 0.005 |")
        .doesNotContain("RPCs")
        .contains("`fanout`, seed 17, ")
        .containsPattern(
            "rounds 3\\. product Tested 1\\.0,( commit [0-9a-f]{12}(, changed)?,)? HBase 2\\.6")
        .contains("cores ");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
    assertThat(json.at("/run/seed").asLong()).isEqualTo(17);
    assertThat(json.at("/results").size()).isEqualTo(5);
    assertThat(json.at("/results/0/at/way").asText()).isEqualTo("stock");
    assertThat(json.at("/results/0/summary/median").asDouble()).isEqualTo(10);

    Document page =
        DocumentBuilderFactory.newDefaultNSInstance()
            .newDocumentBuilder()
            .parse(
                new InputSource(new StringReader(Files.readString(folder.resolve("report.html")))));
    // Line charts for two layouts, one of which has a single point, and bar charts for two sizes.
    assertThat(page.getElementsByTagNameNS("*", "svg").getLength()).isEqualTo(4);
    assertThat(page.getElementsByTagNameNS("*", "tr").getLength()).isEqualTo(2 * (1 + 3));
    assertThat(page.getElementsByTagNameNS("*", "svg").item(0).getTextContent())
        .contains("Latency, ms: natural", "stock", "exact", "100", "1,000");
  }

  @Test
  public void descriptionsAreReadAsTheyWereWritten() throws Exception {
    Path file = temporary.getRoot().toPath().resolve("run.json");
    RunDescription run = run();
    run.write(file);
    assertThat(RunDescription.read(file)).isEqualTo(run);
  }
}
