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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LoggedExceptionTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private static Callable<Void> failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  @Test
  public void aFailureNamesTheLog() {
    Path log = Path.of("data/log");

    assertThatThrownBy(
            () ->
                LoggedException.callAndNameLog(
                    () -> Optional.of(log),
                    failing(new Exception("cannot load", new IOException("disk full")))))
        .extracting(OneLineErrors::describe)
        .asString()
        .startsWith("cannot load; cause: disk full (see data/log; PRUNING_OPTS=");
  }

  @Test
  public void withoutALogTheFailureIsLeftAsItIs() {
    IOException failure = new IOException("disk full");

    assertThatThrownBy(() -> LoggedException.callAndNameLog(Optional::empty, failing(failure)))
        .isSameAs(failure);
  }

  @Test
  public void aRefusalNeedsNoLog() {
    RefusedException refusal = new RefusedException("Syntax error");

    assertThatThrownBy(
            () ->
                LoggedException.callAndNameLog(
                    () -> {
                      throw new AssertionError("asked for");
                    },
                    failing(refusal)))
        .isSameAs(refusal);
  }

  @Test
  public void aCopyOutlivesTheLog() throws IOException {
    Path log = temporary.newFile("log").toPath();
    Files.writeString(log, "text");

    Path copy = LoggedException.copyLog(log, "pruning-test-").orElseThrow();
    try {
      assertThat(copy).hasContent("text");
      assertThat(copy.getParent()).isEqualTo(Path.of(System.getProperty("java.io.tmpdir")));
    } finally {
      Files.delete(copy);
    }
    assertThat(LoggedException.copyLog(log.resolveSibling("missing"), "pruning-test-")).isEmpty();
  }
}
