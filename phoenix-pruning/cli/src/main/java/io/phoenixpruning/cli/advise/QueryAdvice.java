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
 * What a query costs now, and with what is proposed.
 *
 * @param number from 1, in the order of the workload
 * @param title its first line, cut where it is long
 * @param place where it is: a file, a line and a column, or what else tells
 * @param weight how often it runs, compared with the others
 */
public record QueryAdvice(
    int number, String title, String place, double weight, QueryCost before, QueryCost after) {}
