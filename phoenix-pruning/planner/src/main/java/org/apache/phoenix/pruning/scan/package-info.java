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
 * Scans of the planned regions. {@link LocalIndexScanPlanner} is the entry point: it plans the
 * scans of a statement, plans a scan again if its region has changed, and reports to EXPLAIN.
 * {@link RegionScanBuilder} makes the scans of a region. {@link LooseIndexScan} adds the key ranges
 * that a server can seek to.
 */
package org.apache.phoenix.pruning.scan;
