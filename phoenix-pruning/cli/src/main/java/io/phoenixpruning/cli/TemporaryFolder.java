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
import java.util.Optional;

/** A folder under {@code java.io.tmpdir} that is deleted with all that is in it. */
public final class TemporaryFolder {

  private final String prefix;
  private Path path;
  private boolean deleted;

  /**
   * A folder that is not there yet.
   *
   * @param prefix how its name begins
   */
  public TemporaryFolder(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Makes the folder.
   *
   * @throws RefusedException if it cannot be made
   * @throws IllegalStateException if it was deleted
   */
  public synchronized Path create() {
    if (deleted) {
      throw new IllegalStateException("Deleted");
    }
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      path = Files.createTempDirectory(parent, prefix).toRealPath();
      return path;
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

  /** Where it is or was; empty if it was not made. */
  public synchronized Optional<Path> path() {
    return Optional.ofNullable(path);
  }

  /**
   * Deletes the folder, if it was made; it is not made after that.
   *
   * @throws IOException if something is left
   */
  public synchronized void delete() throws IOException {
    deleted = true;
    if (path != null) {
      Deletion.of(path);
    }
  }
}
