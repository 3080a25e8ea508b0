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
 * The choice between plans. If a local index is among the candidates, {@link CostBasedPlanChooser}
 * picks the plan with the lowest estimated cost.
 *
 * <ul>
 *   <li>{@link CandidateEstimates} compares the {@link CandidatePlan}s of a query, and looks up
 *       their regions.
 *   <li>{@link RangeCardinality} and {@link LooseScanCardinality} estimate the rows that a
 *       candidate reads, by {@link KeySelectivity} and {@link DistinctPrefixEstimate}.
 *   <li>{@link ScanStatistics} bounds these estimates by the guideposts of a {@link RegionSample}.
 *   <li>{@link CostModel} computes the cost.
 *   <li>{@link PlanDecisions} keeps the decisions for EXPLAIN.
 * </ul>
 *
 * <p>{@link PlanPinning}, {@link PinnedCompilation} and {@link PlanStampCheck} make readers in
 * other processes use the plan for which their scans were made. {@link SnapshotCompilation} chooses
 * the table if such a reader reads a snapshot.
 */
package org.apache.phoenix.pruning.optimize;
