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

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.phoenix.monitoring.GlobalClientMetrics;
import org.apache.phoenix.monitoring.GlobalMetricRegistriesAdapter;

/**
 * Metrics of a client: the counts of all its statements, and of a single statement.
 *
 * <p>The counts of all statements are gauges among Phoenix's own metrics. They are in the JMX bean
 * {@code Hadoop:service=Phoenix,name=phoenix} and in the sinks of Hadoop's metrics, unless
 * Phoenix's global metrics are switched off.
 */
public final class ClientPruningMetrics {

  /** Counts of all connections of this JVM, like Phoenix's global metrics. */
  private static final PruningCounts GLOBAL = registered(new PruningCounts());

  private ClientPruningMetrics() {}

  private static PruningCounts registered(PruningCounts counts) {
    if (GlobalClientMetrics.isMetricsEnabled()) {
      MetricRegistryInfo phoenix =
          new MetricRegistryInfo(
              "PHOENIX", "Phoenix Client Metrics", "phoenix", "Phoenix,sub=CLIENT", true);
      boolean isRegistered = MetricRegistries.global().get(phoenix).isPresent();
      MetricRegistry registry = MetricRegistries.global().create(phoenix);
      for (PruningMetric metric : PruningMetric.values()) {
        Gauge<Long> gauge = () -> counts.value(metric);
        registry.register(metric.name(), gauge);
      }
      if (!isRegistered) {
        GlobalMetricRegistriesAdapter.getInstance().registerMetricRegistry(registry);
      }
    }
    return counts;
  }

  /** Returns the counts of all statements of this JVM. */
  public static PruningCounts global() {
    return GLOBAL;
  }

  /**
   * Returns the counts of the statement that returned {@code result}. The counts are final when all
   * rows have been read.
   *
   * @throws SQLException if {@code result} is not a result set of Phoenix
   */
  public static Map<PruningMetric, Long> of(ResultSet result) throws SQLException {
    return result.unwrap(PruningCounts.Holder.class).getPruningCounts().snapshot();
  }
}
