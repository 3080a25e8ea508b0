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
package io.phoenixpruning.it.change;

/** Kind of change to a table while statements read it. */
enum FaultKind {
  SPLIT(true),
  MERGE(true),
  MOVE(true),
  /** The client caches locations of regions that no longer exist. */
  STALE_LOCATIONS(true),
  STATISTICS(false),
  KILLED_SERVER(true),
  /** The table is disabled, gets the files and the regions of a snapshot, and is enabled. */
  RESTORED_SNAPSHOT(true),
  /** Regions are opened again with a changed table property of HBase. */
  TABLE_PROPERTY(true),
  /** A column or an index is created or dropped. */
  SCHEMA(false),
  BULK_LOAD(false),
  FLUSH_AND_COMPACTION(false),
  WRITES(false),
  /** The balancer moves regions of all tables at the same time. */
  BALANCER(true),
  /** A server flushes and closes its regions, and stops. */
  STOPPED_SERVER(true);

  private final boolean movesRegions;

  FaultKind(boolean movesRegions) {
    this.movesRegions = movesRegions;
  }

  /** Returns whether the table keeps all rows that were written at the time of the fault. */
  boolean keepsWrites() {
    return this != RESTORED_SNAPSHOT;
  }

  /** Returns whether the table is disabled for some time. */
  boolean disablesTable() {
    return this == RESTORED_SNAPSHOT;
  }

  /** Returns whether regions split or merge. */
  boolean changesBoundaries() {
    return this == SPLIT || this == MERGE || this == STALE_LOCATIONS;
  }

  /**
   * Returns whether a scan that has begun to read can lose its region, so that the statement may
   * fail.
   */
  boolean movesRegions() {
    return movesRegions;
  }
}
