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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Test;

public class CleanupTest {

  private final List<String> steps = new ArrayList<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Cleanup cleanup =
      new Cleanup(
          "pruning demo",
          () -> "undid " + steps,
          new PrintStream(err, true, StandardCharsets.UTF_8));

  @After
  public void removeTheHook() {
    try {
      cleanup.close();
    } catch (Exception expected) {
      // The test made a step fail.
    }
  }

  private String printed() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  public void theLastStepIsUndoneFirstAndOnce() throws Exception {
    cleanup.add(() -> steps.add("folder"));
    cleanup.add(() -> steps.add("cluster"));

    cleanup.close();
    cleanup.close();

    assertThat(steps).containsExactly("cluster", "folder");
    assertThat(printed()).isEmpty();
  }

  @Test
  public void aFailedStepDoesNotPreventTheOthers() {
    cleanup.add(() -> steps.add("folder"));
    cleanup.add(
        () -> {
          throw new NoClassDefFoundError("cluster");
        });
    cleanup.add(
        () -> {
          throw new IOException("connection");
        });

    assertThatThrownBy(cleanup::close)
        .hasMessage("connection")
        .satisfies(failure -> assertThat(failure.getSuppressed()[0]).hasMessage("cluster"));
    assertThat(steps).containsExactly("folder");
  }

  @Test
  public void theOutcomeIsPrintedWhenInterrupted() {
    cleanup.add(() -> steps.add("folder"));

    cleanup.runAtShutdown();

    assertThat(printed())
        .isEqualTo("pruning demo: interrupted; undid [folder]" + System.lineSeparator());
  }

  @Test
  public void successIsNotClaimedWhenAStepFailed() {
    cleanup.add(
        () -> {
          throw new IOException("Cannot delete /tmp/x");
        });

    cleanup.runAtShutdown();

    assertThat(printed())
        .startsWith(
            "pruning demo: interrupted; could not stop or delete everything: Cannot delete /tmp/x"
                + " (");
  }

  @Test
  public void successIsNotClaimedWhenAStepFailedBefore() {
    cleanup.add(
        () -> {
          throw new IOException("Cannot delete /tmp/x");
        });

    assertThatThrownBy(cleanup::close).hasMessage("Cannot delete /tmp/x");
    cleanup.runAtShutdown();

    assertThat(printed()).contains("could not stop or delete everything: Cannot delete /tmp/x (");
  }

  @Test
  public void nothingIsAddedAtTheEnd() throws Exception {
    cleanup.close();

    assertThatThrownBy(() -> cleanup.add(() -> steps.add("late")))
        .isInstanceOf(IllegalStateException.class);
  }
}
