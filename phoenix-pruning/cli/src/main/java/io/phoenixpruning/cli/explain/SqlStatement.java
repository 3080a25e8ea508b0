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

import java.util.List;
import java.util.Optional;

/**
 * Statement in a file.
 *
 * @param sql text of the statement without the semicolon
 * @param start offset of the first character
 * @param comments comments in the statement and before it, except comments on the line where the
 *     previous statement ends
 * @param flaw reason why the lexer cannot read the statement; empty if it can
 */
public record SqlStatement(
    String sql, Position position, int start, List<SqlComment> comments, Optional<Flaw> flaw) {

  private static final int TITLE = 100;

  /** Text that Phoenix's lexer cannot read. */
  public record Flaw(Position position, String message) {}

  public SqlStatement {
    comments = List.copyOf(comments);
  }

  /** Returns the contents of the comments of one kind. */
  public List<SqlComment> comments(SqlComment.Kind kind) {
    return comments.stream().flatMap(comment -> comment.content(kind).stream()).toList();
  }

  /** Returns the first line of the statement, shortened if it is long. */
  public String title() {
    return title(sql);
  }

  /** Returns the first line of {@code sql}, shortened if it is long. */
  public static String title(String sql) {
    String line = sql.lines().findFirst().orElse("").strip();
    return line.length() <= TITLE ? line : line.substring(0, TITLE - 3) + "...";
  }
}
