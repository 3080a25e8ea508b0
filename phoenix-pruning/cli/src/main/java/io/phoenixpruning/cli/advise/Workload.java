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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.Problem;
import io.phoenixpruning.cli.explain.SqlComment;
import io.phoenixpruning.cli.explain.SqlScript;
import io.phoenixpruning.cli.explain.SqlStatement;
import io.phoenixpruning.cli.explain.StatementPlanner;
import io.phoenixpruning.report.format.Figures;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * Statements with their weights.
 *
 * @param problems messages on statements, comments and files that cannot be used, each with its
 *     location; the other statements are in {@code queries}
 * @param refused the statements that cannot be used; an empty text represents all statements of an
 *     unreadable file
 * @param notes descriptions of what the workload deliberately leaves out, each a sentence
 */
public record Workload(
    List<WorkloadQuery> queries, List<String> problems, List<String> refused, List<String> notes) {

  /** Checks whether a statement that Phoenix can plan can be part of a workload. */
  @FunctionalInterface
  public interface Check {

    /**
     * Checks a statement.
     *
     * @throws RefusedException if the statement cannot be part of a workload
     */
    void check(PlanSummary plan, String sql) throws SQLException;
  }

  public Workload {
    queries = List.copyOf(queries);
    problems = List.copyOf(problems);
    refused = List.copyOf(refused);
    notes = List.copyOf(notes);
  }

  /**
   * Returns a workload with the statements of this workload, followed by the statements of {@code
   * more}.
   */
  public Workload plus(Workload more) {
    List<WorkloadQuery> all = new ArrayList<>(queries);
    int last = queries.isEmpty() ? 0 : queries.get(queries.size() - 1).number();
    for (WorkloadQuery query : more.queries) {
      all.add(query.withNumber(last + query.number()));
    }
    return new Workload(
        all,
        concat(problems, more.problems),
        concat(refused, more.refused),
        concat(notes, more.notes));
  }

  private static List<String> concat(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /**
   * Reads files of statements.
   *
   * @param weights one weight for each statement. If empty, a statement has the weight of its
   *     comment, such as {@code -- weight: 10}, or 1 without such a comment
   * @param planner plans each statement, to find statements that Phoenix refuses
   * @param check second check, for each statement that can be planned
   * @throws RefusedException if the number of weights differs from the number of statements
   */
  public static Workload read(
      List<Path> files, List<Double> weights, StatementPlanner planner, Check check) {
    Reader reader = new Reader(weights, planner, check);
    files.forEach(reader::read);
    if (!weights.isEmpty() && weights.size() != reader.statements) {
      throw new RefusedException(
          "--weights has "
              + Figures.plural(weights.size(), "number")
              + ", but the files have "
              + Figures.plural(reader.statements, "statement")
              + ". Give one number for each statement, or write -- weight: 10 before a statement");
    }
    return new Workload(
        reader.queries,
        reader.problems.stream().map(Problem::toString).toList(),
        reader.refused,
        List.of());
  }

  /** Collects the statements of several files. */
  private static final class Reader {

    private final List<Double> weights;
    private final StatementPlanner planner;
    private final Check check;
    private final List<WorkloadQuery> queries = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private int statements;

    Reader(List<Double> weights, StatementPlanner planner, Check check) {
      this.weights = weights;
      this.planner = planner;
      this.check = check;
    }

    void read(Path file) {
      try {
        SqlScript script = SqlScript.read(file);
        problems.addAll(script.problems());
        script.statements().forEach(statement -> add(file, statement));
      } catch (RefusedException e) {
        problems.add(new Problem(file, Optional.empty(), e.getMessage()));
        refused.add("");
      }
    }

    private void add(Path file, SqlStatement statement) {
      statements++;
      Optional<Double> weight =
          weights.isEmpty()
              ? weight(file, statement)
              : Optional.of(statements <= weights.size() ? weights.get(statements - 1) : 1);
      Optional<Object[]> binds =
          planner.plan(
              file,
              statement,
              (connection, sql, values) -> {
                check.check(PlanSummary.of(connection, sql, values), sql);
                return values;
              },
              problems);
      if (binds.isPresent() && weight.isPresent()) {
        queries.add(
            new WorkloadQuery(
                statements,
                file + ":" + statement.position(),
                statement.sql(),
                binds.get(),
                weight.get()));
      } else {
        refused.add(statement.sql());
      }
    }

    /**
     * Returns the weight of a statement. If its comment has no valid weight, adds a problem and
     * returns empty.
     */
    private Optional<Double> weight(Path file, SqlStatement statement) {
      List<SqlComment> comments = statement.comments(SqlComment.Kind.WEIGHT);
      if (comments.isEmpty()) {
        return Optional.of(1.0);
      }
      SqlComment last = comments.get(comments.size() - 1);
      try {
        double weight = Double.parseDouble(last.text().strip());
        if (comments.size() == 1 && weight > 0 && weight < Double.POSITIVE_INFINITY) {
          return Optional.of(weight);
        }
      } catch (NumberFormatException e) {
        // Reported below.
      }
      problems.add(
          Problem.at(
              file,
              last.position(),
              "the weight is '"
                  + last.text().strip()
                  + "'. Expected one number above 0, such as -- weight: 10"));
      return Optional.empty();
    }
  }
}
