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
package org.apache.phoenix.pruning.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.http.prometheus.PrometheusNames;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.HBaseMetrics2HadoopMetricsAdapter;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.Test;

/** Checks that the dashboard queries in the documentation find the metrics of a region server. */
public class DashboardQueriesTest {

  private static final Pattern SERVER_METRIC =
      Pattern.compile("__name__=~\"((?:Hadoop_HBase_|\\.\\*_)[^\"]+)\"");

  /** Registry of a coprocessor's metrics, with the names that HBase uses. */
  private static final MetricRegistryInfo INFO =
      new MetricRegistryInfo(
          "Coprocessor.Region.CP_org.apache.phoenix.ScanRegionObserver",
          "Metrics about HBase Coprocessors",
          "RegionServer,sub=Coprocessor.Region.CP_org.apache.phoenix.ScanRegionObserver",
          "regionserver",
          false);

  /** Returns the metric names as published by the JMX exporter, and by HBase's own page. */
  private static Set<String> published() {
    MetricRegistry registry = MetricRegistries.global().create(INFO);
    registry.counter(ProbeServerMetrics.PROBES).increment();
    registry.counter(ProbeServerMetrics.REJECTED).increment();
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new HBaseMetrics2HadoopMetricsAdapter().snapshotAllMetrics(registry, collector);
    MetricRegistries.global().remove(INFO);
    List<? extends MetricsRecord> records = collector.getRecords();
    Set<String> names = new TreeSet<>();
    for (MetricsRecord record : records) {
      for (AbstractMetric metric : record.metrics()) {
        names.add("Hadoop_HBase_" + metric.name());
        names.add(PrometheusNames.of(record.name(), metric.name()));
      }
    }
    return names;
  }

  @Test
  public void findMetrics() throws Exception {
    List<String> queried =
        SERVER_METRIC
            .matcher(Files.readString(Path.of("..", "..", "docs", "observability.md")))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toList());
    assertThat(queried).hasSize(2);
    Set<String> published = published();
    assertThat(queried)
        .allSatisfy(name -> assertThat(published).anyMatch(metric -> metric.matches(name)));
  }
}
