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

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Results for files of statements.
 *
 * @param problems problems with files, and with comments that belong to no statement
 * @param changes changes of expectations
 * @param isPreview true if the changes were not written
 */
public record ExplainReport(
    List<Explained> statements,
    List<Problem> problems,
    List<ExpectationChange> changes,
    boolean isPreview) {

  public ExplainReport {
    statements = List.copyOf(statements);
    problems = List.copyOf(problems);
    changes = List.copyOf(changes);
  }

  /** Returns all problems, sorted by file and position. */
  List<Problem> allProblems() {
    return Stream.concat(
            problems.stream(),
            statements.stream().flatMap(statement -> statement.problems().stream()))
        .sorted(
            Comparator.comparing(Problem::file)
                .thenComparing(problem -> problem.position().orElse(Position.START)))
        .toList();
  }

  /** Returns one line for each problem. */
  public List<String> refusals() {
    return allProblems().stream().map(Problem::toString).toList();
  }

  public boolean isRefused() {
    return !allProblems().isEmpty();
  }

  /** Returns whether any plan is not as expected. */
  public boolean isBroken() {
    return statements.stream().anyMatch(Explained::isBroken);
  }

  long refused() {
    return statements.stream().filter(statement -> !statement.problems().isEmpty()).count();
  }

  long broken() {
    return statements.stream().filter(Explained::isBroken).count();
  }

  long warnings() {
    return statements.stream().mapToLong(statement -> statement.warnings().size()).sum();
  }
}
