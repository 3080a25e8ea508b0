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
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * A comment in a file of statements.
 *
 * @param text with what makes it a comment, but without the end of its line
 * @param start the offset of its first character
 */
public record SqlComment(String text, Position position, int start) {

  /** What a comment tells a command. */
  public enum Kind {
    EXPECT("expect: regions <= 3, index = I2", "(?:table|regions|index|layout|scan)\\s*[=<>~!].*"),
    BIND("bind: 25, 'x'", "(?:'|-?\\d|\\?|null\\b|true\\b|false\\b|to_\\w+\\().*"),
    WEIGHT("weight: 10", "[\\d.,]+");

    /** Typing errors in the first word of a comment up to which it is taken for this kind's. */
    private static final int TYPING_ERRORS = 2;

    private final String example;
    private final Pattern contentWithoutColon;

    Kind(String example, String contentWithoutColon) {
      this.example = example;
      this.contentWithoutColon =
          Pattern.compile(contentWithoutColon, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    /** The word that such a comment begins with. */
    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private boolean isWord(String first) {
      return first.equalsIgnoreCase(word());
    }

    /** Returns true if {@code first} is this kind's word, another form of it or a misspelling. */
    private boolean isLike(String first) {
      String lower = first.toLowerCase(Locale.ROOT);
      return lower.startsWith(word())
          || new LevenshteinDistance(TYPING_ERRORS).apply(word(), lower) >= 0;
    }
  }

  private static final Pattern LINE = form("(?:-{2,}|/{2,})", "");
  private static final Pattern BLOCK = form("/\\*+", "\\*+/");

  private static Pattern form(String begin, String end) {
    return Pattern.compile(
        begin + "\\s*(?<word>\\p{Alpha}+)\\s*(?<colon>:?)(?<content>.*?)" + end, Pattern.DOTALL);
  }

  /** The offset behind its last character. */
  int end() {
    return start + text.length();
  }

  /** Returns true for a comment in slashes and asterisks, after which the line can go on. */
  boolean isBlock() {
    return text.startsWith("/*");
  }

  private Optional<Matcher> parsed() {
    Matcher matcher = (isBlock() ? BLOCK : LINE).matcher(text);
    return matcher.matches() ? Optional.of(matcher) : Optional.empty();
  }

  /** What stands behind {@code expect:} or another kind; empty if the comment is not of it. */
  Optional<SqlComment> content(Kind kind) {
    return parsed()
        .filter(comment -> kind.isWord(comment.group("word")))
        .filter(comment -> !comment.group("colon").isEmpty())
        .map(
            comment ->
                new SqlComment(
                    comment.group("content"),
                    at(comment.start("content")),
                    start + comment.start("content")));
  }

  /** Returns true if it tells a command anything. */
  boolean isForThisCommand() {
    return Arrays.stream(Kind.values()).anyMatch(kind -> content(kind).isPresent());
  }

  /**
   * Returns why this comment would be skipped although it looks as if it told a command something:
   * it lacks the colon, or its first word is misspelled. Empty for all other comments.
   */
  Optional<String> misspelling() {
    if (isForThisCommand()) {
      return Optional.empty();
    }
    return parsed()
        .flatMap(
            comment ->
                Arrays.stream(Kind.values())
                    .filter(kind -> kind.isLike(comment.group("word")))
                    .filter(
                        kind ->
                            !comment.group("colon").isEmpty()
                                || kind.contentWithoutColon
                                    .matcher(comment.group("content").strip())
                                    .matches())
                    .map(
                        kind ->
                            "this comment begins with '"
                                + comment.group("word")
                                + comment.group("colon")
                                + "', which no command knows. Expected '"
                                + kind.word()
                                + ":'. Write -- "
                                + kind.example
                                + ", or begin the comment with another word")
                    .findFirst());
  }

  /** The place in the file of the character at {@code offset} of {@link #text}. */
  Position at(int offset) {
    String before = text.substring(0, offset);
    int lineStart = before.lastIndexOf('\n') + 1;
    int line = 1 + (int) before.chars().filter(character -> character == '\n').count();
    return position.of(new Position(line, 1 + offset - lineStart));
  }
}
