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
import io.phoenixpruning.report.format.Figures;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.schema.TableNotFoundException;

/** Plans statements. The parameter values of a statement in a file come from its comments. */
public final class StatementPlanner {

  /** Computes a result from the plan of a statement, without running the statement. */
  public interface Planning<T> {
    T plan(Connection connection, String sql, Object... binds) throws SQLException;
  }

  private final Database database;

  public StatementPlanner(Database database) {
    this.database = database;
  }

  /**
   * Plans a statement of a file.
   *
   * @return the result of {@code planning}; or empty if the statement cannot be planned, with the
   *     reasons added to {@code problems}
   */
  public <T> Optional<T> plan(
      Path file, SqlStatement statement, Planning<T> planning, List<Problem> problems) {
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
          : Optional.of(planning.plan(database.connection(), statement.sql() + "\n", binds.get()));
    } catch (SQLException | RuntimeException e) {
      SqlFailure failure = failure(e, statement.position());
      problems.add(Problem.at(file, failure.position(), failure.message()));
    }
    return Optional.empty();
  }

  /**
   * Plans a statement that is not in a file.
   *
   * @return the result of {@code planning}
   * @throws RefusedException if the statement cannot be planned
   */
  public <T> T plan(String sql, Planning<T> planning, Object... binds) {
    try {
      return planning.plan(database.connection(), sql + "\n", binds);
    } catch (SQLException | RuntimeException e) {
      throw new RefusedException(failure(e, Position.START).message(), e);
    }
  }

  /** Returns the reason why a statement that begins at {@code start} cannot be planned. */
  private SqlFailure failure(Exception e, Position start) {
    if (e instanceof RefusedException refusal) {
      return new SqlFailure(start, refusal.getMessage());
    }
    if (!(e instanceof SQLException refused)) {
      // Phoenix throws a RuntimeException for some statements that it does not expect.
      return new SqlFailure(start, "Phoenix cannot plan the statement: " + e);
    }
    SqlFailure failure = SqlFailure.of(refused, start);
    return e instanceof TableNotFoundException
        ? new SqlFailure(
            failure.position(),
            failure.message()
                + ". Correct the name, or create the table "
                + database.whereToDefine())
        : failure;
  }

  /**
   * Returns the values of all parameters. If the comments do not have them, adds a problem and
   * returns empty.
   */
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
                  + Figures.plural(parameters, "parameter")
                  + " and "
                  + Figures.plural(comments.size(), "comment")
                  + " with values. Expected one comment before it, such as -- bind: 25, 'x'"));
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
              "the values of the parameters cannot be read ("
                  + SqlFailure.of(e, position).message()
                  + "). Expected constants, such as -- bind: 25, 'x'"));
      return Optional.empty();
    }
    if (values.length != parameters) {
      problems.add(
          Problem.at(
              file,
              position,
              "the comment has "
                  + Figures.plural(values.length, "value")
                  + " for "
                  + Figures.plural(parameters, "parameter")
                  + ". Write one value for each parameter"));
      return Optional.empty();
    }
    return Optional.of(values);
  }
}
