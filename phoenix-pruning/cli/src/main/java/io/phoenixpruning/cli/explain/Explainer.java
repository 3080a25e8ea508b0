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
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.schema.TableNotFoundException;

/** Plans statements, and compares the plans with what is expected of them. Runs none. */
public final class Explainer {

  private final Database database;
  private final PlanWarnings warnings;

  /**
   * @param maxRegions how many regions a statement may have without a warning; empty for any number
   */
  public Explainer(Database database, OptionalInt maxRegions) {
    this.database = database;
    this.warnings = new PlanWarnings(database, maxRegions);
  }

  /** Whatever is wrong with {@code statement} is in what is returned. */
  Explained explain(Path file, SqlStatement statement) {
    List<Problem> problems = new ArrayList<>();
    List<Expectation> expectations = expectations(file, statement, problems);
    Optional<PlanSummary> plan = plan(file, statement, problems);
    List<Warning> found = new ArrayList<>();
    if (plan.isPresent()) {
      try {
        found.addAll(warnings.of(plan.get()));
      } catch (SQLException e) {
        problems.add(problem(file, SqlFailure.of(e, statement.position())));
      }
    }
    return new Explained(file, statement, plan, found, verdicts(plan, expectations), problems);
  }

  /**
   * What was found out about a statement, with other comments on it.
   *
   * @param statement the same one
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

  private Optional<PlanSummary> plan(Path file, SqlStatement statement, List<Problem> problems) {
    if (statement.flaw().isPresent()) {
      SqlStatement.Flaw flaw = statement.flaw().get();
      problems.add(Problem.at(file, flaw.position(), flaw.message()));
      return Optional.empty();
    }
    try {
      int parameters = new SQLParser(statement.sql() + "\n").parseStatement().getBindCount();
      Optional<Object[]> binds = binds(file, statement, parameters, problems);
      return binds.isEmpty()
          ? Optional.empty()
          : Optional.of(PlanSummary.of(database.connection(), statement.sql() + "\n", binds.get()));
    } catch (SQLException e) {
      SqlFailure failure = SqlFailure.of(e, statement.position());
      problems.add(
          e instanceof TableNotFoundException
              ? Problem.at(
                  file,
                  failure.position(),
                  failure.message() + ": mend its name, or create it " + database.whereToDefine())
              : problem(file, failure));
    } catch (RuntimeException e) {
      // Phoenix fails so at some statements that it does not expect.
      problems.add(Problem.at(file, statement.position(), "Phoenix cannot plan it: " + e));
    }
    return Optional.empty();
  }

  private static Problem problem(Path file, SqlFailure failure) {
    return Problem.at(file, failure.position(), failure.message());
  }

  /** The values for all parameters; empty, with a problem, if there are none for them. */
  private Optional<Object[]> binds(
      Path file, SqlStatement statement, int parameters, List<Problem> problems) {
    List<SqlComment> comments = statement.comments(SqlComment.Kind.BIND);
    if (comments.isEmpty() && parameters == 0) {
      return Optional.of(new Object[0]);
    }
    if (comments.size() != 1) {
      problems.add(
          Problem.at(
              file,
              comments.isEmpty() ? statement.position() : comments.get(1).position(),
              "the statement has "
                  + parameters
                  + " parameters, but there is not one comment with their values: write one before"
                  + " it, as -- bind: 25, 'x'"));
      return Optional.empty();
    }
    Position position = comments.get(0).position();
    Object[] values;
    try {
      values = BindValues.evaluate(database.connection(), comments.get(0).text());
    } catch (SQLException e) {
      problems.add(
          Problem.at(
              file,
              position,
              "the values of parameters have to be constants, as in -- bind: 25, 'x', but: "
                  + SqlFailure.of(e, position).message()));
      return Optional.empty();
    }
    if (values.length != parameters) {
      problems.add(
          Problem.at(
              file,
              position,
              "there are "
                  + values.length
                  + " values for "
                  + parameters
                  + " parameters: write one for each"));
      return Optional.empty();
    }
    return Optional.of(values);
  }
}
