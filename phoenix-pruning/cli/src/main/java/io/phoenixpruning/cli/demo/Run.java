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
 * One run of a query.
 *
 * @param rows the number of rows that it returned
 * @param right whether they are those of the data table
 * @param regions the number of regions of the table in which a scanner was opened
 * @param rpcs the number of Scan RPCs for the table that reached the region server
 * @param nanos from handing in the SQL to having the last row, or to failing
 * @param failure why it failed; empty if it did not
 */
record Run(int rows, boolean right, int regions, long rpcs, long nanos, Optional<String> failure) {}
