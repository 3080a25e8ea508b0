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
package org.apache.phoenix.pruning.server;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.phoenix.pruning.probe.ProbeAnswer;

/**
 * What a region server counts of probes, where HBase has the metrics of coprocessors: the JMX beans
 * {@code Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.Region.CP_...}.
 */
final class ProbeServerMetrics {

  /** Requests that were answered. */
  static final String PROBES = "pruningProbes";

  /** Requests that were refused, as too many others were being answered. */
  static final String REJECTED = "pruningProbesRejected";

  /** Ranges that have to be scanned because looking at them failed. */
  static final String FAILED = "pruningRegionsFailed";

  /** How long it took to answer a request, in milliseconds. */
  static final String TIME = "pruningProbeTime";

  /** Ranges in regions that were asked for. */
  static final String REGIONS = "pruningRegionsProbed";

  /** Those that need not be scanned, as they have no row. */
  static final String SKIPPED = "pruningRegionsWithoutRow";

  /** Those that need not be scanned, as the answer had their rows. */
  static final String ANSWERED = "pruningRegionsAnswered";

  private final MetricRegistry registry;

  /** The metrics of the server that has the region of {@code environment}. */
  ProbeServerMetrics(RegionCoprocessorEnvironment environment) {
    this.registry = environment.getMetricRegistryForRegionServer();
  }

  void rejected() {
    registry.counter(REJECTED).increment();
  }

  void failed() {
    registry.counter(FAILED).increment();
  }

  void answered(ProbeAnswer answer, int ranges, long nanos) {
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
