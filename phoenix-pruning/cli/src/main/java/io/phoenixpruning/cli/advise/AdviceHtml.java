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

import io.phoenixpruning.cli.RefusedException;
import io.phoenixpruning.cli.html.HtmlFile;
import java.io.IOException;
import java.nio.file.Path;

/** Writes advice as a page of HTML, with charts, that needs no other file and no network. */
public final class AdviceHtml {

  private final HtmlFile file;

  /**
   * A page that is not written yet, so that a file that cannot be written is known early.
   *
   * @throws RefusedException if {@code file} is a folder, or cannot be written
   */
  public AdviceHtml(Path file) {
    this.file = new HtmlFile(file);
  }

  /**
   * Writes all of it at once, and replaces what was there.
   *
   * @throws RefusedException if it cannot be written, or Java finds no font for its charts
   */
  public void write(Advice advice) throws IOException {
    file.write(() -> new AdvicePage(advice).written());
  }
}
