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
package io.phoenixpruning.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder under {@code java.io.tmpdir} that is deleted with all that is in it. */
final class TemporaryFolder {

  private final Path path;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes a new folder.
   *
   * @throws RefusedException if it cannot be made
   */
  static TemporaryFolder create(String prefix) {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      return new TemporaryFolder(Files.createTempDirectory(parent, prefix).toRealPath());
    } catch (IOException e) {
      throw new RefusedException(
          "no temporary folder can be made in "
              + parent
              + " ("
              + e.getClass().getSimpleName()
              + "), but a folder that can be written is needed: set TMPDIR to one",
          e);
    }
  }

  Path path() {
    return path;
  }

  /**
   * Deletes the folder.
   *
   * @throws IOException if something is left
   */
  void delete() throws IOException {
    Deletion.of(path);
  }
}
