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
package org.apache.phoenix.pruning.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.phoenix.monitoring.GlobalClientMetrics;
import org.junit.Test;

public class PruningMetricTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|");

  @Test
  public void areDocumentedInTheirOrder() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "observability.md"));
    List<String> documented =
        ROW.matcher(page).results().map(row -> row.group(1)).collect(Collectors.toList());
    assertThat(documented)
        .isEqualTo(
            Arrays.stream(PruningMetric.values()).map(Enum::name).collect(Collectors.toList()));
  }

  @Test
  public void addUpAndAreReset() {
    PruningCounts one = new PruningCounts();
    PruningCounts other = new PruningCounts();
    one.add(PruningMetric.PROBES_SENT, 2);
    other.add(PruningMetric.PROBES_SENT, 3);
    other.addAll(one);
    assertThat(other.snapshot())
        .containsEntry(PruningMetric.PROBES_SENT, 5L)
        .containsEntry(PruningMetric.REGIONS_PLANNED, 0L);
    other.reset();
    assertThat(other.value(PruningMetric.PROBES_SENT)).isZero();
    assertThat(one.value(PruningMetric.PROBES_SENT)).isEqualTo(2);
  }

  @Test
  public void arePublishedWithThoseOfPhoenix() {
    assertThat(GlobalClientMetrics.isMetricsEnabled()).isTrue();
    PruningCounts all = ClientPruningMetrics.global();
    long before = all.value(PruningMetric.PROBES_SENT);
    all.add(PruningMetric.PROBES_SENT, 1);
    MetricRegistry ofPhoenix =
        MetricRegistries.global().getMetricRegistries().stream()
            .filter(
                registry ->
                    registry
                        .getMetricRegistryInfo()
                        .getMetricsContext()
                        .equals("Phoenix,sub=CLIENT"))
            .findAny()
            .orElseThrow();
    assertThat(ofPhoenix.getMetrics())
        .containsKey(GlobalClientMetrics.GLOBAL_NUM_PARALLEL_SCANS.getMetricType().columnName());
    Gauge<?> published = (Gauge<?>) ofPhoenix.getMetrics().get(PruningMetric.PROBES_SENT.name());
    assertThat(published.getValue()).isEqualTo(before + 1);
  }
}
