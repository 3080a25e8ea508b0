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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests that the examples in docs/explain.md and docs/advise.md print what these pages say. */
public class DocumentExamplesTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  /** Returns the content of the first fenced block of a page that begins with a text. */
  private static String block(String page, String beginning) throws IOException {
    Matcher matcher =
        Pattern.compile("```\\w*\\n(" + Pattern.quote(beginning) + ".*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "..", "docs", page + ".md")));
    assertThat(matcher.find()).as("A block that begins with '%s'", beginning).isTrue();
    return matcher.group(1);
  }

  @Test
  public void explainPrintsTheExample() throws IOException {
    assertThatPrints("explain", 1, "schema", "queries");
  }

  @Test
  public void advisePrintsTheExample() throws IOException {
    assertThatPrints("advise", 0, "shop", "workload");
  }

  /**
   * Asserts that the example of a command prints the output that the page of the command shows.
   *
   * @param files names of the input files; each has a block on the page that begins with its name
   */
  private void assertThatPrints(String command, int exitCode, String... files) throws IOException {
    String folder = temporary.getRoot() + "/";
    for (String file : files) {
      Files.writeString(Path.of(folder, file + ".sql"), block(command, "-- " + file + ".sql"));
    }
    String example = block(command, "> ./pruning " + command);
    String[] arguments =
        example
            .lines()
            .findFirst()
            .orElseThrow()
            .replace("> ./pruning " + command + " ", "")
            .replaceAll("(\\w+\\.sql)", Matcher.quoteReplacement(folder) + "$1")
            .split(" ");
    CommandRun run = CommandRun.of(command, (Object[]) arguments);

    assertThat(run.out().replace(folder, ""))
        .isEqualTo(example.substring(example.indexOf('\n') + 1));
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }
}
