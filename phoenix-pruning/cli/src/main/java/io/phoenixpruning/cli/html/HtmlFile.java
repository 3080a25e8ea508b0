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
package io.phoenixpruning.cli.html;

import io.phoenixpruning.cli.RefusedException;
import io.phoenixpruning.cli.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a page of HTML is written to. */
public final class HtmlFile {

  /** Makes a page. */
  @FunctionalInterface
  public interface Page {

    /** The text of the page, from {@link Markup#written()}. */
    String written() throws IOException;
  }

  private final Path file;

  /**
   * A page that is not written yet, so that a file that cannot be written is known early.
   *
   * @throws RefusedException if {@code file} is a folder, or cannot be written
   */
  public HtmlFile(Path file) {
    this.file = file;
    if (Files.isDirectory(file)) {
      throw new RefusedException(
          "'" + file + "' is a folder, but the report is a file: name a file in it");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new RefusedException(
          "the report cannot be written to '"
              + file
              + "', because its folder is missing: make '"
              + folder
              + "', or name another file");
    }
    if (!Files.isWritable(folder) || (Files.exists(file) && !Files.isWritable(file))) {
      throw unwritable("", null);
    }
  }

  /**
   * Writes all of it at once, and replaces what was there.
   *
   * @throws RefusedException if it cannot be written, or Java finds no font for its charts
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
      // What Java throws on a machine without fonts, or without the library that reads them.
      throw new RefusedException(
          "the charts of the report cannot be drawn ("
              + e
              + "), but need a font: install fontconfig and a font such as DejaVu",
          e);
    }
  }

  private RefusedException unwritable(String why, IOException cause) {
    return new RefusedException(
        "the report cannot be written to '"
            + file
            + "'"
            + why
            + ", but it and its folder have to be writable: make them so, or name another file",
        cause);
  }
}
