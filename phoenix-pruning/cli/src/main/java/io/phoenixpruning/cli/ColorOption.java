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

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option {@code --color}. If the option is missing, the terminal and the variable NO_COLOR
 * decide.
 */
final class ColorOption {

  /** Values of the option {@code --color}. */
  enum When {
    auto,
    always,
    never
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description =
          "When to use colors: auto, always or never. Default: auto, which follows the terminal and"
              + " NO_COLOR.")
  void set(When when) {
    Ansi ansi =
        switch (when) {
          case auto -> Ansi.AUTO;
          case always -> Ansi.ON;
          case never -> Ansi.OFF;
        };
    command.commandLine().setColorScheme(CommandLine.Help.defaultColorScheme(ansi));
  }
}
