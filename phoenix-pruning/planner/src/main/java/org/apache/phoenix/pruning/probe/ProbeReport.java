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
  private int probedScans;
  private int scansWithoutRow;
  private int scansWithRows;
  private long micros;
  private final Map<ProbeCause, Integer> sentScans = new EnumMap<>(ProbeCause.class);

  ProbeReport() {}

  void addProbe(int scans) {
    probes++;
    probedScans += scans;
  }

  void addScanWithoutRow() {
    scansWithoutRow++;
  }

  void addScanWithRows() {
    scansWithRows++;
  }

  void addSentScans(ProbeCause cause, int scans) {
    sentScans.merge(cause, scans, Integer::sum);
  }

  void addMicros(long more) {
    micros += more;
  }

  /**
   * Returns the number of scans for which servers were probed and the request did not fail. For
   * example, a denied request of one user says nothing about the requests of other users.
   */
  int scansNotFailed() {
    return probedScans - sentScans.getOrDefault(ProbeCause.FAILED, 0);
  }

  /** Adds the numbers of this report to {@code counts}. */
  public void addTo(PruningCounts counts) {
    counts.add(PruningMetric.PROBES_SENT, probes);
    counts.add(PruningMetric.REGIONS_PROBED, probedScans);
    counts.add(PruningMetric.REGIONS_SKIPPED_BY_PROBE, scansWithoutRow);
    counts.add(PruningMetric.REGIONS_ANSWERED_BY_PROBE, scansWithRows);
    counts.add(PruningMetric.PROBE_TIME_MICROS, micros);
    sentScans.forEach((cause, scans) -> counts.add(cause.metric(), scans));
  }

  /** Returns the number of requests that were sent to servers. */
  public int probes() {
    return probes;
  }

  /** Returns the number of scans for which servers were probed. */
  public int probedScans() {
    return probedScans;
  }

  /** Returns the number of scans that need not be sent because their regions have no row. */
  public int scansWithoutRow() {
    return scansWithoutRow;
  }

  /** Returns the number of scans that need not be sent because their rows are in the answers. */
  public int scansWithRows() {
    return scansWithRows;
  }

  /** Returns the number of scans that are sent nevertheless, by cause. */
  public Map<ProbeCause, Integer> sentScans() {
    return Collections.unmodifiableMap(sentScans);
  }

  @Override
  public String toString() {
    return probes
        + " probes of "
        + probedScans
        + " scans: "
        + scansWithoutRow
        + " without a row, "
        + scansWithRows
        + " answered with rows, sent "
        + sentScans;
  }
}
