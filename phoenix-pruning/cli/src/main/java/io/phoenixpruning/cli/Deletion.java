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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Deletes folders recursively. */
final class Deletion {

  /** Maximum number of attempts. Servers that were just stopped may still add or delete files. */
  private static final int ATTEMPTS = 20;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Deletion() {}

  /**
   * Deletes {@code folder} and its content. Does nothing if the folder does not exist.
   *
   * @throws IOException if a file cannot be deleted
   */
  static void deleteTree(Path folder) throws IOException {
    for (int attempt = 1; Files.exists(folder); attempt++) {
      try {
        for (Path each : deepestFirst(folder)) {
          Files.deleteIfExists(each);
        }
      } catch (IOException | UncheckedIOException changed) {
        if (attempt == ATTEMPTS) {
          throw new IOException("Cannot delete " + folder, changed);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static List<Path> deepestFirst(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
