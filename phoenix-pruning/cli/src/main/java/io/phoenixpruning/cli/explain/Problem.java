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

import java.nio.file.Path;
import java.util.Optional;

/**
 * Problem in a file, such as a statement that cannot be planned.
 *
 * @param position position of the problem; empty if it concerns the whole file
 * @param message one sentence that says what was given, what is allowed, and how to correct it
 */
public record Problem(Path file, Optional<Position> position, String message) {

  public static Problem at(Path file, Position position, String message) {
    return new Problem(file, Optional.of(position), message);
  }

  /** Returns the problem as compilers print errors: {@code file:line:column: message}. */
  @Override
  public String toString() {
    return file + ":" + position.map(place -> place + ":").orElse("") + " " + message;
  }
}
