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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.bench.FanOutModel.Cluster;
import io.phoenixpruning.perf.bench.FanOutModel.Line;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.Test;

public class FanOutModelTest {

  private static final int CORES = 2;
  private static final Offset<Double> LITTLE = within(1e-9);

  /**
   * Returns results in which each way takes 5 ms plus {@link #micros} for each region. Without
   * cached locations, each way takes 10 ms plus 0.5 ms for each region.
   */
  private static List<Result> results(int... regions) {
    List<Result> results = new ArrayList<>();
    for (int number : regions) {
      for (Way way : Way.values()) {
        results.add(result("all regions", "warm", number, way, 5 + number * micros(way) / 1e3));
        results.add(result("point", "cold", number, way, 10 + number / 2.0));
        // A result for another condition, which the model must ignore.
        results.add(result("OR", "warm", number, way, 77));
      }
    }
    return results;
  }

  private static int micros(Way way) {
    return 100 * (way.ordinal() + 1);
  }

  private static Result result(
      String condition, String locations, int regions, Way way, double millis) {
    return new Result(
        Map.of(
            "layout",
            "natural",
            "condition",
            condition,
            "locations",
            locations,
            "regions",
            Integer.toString(regions),
            "way",
            way.title()),
        "latency",
        "ms",
        Summary.of(millis));
  }

  @Test
  public void fitsLines() {
    FanOutModel model = new FanOutModel(results(100, 500, 2_000), CORES);
    for (Way way : Way.values()) {
      Line line = model.warmFanOutLine(way);
      assertThat(line.fixedMillis()).as("%s", way).isCloseTo(5, LITTLE);
      assertThat(line.microsOfRegion()).as("%s", way).isCloseTo(micros(way), LITTLE);
      assertThat(line.determination()).as("%s", way).isCloseTo(1, LITTLE);
    }
  }

  @Test
  public void needsThreeNumbersOfRegions() {
    FanOutModel model = new FanOutModel(results(100, 500), CORES);
    assertThatThrownBy(() -> model.warmFanOutLine(Way.EXACT))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("for exact in the natural layout: 2. Expected at least 3");
  }

  @Test
  public void countsRequests() {
    Cluster cluster = new Cluster(100, 100_000, 0, 16, 8);
    assertThat(FanOutModel.rpcs(Way.STOCK, cluster, 500)).isEqualTo(100_000);
    assertThat(FanOutModel.rpcs(Way.PROBE, cluster, 500)).isEqualTo(200);
    assertThat(FanOutModel.rpcs(Way.PROBE, new Cluster(100, 100_001, 0, 16, 8), 500))
        .isEqualTo(300);
  }

  /**
   * Tests each part of the model. 100 µs on two cores are 200 µs of work, half of it by the client.
   */
  @Test
  public void takesTheTimeOfTheSlowestPart() {
    FanOutModel model = new FanOutModel(results(100, 500, 2_000), CORES);
    // The client: 100,000 times 100 µs on one core.
    assertThat(model.millis(Way.NONE, new Cluster(100, 100_000, 0, 16, 1), 500))
        .isCloseTo(5 + 10_000, LITTLE);
    // The servers: all of their work on one core of one server.
    assertThat(model.millis(Way.NONE, new Cluster(1, 100_000, 0, 1, 1_000), 500))
        .isCloseTo(5 + 10_000, LITTLE);
    // The network: 64 scans at a time; each takes a round trip and its work.
    assertThat(model.millis(Way.NONE, new Cluster(100, 64_000, 1, 1_000, 1_000), 500))
        .isCloseTo(5 + 1_000 * (1 + 0.1), LITTLE);
  }

  @Test
  public void looksUpAllRegionsOfAColdStockClientOneAfterTheOther() {
    FanOutModel model = new FanOutModel(results(100, 500, 2_000), CORES);
    Cluster cluster = new Cluster(100, 100_000, 1, 16, 8);
    assertThat(model.coldPointMillis(Way.STOCK, cluster, 500))
        .isCloseTo(10 + 50_000 + 200_000, LITTLE);
    assertThat(model.coldPointMillis(Way.EXACT, cluster, 500)).isCloseTo(10 + 2, LITTLE);
    assertThat(model.coldPointMillis(Way.NONE, cluster, 500))
        .isCloseTo(model.millis(Way.NONE, cluster, 500) + 1_000, LITTLE);
  }
}
