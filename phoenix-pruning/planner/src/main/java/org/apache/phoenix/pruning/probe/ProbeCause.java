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

/**
 * Reason why a planned scan was sent although its server was probed, or should have been probed.
 */
public enum ProbeCause {
  /** The server found a row, or could not exclude one. */
  MAY_MATCH(PruningMetric.PROBE_MAY_MATCH),
  /**
   * The server does not answer the request: it has Phoenix's own jar or another version of ours, or
   * it serves the table in mode {@code stock}.
   */
  NOT_UNDERSTOOD(PruningMetric.PROBE_NOT_UNDERSTOOD),
  /** The server answered that it is too busy. */
  REJECTED(PruningMetric.PROBE_REJECTED),
  /**
   * The request was not sent, for one of these reasons: other requests of this client were in
   * progress, no thread was free, or the request is longer than servers read.
   */
  NOT_SENT(PruningMetric.PROBE_NOT_SENT),
  /** The answer did not arrive in time. */
  DEADLINE(PruningMetric.PROBE_DEADLINE),
  /** The request failed. */
  FAILED(PruningMetric.PROBE_FAILED),
  /**
   * The server was not probed: it did not answer a recent request, or the client does not know the
   * server of the region.
   */
  SERVER_BACKOFF(PruningMetric.PROBE_SERVER_BACKOFF),
  /** No server was probed, because recent probes saved too few scans of this index. */
  INDEX_BACKOFF(PruningMetric.PROBE_INDEX_BACKOFF);

  private final PruningMetric metric;

  ProbeCause(PruningMetric metric) {
    this.metric = metric;
  }

  /** Returns the metric that counts this cause. */
  PruningMetric metric() {
    return metric;
  }
}
