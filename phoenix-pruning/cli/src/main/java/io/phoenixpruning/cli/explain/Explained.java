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
import java.util.List;
import java.util.Optional;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * Result for one statement.
 *
 * @param plan the plan of the statement, or empty if the statement is refused
 * @param problems problems with the statement and its comments
 */
record Explained(
    Path file,
    SqlStatement statement,
    Optional<PlanSummary> plan,
    List<Warning> warnings,
    List<Verdict> verdicts,
    List<Problem> problems) {

  /**
   * Result for one expectation.
   *
   * @param differences conditions that do not hold; empty if the expectation is met
   */
  record Verdict(Expectation expectation, List<Expectation.Difference> differences) {

    boolean isMet() {
      return differences.isEmpty();
    }
  }

  Explained {
    warnings = List.copyOf(warnings);
    verdicts = List.copyOf(verdicts);
    problems = List.copyOf(problems);
  }

  boolean isBroken() {
    return verdicts.stream().anyMatch(verdict -> !verdict.isMet());
  }
}
