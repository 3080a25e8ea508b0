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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

public class ProgressTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  public void withoutATerminalATaskIsALine() throws Exception {
    String result =
        new Progress(out, false)
            .run(
                "Load",
                2,
                done -> {
                  done.accept(1);
                  return "loaded";
                });

    assertThat(result).isEqualTo("loaded");
    assertThat(printed()).matches("Load +\\d+\\.\\d s\\R");
  }

  @Test
  public void onATerminalATaskHasABar() throws Exception {
    new Progress(out, true)
        .run(
            "Load",
            2,
            done -> {
              done.accept(2);
              return null;
            });

    assertThat(printed()).contains("Load").contains("2/2");
  }

  @Test
  public void aTaskThatFailsIsNotReportedAsDone() {
    assertThatThrownBy(
            () ->
                new Progress(out, false)
                    .run(
                        "Load",
                        2,
                        done -> {
                          throw new IOException("no space");
                        }))
        .hasMessage("no space");
    assertThat(printed()).isEmpty();
  }
}
