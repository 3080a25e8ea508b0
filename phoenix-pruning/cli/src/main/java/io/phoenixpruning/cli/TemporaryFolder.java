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

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A folder under {@code java.io.tmpdir} that can be deleted with its content. */
public final class TemporaryFolder {

  private final String prefix;
  private @Nullable Path path;
  private boolean deleted;

  /**
   * Creates an object for a folder that does not exist yet.
   *
   * @param prefix beginning of the folder's name
   */
  public TemporaryFolder(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Creates the folder.
   *
   * @throws RefusedException if the folder cannot be created
   * @throws IllegalStateException if {@link #delete} was called before
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
          "cannot create a temporary folder in "
              + parent
              + " ("
              + e.getClass().getSimpleName()
              + "). Set TMPDIR to a writable folder",
          e);
    }
  }

  /**
   * Returns the path of the folder, or empty if it was never created. After a deletion, still
   * returns the path.
   */
  public synchronized Optional<Path> path() {
    return Optional.ofNullable(path);
  }

  /**
   * Deletes the folder if it exists. Afterwards, the folder cannot be created again.
   *
   * @throws IOException if a file cannot be deleted
   */
  public synchronized void delete() throws IOException {
    deleted = true;
    if (path != null) {
      Deletion.deleteTree(path);
    }
  }
}
