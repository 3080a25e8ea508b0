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

/**
 * Comment in a file of statements.
 *
 * @param text text with the comment delimiters, but without the line end
 * @param start offset of the first character
 */
public record SqlComment(String text, Position position, int start) {

  /** Kind of comment that a command reads. */
  public enum Kind {
    EXPECT("expect: regions <= 3, index = I2"),
    BIND("bind: 25, 'x'"),
    WEIGHT("weight: 10");

    private final String example;

    Kind(String example) {
      this.example = example;
    }

    /** Returns the word that a comment of this kind begins with. */
    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private boolean isWord(String first) {
      return first.equalsIgnoreCase(word());
    }

    /** Returns true if {@code text} looks like the content of such a comment rather than prose. */
    private boolean isLikeContent(String text) {
      String content = text.strip();
      return switch (this) {
        case EXPECT -> ExpectationParser.isLikeConditions(content);
        case BIND -> BINDS.matcher(content).matches();
        case WEIGHT -> NUMBER.matcher(content).matches();
      };
    }
  }

  private static final Pattern BINDS =
      Pattern.compile(
          "(?:'|-?\\d|\\?|null\\b|true\\b|false\\b|to_\\w+\\().*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Pattern NUMBER =
      Pattern.compile("[-+.]?\\d[-+\\d.,e]*", Pattern.CASE_INSENSITIVE);

  private static final Pattern LINE = form("(?:-{2,}|/{2,})", "");
  private static final Pattern BLOCK = form("/\\*[*\\s]*", "\\*+/");

  /** Matches the asterisk at the beginning of a line in a block comment, as in Javadoc. */
  private static final Pattern MARGIN = Pattern.compile("(\\R[ \\t]*)\\*");

  /** Matches a word and a colon at the beginning of a line that is not the first one. */
  private static final Pattern LATER_LINE =
      Pattern.compile(
          "\\R[ \\t*]*(?<word>\\p{Alpha}+)[ \\t]*:(?<content>.*?)(?:\\*+/)?$", Pattern.MULTILINE);

  private static Pattern form(String begin, String end) {
    return Pattern.compile(
        begin + "\\s*(?<word>\\p{Alpha}+)\\s*(?<sign>[:=]?)(?<content>.*?)" + end, Pattern.DOTALL);
  }

  /** Returns the offset after the last character. */
  int end() {
    return start + text.length();
  }

  /** Returns true for a block comment, after which the line can continue. */
  boolean isBlock() {
    return text.startsWith("/*");
  }

  private Optional<Matcher> parsed() {
    Matcher matcher = (isBlock() ? BLOCK : LINE).matcher(text);
    return matcher.matches() ? Optional.of(matcher) : Optional.empty();
  }

  /**
   * Returns the text after the word and the colon, such as {@code expect:}. Asterisks in the margin
   * become blanks. Returns empty if the comment is of another kind.
   */
  Optional<SqlComment> content(Kind kind) {
    return parsed()
        .filter(comment -> kind.isWord(comment.group("word")))
        .filter(comment -> comment.group("sign").equals(":"))
        .map(
            comment ->
                new SqlComment(
                    MARGIN.matcher(comment.group("content")).replaceAll("$1 "),
                    at(comment.start("content")),
                    start + comment.start("content")));
  }

  /** Returns true if a command reads this comment. */
  boolean isForThisCommand() {
    return Arrays.stream(Kind.values()).anyMatch(kind -> content(kind).isPresent());
  }

  /**
   * Returns an error message if no command reads this comment, or a line of it, although it looks
   * intended for a command. Returns empty for all other comments.
   */
  Optional<String> refusal() {
    Optional<String> later = laterLine();
    return later.isPresent() || isForThisCommand() ? later : misspelling();
  }

  /**
   * Returns an error message if a line after the first one of a block looks intended for a command.
   */
  private Optional<String> laterLine() {
    Matcher line = LATER_LINE.matcher(text);
    int from = parsed().map(comment -> comment.end("word")).orElse(0);
    for (boolean isFound = line.find(from); isFound; isFound = line.find()) {
      for (Kind kind : Kind.values()) {
        if (kind.isWord(line.group("word")) && kind.isLikeContent(line.group("content"))) {
          return Optional.of(
              "this comment has '"
                  + line.group("word")
                  + ":' on a later line, where no command reads it. Expected it at the beginning of"
                  + " a comment. Write -- "
                  + kind.example
                  + " in a comment of its own");
        }
      }
    }
    return Optional.empty();
  }

  /** Returns an error message if the first word is misspelled or lacks the colon. */
  private Optional<String> misspelling() {
    return parsed()
        .flatMap(
            comment ->
                Arrays.stream(Kind.values())
                    .filter(kind -> Spelling.isLike(kind.word(), comment.group("word")))
                    .filter(
                        kind ->
                            comment.group("sign").equals(":")
                                || kind.isLikeContent(comment.group("content")))
                    .map(
                        kind ->
                            "this comment begins with '"
                                + comment.group("word")
                                + comment.group("sign")
                                + "', which no command knows. Expected '"
                                + kind.word()
                                + ":'. Write -- "
                                + kind.example
                                + ", or begin the comment with another word")
                    .findFirst());
  }

  /** Returns the position in the file of the character at {@code offset} of {@link #text}. */
  Position at(int offset) {
    String before = text.substring(0, offset);
    int lineStart = before.lastIndexOf('\n') + 1;
    int line = 1 + (int) before.chars().filter(character -> character == '\n').count();
    return position.inFile(new Position(line, 1 + offset - lineStart));
  }
}
