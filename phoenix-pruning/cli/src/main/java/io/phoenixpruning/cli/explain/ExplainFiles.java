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

import io.phoenixpruning.cli.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explains the statements of files. What is wrong with one of them does not hide the others. */
public final class ExplainFiles {

  private final Explainer explainer;
  private final List<Explained> statements = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  public ExplainFiles(Explainer explainer) {
    this.explainer = explainer;
  }

  /** Explains the statements of {@code files}, and compares the plans with what is expected. */
  public ExplainReport check(List<Path> files) {
    for (Path file : files) {
      read(file).ifPresent(this::explain);
    }
    return new ExplainReport(statements, problems);
  }

  /**
   * Explains the statements of {@code files}, and writes what the plans are as what is expected.
   * The report is of what is written.
   */
  public ExplainReport update(List<Path> files) {
    for (Path file : files) {
      read(file).ifPresent(this::update);
    }
    return new ExplainReport(statements, problems);
  }

  private Optional<SqlScript> read(Path file) {
    try {
      return Optional.of(SqlScript.read(file));
    } catch (RefusedException e) {
      problems.add(new Problem(file, Optional.empty(), e.getMessage()));
      return Optional.empty();
    }
  }

  private void explain(SqlScript script) {
    script.statements().forEach(statement -> explain(script, statement));
    noteLeftOver(script);
  }

  private void explain(SqlScript script, SqlStatement statement) {
    statements.add(explainer.explain(script.file(), statement));
  }

  private void noteLeftOver(SqlScript script) {
    for (SqlComment comment : script.leftOver()) {
      problems.add(
          Problem.at(
              script.file(),
              comment.position(),
              "this comment belongs to no statement, but has to stand before one, or in it: move"
                  + " it"));
    }
  }

  private void update(SqlScript script) {
    List<Explained> before =
        script.statements().stream()
            .map(statement -> explainer.explain(script.file(), statement))
            .toList();
    SqlScript updated = SqlScript.parse(script.file(), ExpectationWriter.updated(script, before));
    try {
      ExpectationWriter.replace(script, updated.text());
    } catch (RefusedException e) {
      problems.add(new Problem(script.file(), Optional.empty(), e.getMessage()));
      statements.addAll(before);
      return;
    }
    // A plan is made once: Phoenix may choose another one of the same cost the next time.
    for (int i = 0; i < before.size(); i++) {
      SqlStatement statement = updated.statements().get(i);
      if (before.get(i).problems().isEmpty()) {
        statements.add(explainer.explained(before.get(i), statement));
      } else {
        explain(updated, statement);
      }
    }
    noteLeftOver(updated);
  }
}
