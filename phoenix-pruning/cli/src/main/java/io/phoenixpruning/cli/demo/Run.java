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
package io.phoenixpruning.cli.demo;

import java.util.Optional;

/**
 * A run of a query.
 *
 * @param rows number of returned rows
 * @param isCorrect whether the returned rows are those of the data table
 * @param regions number of regions of the table in which a scanner was opened
 * @param rpcs number of Scan RPCs for the table that reached the region server
 * @param nanos time in nanoseconds from submitting the SQL to the last row or the failure
 * @param failure message of the failure, or empty if the run succeeded
 */
record Run(
    int rows, boolean isCorrect, int regions, long rpcs, long nanos, Optional<String> failure) {}
