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

import java.util.Objects;
import org.antlr.runtime.ANTLRStringStream;
import org.antlr.runtime.CharStream;
import org.antlr.runtime.CommonToken;
import org.antlr.runtime.RecognitionException;
import org.apache.phoenix.parse.PhoenixSQLLexer;
import org.jspecify.annotations.Nullable;

/** Phoenix's lexer, changed to return comments and to continue after text that it cannot read. */
final class SqlLexer extends PhoenixSQLLexer {

  private SqlStatement.@Nullable Flaw flaw;

  SqlLexer(String text) {
    super(new CaseInsensitiveStream(text));
  }

  /**
   * Text that the lexer sees in lower case, because Phoenix matches keywords in lower case. The
   * text itself does not change.
   */
  private static final class CaseInsensitiveStream extends ANTLRStringStream {

    CaseInsensitiveStream(String text) {
      super(text);
    }

    @Override
    public int LA(int i) {
      int next = super.LA(i);
      return next == CharStream.EOF ? next : Character.toLowerCase(next);
    }
  }

  /** Does nothing, so that white space and comments are tokens, too. */
  @Override
  public void skip() {}

  /** Records a flaw for a string, a quoted name or a comment that does not end. */
  @Override
  public void reportError(RecognitionException failure) {
    flaw = new SqlStatement.Flaw(position(), "the quote or comment that begins here is not closed");
  }

  /** Returns the next token, or null if there is a flaw instead of a token. */
  @Nullable CommonToken next() {
    flaw = null;
    CommonToken token = null;
    try {
      token = (CommonToken) nextToken();
    } catch (RuntimeException unexpected) {
      // Phoenix's lexer throws a RuntimeException for a character that it refuses.
      flaw = new SqlStatement.Flaw(position(), "'" + getText() + "' is not valid SQL. Remove it");
    }
    return flaw == null ? token : null;
  }

  /** Returns the reason why {@link #next} returned no token. */
  SqlStatement.Flaw flaw() {
    return Objects.requireNonNull(flaw, "next returned a token");
  }

  /** Returns the offset at which the last token or flaw begins. */
  int start() {
    return state.tokenStartCharIndex;
  }

  /** Returns the position at which the last token or flaw begins. */
  Position position() {
    return new Position(state.tokenStartLine, state.tokenStartCharPositionInLine + 1);
  }
}
