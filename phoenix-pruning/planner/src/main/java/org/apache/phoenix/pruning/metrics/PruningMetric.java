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
 * What is counted of the execution of statements along local indexes. The names are those of
 * Phoenix's own metrics in style; upstream's PHOENIX-7876 has {@code regionsPlanned}.
 */
public enum PruningMetric {
  /** Regions of the tables, where the client knows how many there are without looking them up. */
  REGIONS_TOTAL,
  /** Regions that can hold a matching row by what the statement says of the primary key. */
  REGIONS_PLANNED,
  /** Regions of {@link #REGIONS_TOTAL} that were not planned. */
  REGIONS_PRUNED_BY_PRIMARY_KEY,
  /** Region locations that were asked of the client's memory, or of hbase:meta. */
  REGION_LOCATION_LOOKUPS,
  /** Microseconds that it took to plan regions and scans. */
  PLANNING_TIME_MICROS,
  /** Requests to region servers that asked for many regions at once. */
  PROBES_SENT,
  /** Scans for which a server was asked. */
  REGIONS_PROBED,
  /** Scans that were not sent, as the server had no row for them. */
  REGIONS_SKIPPED_BY_PROBE,
  /** Scans that were not sent, as the server's answer had their rows. */
  REGIONS_ANSWERED_BY_PROBE,
  /** Microseconds from the first question of a statement to the last answer. */
  PROBE_TIME_MICROS,
  /** Scans that were sent after the server had said that there may be a row. */
  PROBE_MAY_MATCH,
  /** Scans that were sent because the server did not know what it was asked. */
  PROBE_NOT_UNDERSTOOD,
  /** Scans that were sent because the server was too busy to answer. */
  PROBE_REJECTED,
  /** Scans that were sent because the client had too many other requests to ask in time. */
  PROBE_NOT_SENT,
  /** Scans that were sent because the answer was not there in time. */
  PROBE_DEADLINE,
  /** Scans that were sent because asking failed. */
  PROBE_FAILED,
  /** Scans that were sent because their server had not answered a short while ago. */
  PROBE_SERVER_RESTS,
  /** Scans that were sent because asking has not paid lately for their index. */
  PROBE_INDEX_RESTS
}
