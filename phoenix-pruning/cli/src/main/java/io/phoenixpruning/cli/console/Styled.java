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

import picocli.CommandLine.Help.Ansi;

/** Formats text in a style. */
public final class Styled {

  private Styled() {}

  /**
   * Formats {@code text}, which may contain input of users.
   *
   * @param style style in picocli's markup, such as {@code bold,red}
   */
  public static String text(Ansi ansi, String style, String text) {
    // The characters |@ would end the style.
    return ansi.new Text("@|" + style + " " + text.replace("|@", "| @") + "|@").toString();
  }
}
