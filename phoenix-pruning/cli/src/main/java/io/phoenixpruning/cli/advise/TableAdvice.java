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

import java.util.List;

/**
 * Recommended changes for one table.
 *
 * @param table full name of the table, as written in SQL
 * @param rows number of rows, from statistics or assumed
 */
public record TableAdvice(
    String table,
    int regions,
    double rows,
    List<IndexAdvice> indexes,
    List<StorageAdvice> settings) {

  public TableAdvice {
    indexes = List.copyOf(indexes);
    settings = List.copyOf(settings);
  }
}
