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

import org.antlr.runtime.ANTLRStringStream;
import org.antlr.runtime.CharStream;
import org.antlr.runtime.CommonToken;
import org.antlr.runtime.RecognitionException;
import org.apache.phoenix.parse.PhoenixSQLLexer;

/** Phoenix's lexer, which here does not leave out comments, and goes on behind what it refuses. */
final class SqlLexer extends PhoenixSQLLexer {

  private SqlStatement.Flaw flaw;

  SqlLexer(String text) {
    super(new AnyCase(text));
  }

  /** Phoenix compares its words in lower case; the text stays as it is. */
  private static final class AnyCase extends ANTLRStringStream {

    AnyCase(String text) {
      super(text);
    }

    @Override
    public int LA(int i) {
      int next = super.LA(i);
      return next == CharStream.EOF ? next : Character.toLowerCase(next);
    }
  }

  /** What is between two tokens that mean something is a token, too. */
  @Override
  public void skip() {}

  /** Called for a string, a quoted name or a comment that does not end. */
  @Override
  public void reportError(RecognitionException failure) {
    flaw = new SqlStatement.Flaw(position(), "what begins here does not end: close it");
  }

  /** The next token, or null if there is a flaw in its place. */
  CommonToken next() {
    flaw = null;
    CommonToken token = null;
    try {
      token = (CommonToken) nextToken();
    } catch (RuntimeException unexpected) {
      // Phoenix's lexer has no other way to refuse a character.
      flaw = new SqlStatement.Flaw(position(), "'" + getText() + "' is no SQL: take it out");
    }
    return flaw == null ? token : null;
  }

  /** Why there was no token. */
  SqlStatement.Flaw flaw() {
    return flaw;
  }

  /** The offset at which the last token, or the flaw in its place, begins. */
  int start() {
    return state.tokenStartCharIndex;
  }

  /** Where the last token, or the flaw in its place, begins. */
  Position position() {
    return new Position(state.tokenStartLine, state.tokenStartCharPositionInLine + 1);
  }
}
