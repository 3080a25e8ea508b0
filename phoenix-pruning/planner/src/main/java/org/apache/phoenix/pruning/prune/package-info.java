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
 * The choice of regions for a scan. {@link KeyConstraints} collects everything that is known about
 * the row key. {@link RegionSelector} walks over the possible keys and drops regions that fail the
 * residual check. {@link RegionReport} holds the counts for EXPLAIN.
 */
package org.apache.phoenix.pruning.prune;
