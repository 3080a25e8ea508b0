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
package org.apache.phoenix.pruning.probe;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.metrics.PruningMetric;

/** Results of the requests to servers, for one execution of a statement. */
public final class ProbeReport {

  private int probes;
  private int asked;
  private int withoutRow;
  private int withRows;
  private long micros;
  private final Map<ProbeCause, Integer> sent = new EnumMap<>(ProbeCause.class);

  ProbeReport() {}

  void addProbe(int scans) {
    probes++;
    asked += scans;
  }

  void addWithoutRow() {
    withoutRow++;
  }

  void addWithRows() {
    withRows++;
  }

  void addSent(ProbeCause cause, int scans) {
    sent.merge(cause, scans, Integer::sum);
  }

  void addMicros(long more) {
    micros += more;
  }

  /**
   * Returns the number of scans for which servers were probed and did not refuse to answer. A
   * coprocessor that denies a request to one user says nothing about the requests of others.
   */
  int answerable() {
    return asked - sent.getOrDefault(ProbeCause.FAILED, 0);
  }

  /** Adds the numbers of this report to {@code counts}. */
  public void addTo(PruningCounts counts) {
    counts.add(PruningMetric.PROBES_SENT, probes);
    counts.add(PruningMetric.REGIONS_PROBED, asked);
    counts.add(PruningMetric.REGIONS_SKIPPED_BY_PROBE, withoutRow);
    counts.add(PruningMetric.REGIONS_ANSWERED_BY_PROBE, withRows);
    counts.add(PruningMetric.PROBE_TIME_MICROS, micros);
    sent.forEach((cause, scans) -> counts.add(cause.metric(), scans));
  }

  /** Returns the number of requests that were sent to servers. */
  public int probes() {
    return probes;
  }

  /** Returns the number of scans for which servers were probed. */
  public int asked() {
    return asked;
  }

  /** Returns the number of scans that need not be sent because their regions have no row. */
  public int withoutRow() {
    return withoutRow;
  }

  /** Returns the number of scans that need not be sent because their rows are in the answers. */
  public int withRows() {
    return withRows;
  }

  /** Returns the number of scans that are sent nevertheless, by cause. */
  public Map<ProbeCause, Integer> sent() {
    return Collections.unmodifiableMap(sent);
  }

  @Override
  public String toString() {
    return probes
        + " probes of "
        + asked
        + " scans: "
        + withoutRow
        + " without a row, "
        + withRows
        + " answered with rows, sent "
        + sent;
  }
}
