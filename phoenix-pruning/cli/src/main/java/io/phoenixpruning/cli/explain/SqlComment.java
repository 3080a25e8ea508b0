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

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comment in a file of statements.
 *
 * @param text with what makes it a comment, but without the end of its line
 * @param start the offset of its first character
 */
public record SqlComment(String text, Position position, int start) {

  /** What a comment tells a command. */
  public enum Kind {
    EXPECT,
    BIND,
    WEIGHT;

    private final Pattern syntax =
        Pattern.compile("(?:--|//)\\s*" + name() + "\\s*:(.*)", Pattern.CASE_INSENSITIVE);
  }

  /** The offset behind its last character. */
  int end() {
    return start + text.length();
  }

  /** What stands behind {@code expect:} or another kind; empty if the comment is not of it. */
  Optional<SqlComment> content(Kind kind) {
    Matcher matcher = kind.syntax.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new SqlComment(
                matcher.group(1), position.plus(matcher.start(1)), start + matcher.start(1)))
        : Optional.empty();
  }

  /** Whether it tells a command anything. */
  boolean isForThisCommand() {
    return Arrays.stream(Kind.values()).anyMatch(kind -> content(kind).isPresent());
  }
}
