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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The example of README.md prints what README.md says. */
public class ReadmeTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  /** What stands between the fences of the first block that begins with {@code beginning}. */
  private static String block(String beginning) throws IOException {
    Matcher matcher =
        Pattern.compile("```\\w*\\n(" + Pattern.quote(beginning) + ".*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "..", "README.md")));
    assertThat(matcher.find()).as("A block that begins with '%s'", beginning).isTrue();
    return matcher.group(1);
  }

  @Test
  public void explainPrintsWhatItSays() throws IOException {
    String folder = temporary.getRoot() + "/";
    Files.writeString(Path.of(folder, "schema.sql"), block("-- schema.sql"));
    Files.writeString(Path.of(folder, "queries.sql"), block("-- queries.sql"));
    String example = block("> ./pruning explain");
    String[] arguments =
        example
            .lines()
            .findFirst()
            .orElseThrow()
            .replace("> ./pruning ", "")
            .replaceAll("(\\w+\\.sql)", Matcher.quoteReplacement(folder) + "$1")
            .split(" ");
    StringWriter out = new StringWriter();
    int exitCode = Pruning.execute(Pruning.commandLine().setOut(new PrintWriter(out)), arguments);

    assertThat(out.toString().replace(folder, ""))
        .isEqualTo(example.substring(example.indexOf('\n') + 1));
    assertThat(exitCode).isEqualTo(1);
  }
}
