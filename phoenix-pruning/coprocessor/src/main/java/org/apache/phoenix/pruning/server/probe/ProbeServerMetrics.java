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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;

/**
 * Metrics of probes on a region server. HBase publishes them with the metrics of coprocessors, in
 * the JMX beans {@code Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.Region.CP_...}.
 */
final class ProbeServerMetrics {

  /** Number of answered requests. */
  static final String PROBES = "pruningProbes";

  /** Number of requests that were refused because too many others were being answered. */
  static final String REJECTED = "pruningProbesRejected";

  /** Number of ranges that have to be scanned because probing them failed. */
  static final String FAILED = "pruningRegionsFailed";

  /** Histogram of the time to answer a request. HBase's timers record microseconds. */
  static final String TIME = "pruningProbeTime";

  /** Number of probed ranges. Each range is in one region. */
  static final String REGIONS = "pruningRegionsProbed";

  /** Number of probed ranges that need not be scanned because they have no row. */
  static final String SKIPPED = "pruningRegionsWithoutRow";

  /** Number of probed ranges that need not be scanned because the answer had their rows. */
  static final String ANSWERED = "pruningRegionsAnswered";

  private final MetricRegistry registry;

  /** Creates the metrics of the region server of {@code environment}. */
  ProbeServerMetrics(RegionCoprocessorEnvironment environment) {
    this.registry = environment.getMetricRegistryForRegionServer();
  }

  void countRejected() {
    registry.counter(REJECTED).increment();
  }

  void countFailed() {
    registry.counter(FAILED).increment();
  }

  void countAnswered(ProbeAnswer answer, int ranges, long nanos) {
    int skipped = 0;
    int answered = 0;
    for (int i = 0; i < ranges; i++) {
      skipped += answer.finding(i) == ProbeAnswer.Finding.NO_ROW ? 1 : 0;
      answered += answer.finding(i) == ProbeAnswer.Finding.ROWS ? 1 : 0;
    }
    registry.counter(PROBES).increment();
    registry.counter(REGIONS).increment(ranges);
    registry.counter(SKIPPED).increment(skipped);
    registry.counter(ANSWERED).increment(answered);
    registry.timer(TIME).update(nanos, TimeUnit.NANOSECONDS);
  }
}
