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

import io.phoenixpruning.cli.console.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains the statements of files. A problem with one statement does not hide the results of the
 * others.
 */
public final class ExplainFiles {

  private final Explainer explainer;
  private final List<Explained> statements = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final List<ExpectationChange> changes = new ArrayList<>();

  public ExplainFiles(Explainer explainer) {
    this.explainer = explainer;
  }

  /** Explains the statements of {@code files} and compares the plans with their expectations. */
  public ExplainReport check(List<Path> files) {
    for (Path file : files) {
      read(file).ifPresent(this::explain);
    }
    return report(false);
  }

  /**
   * Explains the statements of {@code files} and determines the changes that {@link #update} would
   * make. Writes nothing, so the report is on the files as they are.
   */
  public ExplainReport preview(List<Path> files) {
    for (Path file : files) {
      read(file)
          .ifPresent(
              script -> {
                List<Explained> before = explained(script);
                problems.addAll(script.problems());
                statements.addAll(before);
                changes.addAll(ExpectationWriter.changes(script, before));
              });
    }
    return report(true);
  }

  /**
   * Explains the statements of {@code files} and updates the expectations in the files to match the
   * plans. The report is on the updated files.
   */
  public ExplainReport update(List<Path> files) {
    for (Path file : files) {
      read(file).ifPresent(this::update);
    }
    return report(false);
  }

  private ExplainReport report(boolean isPreview) {
    return new ExplainReport(statements, problems, changes, isPreview);
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
    problems.addAll(script.problems());
    statements.addAll(explained(script));
  }

  private List<Explained> explained(SqlScript script) {
    return script.statements().stream()
        .map(statement -> explainer.explain(script.file(), statement))
        .toList();
  }

  private void update(SqlScript script) {
    List<Explained> before = explained(script);
    SqlScript updated =
        SqlScript.parse(script.file(), ExpectationWriter.updatedText(script, before));
    try {
      ExpectationWriter.replace(script, updated.text());
    } catch (RefusedException e) {
      problems.add(new Problem(script.file(), Optional.empty(), e.getMessage()));
      problems.addAll(script.problems());
      statements.addAll(before);
      return;
    }
    problems.addAll(updated.problems());
    changes.addAll(ExpectationWriter.changes(script, before));
    // Reuses the plans, because Phoenix may choose another plan of the same cost the next time.
    for (int i = 0; i < before.size(); i++) {
      SqlStatement statement = updated.statements().get(i);
      statements.add(
          before.get(i).problems().isEmpty()
              ? explainer.explained(before.get(i), statement)
              : explainer.explain(updated.file(), statement));
    }
  }
}
