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

import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.antlr.runtime.RecognitionException;

/** Phoenix's error message for a statement, with the position of the error in the file. */
record SqlFailure(Position position, String message) {

  /**
   * Matches the position of an error in Phoenix's message, which counts from the start of the
   * statement.
   */
  private static final Pattern PLACE = Pattern.compile(" at line -?\\d+, column -?\\d+\\.?");

  /** Returns the failure of a statement that begins at {@code start}. */
  static SqlFailure of(SQLException failure, Position start) {
    String message =
        Optional.ofNullable(failure.getMessage())
            .orElseGet(failure::toString)
            .strip()
            .replaceAll("\\s*\\R\\s*", " ");
    return new SqlFailure(
        findPosition(failure).map(start::inFile).orElse(start),
        PLACE.matcher(message).replaceAll(""));
  }

  /**
   * Returns the position of an error, counted from the start of the statement. Returns empty if the
   * error has no single position, or is at the end of the statement.
   */
  private static Optional<Position> findPosition(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RecognitionException syntax && syntax.line > 0) {
        return Optional.of(new Position(syntax.line, syntax.charPositionInLine + 1));
      }
    }
    return Optional.empty();
  }
}
