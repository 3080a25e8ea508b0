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

import org.apache.phoenix.pruning.metrics.PruningMetric;

/** Tells why a planned scan was sent although a server was asked for it, or was to be asked. */
public enum ProbeCause {
  /** The server found a row, or could not exclude one. */
  MAY_MATCH(PruningMetric.PROBE_MAY_MATCH),
  /** The server does not know the question: it is stock's, or of another version. */
  NOT_UNDERSTOOD(PruningMetric.PROBE_NOT_UNDERSTOOD),
  /** The server answered that it is too busy. */
  REJECTED(PruningMetric.PROBE_REJECTED),
  /**
   * The request was not sent: other requests of this client were under way, no thread was free, or
   * the request is longer than servers read.
   */
  NOT_SENT(PruningMetric.PROBE_NOT_SENT),
  /** The answer was not there in time. */
  DEADLINE(PruningMetric.PROBE_DEADLINE),
  /** Asking failed. */
  FAILED(PruningMetric.PROBE_FAILED),
  /** The server was not asked, because it did not answer a short while ago. */
  SERVER_RESTS(PruningMetric.PROBE_SERVER_RESTS),
  /** No server was asked, because it has not paid lately for this index. */
  INDEX_RESTS(PruningMetric.PROBE_INDEX_RESTS);

  private final PruningMetric metric;

  ProbeCause(PruningMetric metric) {
    this.metric = metric;
  }

  /** By what it is counted. */
  PruningMetric metric() {
    return metric;
  }
}
