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

import io.phoenixpruning.cli.explain.SqlStatement;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statement of a workload.
 *
 * @param number from 1, in the order of the workload
 * @param place location of the statement: file, line and column, or the name of the log
 * @param binds parameter values, which may be null
 * @param weight how often the statement runs, relative to the other statements; more than 0
 */
record WorkloadQuery(
    int number, String place, String sql, List<@Nullable Object> binds, double weight) {

  WorkloadQuery(int number, String place, String sql, @Nullable Object[] binds, double weight) {
    this(number, place, sql, Collections.unmodifiableList(Arrays.asList(binds)), weight);
  }

  WorkloadQuery withNumber(int other) {
    return new WorkloadQuery(other, place, sql, binds, weight);
  }

  String title() {
    return SqlStatement.title(sql);
  }
}
