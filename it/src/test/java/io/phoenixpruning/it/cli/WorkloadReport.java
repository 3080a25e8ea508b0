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
package io.phoenixpruning.it.cli;

import io.phoenixpruning.cli.explain.SqlComment;
import io.phoenixpruning.cli.explain.SqlStatement;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A table of the planned and the actual work of each query of a workload, before and after a
 * change.
 */
final class WorkloadReport {

  private static final String FORMAT = "%3s  %-60s %7s %7s %7s %7s %7s %7s%n";
  private static final int TITLE = 60;

  private final List<SqlStatement> queries;
  private final List<MeasuredQuery> before;
  private final List<MeasuredQuery> after;

  /** Creates a report of lists that are all in the same order. */
  WorkloadReport(
      List<SqlStatement> queries, List<MeasuredQuery> before, List<MeasuredQuery> after) {
    this.queries = queries;
    this.before = before;
    this.after = after;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(line("", "", "RPCs", "", "scans", "", "regions", ""));
    text.append(line("", "", "before", "after", "before", "after", "before", "after"));
    for (int i = 0; i < queries.size(); i++) {
      MeasuredQuery earlier = before.get(i);
      MeasuredQuery later = after.get(i);
      text.append(
          line(
              Integer.toString(i + 1),
              title(queries.get(i)),
              earlier.scanRpcs().rpcs(),
              later.scanRpcs().rpcs(),
              earlier.plan().clientScans(),
              later.plan().clientScans(),
              number(earlier.plan().regionsPlanned()),
              number(later.plan().regionsPlanned())));
    }
    text.append(
        line(
            "",
            "Sum",
            MeasuredQuery.rpcs(before),
            MeasuredQuery.rpcs(after),
            MeasuredQuery.clientScans(before),
            MeasuredQuery.clientScans(after),
            "",
            ""));
    return text.toString();
  }

  private static String line(Object... columns) {
    return String.format(Locale.ROOT, FORMAT, columns);
  }

  private static String number(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "?";
  }

  /** Returns the comment that names the query of TPC-H that a query resembles. */
  private static String title(SqlStatement query) {
    String comment =
        query.comments().stream()
            .map(SqlComment::text)
            .filter(text -> text.startsWith("-- TPC-H "))
            .findFirst()
            .orElseThrow()
            .substring("-- TPC-H ".length());
    return comment.length() <= TITLE ? comment : comment.substring(0, TITLE - 3) + "...";
  }
}
