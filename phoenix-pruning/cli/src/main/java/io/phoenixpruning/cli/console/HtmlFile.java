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
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** File that an HTML page is written to. */
public final class HtmlFile {

  /** Generates the text of an HTML page. */
  @FunctionalInterface
  public interface Page {

    /** Returns the text of the page. */
    String written() throws IOException;
  }

  private final Path file;

  /**
   * Checks early that {@code file} can be written. Does not write the page yet.
   *
   * @throws RefusedException if {@code file} is a folder, or cannot be written
   */
  public HtmlFile(Path file) {
    this.file = file;
    if (Files.isDirectory(file)) {
      throw new RefusedException(
          "'" + file + "' is a folder. Expected a file for the report. Name a file in the folder");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new RefusedException(
          "the report cannot be written to '"
              + file
              + "', because its folder does not exist. Create '"
              + folder
              + "', or name another file");
    }
    if (!Files.isWritable(folder) || (Files.exists(file) && !Files.isWritable(file))) {
      throw unwritable("", null);
    }
  }

  /**
   * Writes the page atomically, and replaces an existing file.
   *
   * @throws RefusedException if the file cannot be written, or if Java finds no font for the charts
   */
  public void write(Page page) throws IOException {
    String written = written(page);
    try {
      WholeFile.write(file, written);
    } catch (IOException e) {
      throw unwritable(" (" + e + ")", e);
    }
  }

  private static String written(Page page) throws IOException {
    try {
      return page.written();
    } catch (InternalError | LinkageError e) {
      // Java throws these on a machine without fonts, or without the library that reads fonts.
      throw new RefusedException(
          "the charts of the report cannot be drawn without a font ("
              + e
              + "). Install fontconfig and a font such as DejaVu",
          e);
    }
  }

  private RefusedException unwritable(String why, @Nullable IOException cause) {
    return new RefusedException(
        "the report cannot be written to '"
            + file
            + "'"
            + why
            + ". Expected a writable file in a writable folder. Change the permissions, or name"
            + " another file",
        cause);
  }
}
