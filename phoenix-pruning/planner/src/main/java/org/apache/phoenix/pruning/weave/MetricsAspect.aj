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
package org.apache.phoenix.pruning.weave;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.apache.phoenix.jdbc.PhoenixResultSet;
import org.apache.phoenix.monitoring.OverAllQueryMetrics;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.util.PhoenixRuntime;

/** Stores the pruning counts of a statement with its other metrics. */
public privileged aspect MetricsAspect {

  declare parents : OverAllQueryMetrics implements PruningCounts.Holder;

  declare parents : PhoenixResultSet implements PruningCounts.Holder;

  /**
   * Counts of the statement; null until something is counted. Most statements use no local index.
   */
  private volatile PruningCounts OverAllQueryMetrics.pruningCounts;

  public PruningCounts OverAllQueryMetrics.getPruningCounts() {
    if (pruningCounts == null) {
      synchronized (this) {
        if (pruningCounts == null) {
          pruningCounts = new PruningCounts();
        }
      }
    }
    return pruningCounts;
  }

  public PruningCounts PhoenixResultSet.getPruningCounts() {
    return overAllQueryMetrics.getPruningCounts();
  }

  after(OverAllQueryMetrics metrics) returning :
      execution(void OverAllQueryMetrics.reset()) && this(metrics) {
    if (metrics.pruningCounts != null) {
      metrics.pruningCounts.reset();
    }
  }

  after(OverAllQueryMetrics metrics, OverAllQueryMetrics other) returning :
      execution(OverAllQueryMetrics OverAllQueryMetrics.combine(OverAllQueryMetrics))
      && this(metrics) && args(other) {
    if (other.pruningCounts != null) {
      metrics.getPruningCounts().addAll(other.pruningCounts);
    }
  }

  /**
   * Adds the pruning metrics to the form of Phoenix's metrics that is keyed by names. The keys of
   * the other form are constants of Phoenix's enum.
   */
  after(ResultSet result) returning(Map<String, Long> metrics) throws SQLException :
      execution(static Map PhoenixRuntime.getOverAllReadRequestMetrics(ResultSet))
      && args(result) {
    if (PruningOptions.modeOf(result.unwrap(PhoenixResultSet.class).context.getConnection())
        == PruningMode.STOCK) {
      return;
    }
    ClientPruningMetrics.of(result).forEach((metric, value) -> metrics.put(metric.name(), value));
  }
}
