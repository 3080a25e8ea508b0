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
import io.phoenixpruning.cli.console.WholeFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Updates the expectations in a file to match the current plans. Keeps inequalities as
 * inequalities. Does not change statements with problems or any other text.
 */
final class ExpectationWriter {

  /**
   * Replacement of a part of the text.
   *
   * @param start offset in the text, inclusive
   * @param end offset in the text, exclusive
   */
  private record Edit(int start, int end, String text) {}

  private final SqlScript script;
  private final String endOfLine;

  private ExpectationWriter(SqlScript script) {
    this.script = script;
    this.endOfLine = script.text().contains("\r\n") ? "\r\n" : "\n";
  }

  /**
   * Returns the text of {@code script} with expectations that match the plans of {@code
   * statements}.
   */
  static String updatedText(SqlScript script, List<Explained> statements) {
    ExpectationWriter writer = new ExpectationWriter(script);
    StringBuilder text = new StringBuilder(script.text());
    withoutProblems(script, statements).stream()
        .flatMap(statement -> writer.edits(statement).stream())
        .sorted(Comparator.comparingInt(Edit::start).reversed())
        .forEach(edit -> text.replace(edit.start, edit.end, edit.text));
    return text.toString();
  }

  /** Returns the changes that {@link #updatedText} makes for {@code statements}, in their order. */
  static List<ExpectationChange> changes(SqlScript script, List<Explained> statements) {
    List<ExpectationChange> changes = new ArrayList<>();
    for (Explained statement : withoutProblems(script, statements)) {
      List<String> before =
          statement.verdicts().stream().map(verdict -> verdict.expectation().toString()).toList();
      List<String> after =
          updatedExpectations(statement).stream().map(Expectation::toString).toList();
      if (!before.equals(after)) {
        changes.add(
            new ExpectationChange(
                statement.file(), statement.statement().position(), before, after));
      }
    }
    return changes;
  }

  private static List<Explained> withoutProblems(SqlScript script, List<Explained> statements) {
    Set<SqlStatement> withProblems = script.statementsWithProblems();
    return statements.stream()
        .filter(statement -> statement.problems().isEmpty() && statement.plan().isPresent())
        .filter(statement -> !withProblems.contains(statement.statement()))
        .toList();
  }

  /**
   * Replaces the file of {@code script} in one atomic step and keeps its permissions. Does nothing
   * if {@code text} is the text of {@code script}.
   *
   * @throws RefusedException if the file cannot be written
   */
  static void replace(SqlScript script, String text) {
    if (text.equals(script.text())) {
      return;
    }
    try {
      WholeFile.write(script.file(), text);
    } catch (IOException e) {
      throw new RefusedException(
          "cannot be replaced (" + e + "). --update needs a writable file in a writable folder", e);
    }
  }

  private List<Edit> edits(Explained explained) {
    List<Expectation> updated = updatedExpectations(explained);
    List<SqlComment> old =
        explained.statement().comments().stream()
            .filter(comment -> comment.content(SqlComment.Kind.EXPECT).isPresent())
            .toList();
    List<Edit> edits = new ArrayList<>();
    if (old.isEmpty()) {
      if (!updated.isEmpty()) {
        edits.add(insertion(explained.statement().start(), lines(updated, false)));
      }
      return edits;
    }
    SqlComment first = old.get(0);
    List<String> lines = lines(updated, first.isBlock());
    if (lines.isEmpty()) {
      edits.add(removal(first));
    } else {
      String between = endOfLine + indentation(first.start());
      edits.add(new Edit(first.start(), first.end(), String.join(between, lines)));
    }
    old.stream().skip(1).map(this::removal).forEach(edits::add);
    return edits;
  }

  private static List<Expectation> updatedExpectations(Explained explained) {
    List<Expectation> before =
        explained.verdicts().stream().map(Explained.Verdict::expectation).toList();
    return Expectations.of(explained.plan().get(), before);
  }

  private static List<String> lines(List<Expectation> expectations, boolean asBlocks) {
    return expectations.stream()
        .map(
            expectation ->
                asBlocks ? "/* expect: " + expectation + " */" : "-- expect: " + expectation)
        .toList();
  }

  /**
   * Returns an edit that inserts lines at the offset {@code start}, with the indentation of the
   * line there.
   */
  private Edit insertion(int start, List<String> lines) {
    String indentation = indentation(start);
    boolean isFirstOfLine = lineStart(start) + indentation.length() == start;
    StringBuilder text = new StringBuilder(isFirstOfLine ? "" : endOfLine + indentation);
    lines.forEach(line -> text.append(line).append(endOfLine).append(indentation));
    return new Edit(start, start, text.toString());
  }

  /** Returns an edit that removes a comment, and the whole line if it has nothing else. */
  private Edit removal(SqlComment comment) {
    int start = comment.start();
    String indentation = indentation(start);
    boolean isFirstOfLine = lineStart(start) + indentation.length() == start;
    int end = comment.end();
    if (isFirstOfLine) {
      start = lineStart(start);
      end = script.text().startsWith(endOfLine, end) ? end + endOfLine.length() : end;
    }
    return new Edit(start, end, "");
  }

  /** Returns the blanks at the beginning of the line that contains the offset {@code offset}. */
  private String indentation(int offset) {
    int start = lineStart(offset);
    int end = start;
    while (end < offset
        && (script.text().charAt(end) == ' ' || script.text().charAt(end) == '\t')) {
      end++;
    }
    return script.text().substring(start, end);
  }

  private int lineStart(int offset) {
    return script.text().lastIndexOf('\n', offset - 1) + 1;
  }
}
