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
/**
 * Scans of the planned regions. {@link LocalIndexScanPlanner} is the entry point. It plans the
 * scans of a statement, and plans a scan again if its region has changed. {@link PlanningMode}
 * determines who plans the scans: this project or Phoenix. These classes have one phase each:
 *
 * <ul>
 *   <li>{@link LooseIndexScanPlanner} finds the key ranges that a server can seek to.
 *   <li>{@link RegionScanBuilder} builds the scans of the regions.
 *   <li>{@link ReaderScans} plans scans of readers in other processes again.
 *   <li>{@link PruningVerifier} searches the excluded regions for matching rows.
 *   <li>{@link PlanningMetrics} counts the planned regions.
 *   <li>{@link LocalIndexScanReport} describes the scans for EXPLAIN.
 * </ul>
 */
package org.apache.phoenix.pruning.scan;
