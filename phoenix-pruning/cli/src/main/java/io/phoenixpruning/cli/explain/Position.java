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

import java.util.Comparator;

/**
 * A place in a file.
 *
 * @param line from 1
 * @param column from 1
 */
public record Position(int line, int column) implements Comparable<Position> {

  static final Position START = new Position(1, 1);

  @Override
  public int compareTo(Position other) {
    return Comparator.comparingInt(Position::line)
        .thenComparingInt(Position::column)
        .compare(this, other);
  }

  /** Returns the position {@code characters} columns after this one, on the same line. */
  Position plus(int characters) {
    return new Position(line, column + characters);
  }

  /** Returns the position in the file of a position in a text that begins here. */
  Position inFile(Position inText) {
    return inText.line == 1
        ? plus(inText.column - 1)
        : new Position(line + inText.line - 1, inText.column);
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
