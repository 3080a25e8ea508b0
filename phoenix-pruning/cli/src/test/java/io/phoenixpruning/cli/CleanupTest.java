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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class CleanupTest {

  private final List<String> undone = new ArrayList<>();

  @Test
  public void theLastStepIsUndoneFirstAndOnce() throws Exception {
    Cleanup cleanup = new Cleanup(() -> undone.add("interrupted"));
    cleanup.add(() -> undone.add("folder"));
    cleanup.add(() -> undone.add("cluster"));

    cleanup.close();
    cleanup.close();

    assertThat(undone).containsExactly("cluster", "folder");
  }

  @Test
  public void aStepThatFailsKeepsNoOtherFromBeingUndone() {
    Cleanup cleanup = new Cleanup(() -> {});
    cleanup.add(() -> undone.add("folder"));
    cleanup.add(
        () -> {
          throw new IOException("cluster");
        });
    cleanup.add(
        () -> {
          throw new IOException("connection");
        });

    assertThatThrownBy(cleanup::close)
        .hasMessage("connection")
        .satisfies(failure -> assertThat(failure.getSuppressed()[0]).hasMessage("cluster"));
    assertThat(undone).containsExactly("folder");
  }

  @Test
  public void nothingIsAddedAtTheEnd() throws Exception {
    Cleanup cleanup = new Cleanup(() -> {});
    cleanup.close();

    assertThatThrownBy(() -> cleanup.add(() -> undone.add("late")))
        .isInstanceOf(IllegalStateException.class);
  }
}
