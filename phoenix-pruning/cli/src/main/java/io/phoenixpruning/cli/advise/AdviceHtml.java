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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.HtmlFile;
import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.nio.file.Path;

/** Writes advice as an HTML page with charts. The page needs no other file and no network. */
public final class AdviceHtml {

  private final HtmlFile file;

  /**
   * Creates a page for {@code file} and checks that the file can be written, so that the caller
   * fails early. Writes nothing yet.
   *
   * @throws RefusedException if {@code file} is a folder, or cannot be written
   */
  public AdviceHtml(Path file) {
    this.file = new HtmlFile(file);
  }

  /**
   * Writes the whole page in one atomic step and replaces an existing file.
   *
   * @throws RefusedException if the file cannot be written, or Java finds no font for the charts
   */
  public void write(Advice advice) throws IOException {
    file.write(() -> new AdvicePage(advice).written());
  }
}
