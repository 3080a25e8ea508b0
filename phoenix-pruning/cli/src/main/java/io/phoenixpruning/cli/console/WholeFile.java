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
package io.phoenixpruning.cli.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Writes files atomically: a reader sees either the complete old text or the complete new text. */
public final class WholeFile {

  private WholeFile() {}

  /**
   * Writes {@code text} in UTF-8. An existing file keeps its permissions. If {@code file} is a
   * symbolic link, the link stays.
   *
   * @throws IOException if the file or its folder cannot be written; no temporary file is left
   */
  public static void write(Path file, String text) throws IOException {
    boolean exists = Files.exists(file);
    Path target = exists ? file.toRealPath() : file.toAbsolutePath();
    Path temporary = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    try {
      if (exists) {
        Files.copy(target, temporary, StandardCopyOption.COPY_ATTRIBUTES);
      } else {
        Files.createFile(temporary);
      }
      Files.writeString(temporary, text, StandardCharsets.UTF_8);
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      delete(temporary, e);
      throw e;
    }
  }

  private static void delete(Path temporary, IOException failure) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
