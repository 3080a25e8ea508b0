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
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.antlr.runtime.CommonToken;
import org.antlr.runtime.Token;
import org.apache.phoenix.parse.PhoenixSQLLexer;
import org.jspecify.annotations.Nullable;

/**
 * File of statements that end with semicolons; the last statement may lack the semicolon. Phoenix's
 * own lexer recognizes strings, quoted names, hints and comments.
 *
 * @param problems problems with comments, and a file without statements. A comment for a command is
 *     a problem if it belongs to no statement, is misspelled or would be skipped in part. Problems
 *     of statements are not included
 */
public record SqlScript(
    Path file, String text, List<SqlStatement> statements, List<Problem> problems) {

  /**
   * Reads {@code file}.
   *
   * @throws RefusedException if the file cannot be read, or is not in UTF-8
   */
  public static SqlScript read(Path file) {
    try {
      return parse(file, Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw new RefusedException("does not exist. Expected a file with SQL statements", e);
    } catch (CharacterCodingException e) {
      throw new RefusedException("is not in UTF-8. Convert it to UTF-8", e);
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "access is denied" : e.getReason();
      throw new RefusedException("cannot be read (" + reason + "). Expected a readable file", e);
    } catch (IOException e) {
      throw new RefusedException(
          "cannot be read (" + e.getMessage() + "). Expected a readable file", e);
    }
  }

  static SqlScript parse(Path file, String text) {
    Parser parser = new Parser(text);
    parser.parse();
    return new SqlScript(file, text, List.copyOf(parser.statements), parser.problems(file));
  }

  /**
   * Returns the statements that have a comment with a problem. A comment that belongs to no
   * statement counts for the statement before it.
   */
  Set<SqlStatement> statementsWithProblems() {
    Set<SqlStatement> found = new HashSet<>();
    for (Problem problem : problems) {
      problem.position().flatMap(this::statementOf).ifPresent(found::add);
    }
    return found;
  }

  /**
   * Returns the statement with a comment at {@code position}, or otherwise the last statement
   * before {@code position}.
   */
  private Optional<SqlStatement> statementOf(Position position) {
    Optional<SqlStatement> before = Optional.empty();
    for (SqlStatement statement : statements) {
      if (statement.comments().stream().anyMatch(comment -> comment.position().equals(position))) {
        return Optional.of(statement);
      }
      if (statement.position().compareTo(position) < 0) {
        before = Optional.of(statement);
      }
    }
    return before;
  }

  /** Groups tokens into statements. */
  private static final class Parser {

    private final String text;
    private final SqlLexer lexer;
    private final List<SqlStatement> statements = new ArrayList<>();
    private final List<SqlComment> leftOver = new ArrayList<>();

    private final List<SqlComment> all = new ArrayList<>();

    private List<SqlComment> comments = new ArrayList<>();
    private Optional<SqlStatement.Flaw> flaw = Optional.empty();
    private @Nullable Position first;
    private int start;
    private int end;

    /** Line on which the last statement ended. */
    private int lastLine;

    Parser(String text) {
      this.text = text;
      // Phoenix's lexer expects a line end after a line comment.
      this.lexer = new SqlLexer(text + "\n");
    }

    void parse() {
      while (true) {
        CommonToken token = lexer.next();
        if (token == null) {
          flaw = flaw.or(() -> Optional.of(lexer.flaw()));
          add(lexer.getCharIndex());
        } else if (token.getType() == Token.EOF) {
          finish(lexer.position().line());
          leftOver.addAll(comments.stream().filter(SqlComment::isForThisCommand).toList());
          return;
        } else {
          add(token);
        }
      }
    }

    private void add(CommonToken token) {
      switch (token.getType()) {
        case PhoenixSQLLexer.WS, PhoenixSQLLexer.EOL -> {}
        case PhoenixSQLLexer.SEMICOLON -> finish(token.getLine());
        case PhoenixSQLLexer.SL_COMMENT, PhoenixSQLLexer.ML_COMMENT -> addComment(token);
        default -> add(token.getStopIndex() + 1);
      }
    }

    /** Adds the last token or flaw, which ends before the offset {@code to}. */
    private void add(int to) {
      if (first == null) {
        first = lexer.position();
        start = lexer.start();
      }
      end = Math.min(to, text.length());
    }

    private void addComment(CommonToken token) {
      String comment =
          text.substring(token.getStartIndex(), Math.min(token.getStopIndex() + 1, text.length()));
      SqlComment added =
          new SqlComment(
              comment.replaceFirst("[\\r\\n]+$", ""), lexer.position(), token.getStartIndex());
      all.add(added);
      if (first != null || lastLine != token.getLine()) {
        comments.add(added);
      } else if (added.isForThisCommand()) {
        leftOver.add(added);
      }
    }

    List<Problem> problems(Path file) {
      List<Problem> problems = new ArrayList<>();
      for (SqlComment comment : leftOver) {
        problems.add(
            Problem.at(
                file,
                comment.position(),
                "this comment belongs to no statement. Expected it before a statement or inside"
                    + " one. Move it"));
      }
      for (SqlComment comment : all) {
        comment
            .refusal()
            .ifPresent(message -> problems.add(Problem.at(file, comment.position(), message)));
      }
      if (statements.isEmpty()) {
        problems.add(
            new Problem(
                file,
                Optional.empty(),
                "has no statement. Expected SQL statements, separated by semicolons. Write one, or"
                    + " leave the file out"));
      }
      return List.copyOf(problems);
    }

    private void finish(int line) {
      if (first != null) {
        // Phoenix's lexer places an unterminated comment after the end of the text.
        int begin = Math.min(start, end);
        statements.add(new SqlStatement(text.substring(begin, end), first, begin, comments, flaw));
        comments = new ArrayList<>();
        flaw = Optional.empty();
        first = null;
        lastLine = line;
      }
    }
  }
}
