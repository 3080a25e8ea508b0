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
package io.phoenixpruning.cli.advise;

/**
 * Cost of a query before and after the recommended changes.
 *
 * @param number from 1, in the order of the workload
 * @param title first line of the query, shortened if it is long
 * @param place location of the query: file, line and column, or the name of the log
 * @param weight how often the query runs, relative to the other queries
 */
public record QueryAdvice(
    int number, String title, String place, double weight, QueryCost before, QueryCost after) {}
