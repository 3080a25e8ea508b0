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

/**
 * Metrics of the execution of statements that use local indexes. The names follow the style of
 * Phoenix's own metrics. PHOENIX-7876 upstream has {@code regionsPlanned}.
 */
public enum PruningMetric {
  /**
   * Regions of the tables, if the client knows their number without lookups; otherwise planned
   * regions.
   */
  REGIONS_TOTAL,
  /** Regions that can hold a matching row, according to the conditions on the primary key. */
  REGIONS_PLANNED,
  /** Regions of {@link #REGIONS_TOTAL} that were not planned. */
  REGIONS_PRUNED_BY_PRIMARY_KEY,
  /** Region locations that were read from the client's cache or from hbase:meta. */
  REGION_LOCATION_LOOKUPS,
  /** Time to plan regions and scans, in microseconds. */
  PLANNING_TIME_MICROS,
  /** Probe requests to region servers, each for many regions. */
  PROBES_SENT,
  /** Scans for which a region server was probed. */
  REGIONS_PROBED,
  /** Scans that were not sent, because the server had no row for them. */
  REGIONS_SKIPPED_BY_PROBE,
  /** Scans that were not sent, because the answer to the probe contained their rows. */
  REGIONS_ANSWERED_BY_PROBE,
  /** Time from the first probe of a statement to the last answer, in microseconds. */
  PROBE_TIME_MICROS,
  /** Scans that were sent because the server answered that a row may match. */
  PROBE_MAY_MATCH,
  /** Scans that were sent because the server did not understand the probe. */
  PROBE_NOT_UNDERSTOOD,
  /** Scans that were sent because the server was too busy to answer. */
  PROBE_REJECTED,
  /**
   * Scans that were sent because the client could not send the probe in time, or because the
   * request was too large.
   */
  PROBE_NOT_SENT,
  /** Scans that were sent because the answer to the probe did not arrive in time. */
  PROBE_DEADLINE,
  /** Scans that were sent because the probe failed. */
  PROBE_FAILED,
  /** Scans that were sent without a probe, because their server did not answer a recent probe. */
  PROBE_SERVER_BACKOFF,
  /**
   * Scans that were sent without a probe, because recent probes of their index saved too few scans.
   */
  PROBE_INDEX_BACKOFF
}
