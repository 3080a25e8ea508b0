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
package io.phoenixpruning.cli.explain;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.phoenix.pruning.explain.PlanSummary;

/** Plans statements and compares the plans with their expectations. Runs no statement. */
public final class Explainer {

  private final StatementPlanner planner;
  private final PlanWarnings warnings;

  /**
   * @param maxRegions maximum number of regions of a statement without a warning; empty for no
   *     limit
   */
  public Explainer(Database database, OptionalInt maxRegions) {
    this.planner = new StatementPlanner(database);
    this.warnings = new PlanWarnings(database, maxRegions);
  }

  /** Explains {@code statement}. The result has all problems that are found. */
  Explained explain(Path file, SqlStatement statement) {
    List<Problem> problems = new ArrayList<>();
    List<Expectation> expectations = expectations(file, statement, problems);
    Optional<PlanSummary> plan = planner.plan(file, statement, PlanSummary::of, problems);
    List<Warning> found = new ArrayList<>();
    if (plan.isPresent()) {
      try {
        found.addAll(warnings.of(plan.get()));
      } catch (SQLException e) {
        SqlFailure failure = SqlFailure.of(e, statement.position());
        problems.add(Problem.at(file, failure.position(), failure.message()));
      }
    }
    return new Explained(file, statement, plan, found, verdicts(plan, expectations), problems);
  }

  /**
   * Returns an earlier result, updated for changed comments on the statement. Does not plan the
   * statement again.
   *
   * @param before the earlier result
   * @param statement the same statement with its new comments
   */
  Explained explained(Explained before, SqlStatement statement) {
    List<Problem> problems = new ArrayList<>();
    List<Expectation> expectations = expectations(before.file(), statement, problems);
    return new Explained(
        before.file(),
        statement,
        before.plan(),
        before.warnings(),
        verdicts(before.plan(), expectations),
        problems);
  }

  private static List<Explained.Verdict> verdicts(
      Optional<PlanSummary> plan, List<Expectation> expectations) {
    return plan.stream()
        .flatMap(
            summary ->
                expectations.stream()
                    .map(
                        expectation ->
                            new Explained.Verdict(expectation, expectation.differences(summary))))
        .toList();
  }

  private static List<Expectation> expectations(
      Path file, SqlStatement statement, List<Problem> problems) {
    List<Expectation> expectations = new ArrayList<>();
    for (SqlComment comment : statement.comments(SqlComment.Kind.EXPECT)) {
      try {
        expectations.add(ExpectationParser.parse(comment));
      } catch (ExpectationParser.Malformed e) {
        problems.add(Problem.at(file, e.position(), e.getMessage()));
      }
    }
    return expectations;
  }
}
