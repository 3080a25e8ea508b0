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

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DiskSpaceTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private DiskSpace disk;

  @Before
  public void find() {
    disk = new DiskSpace(temporary.getRoot().toPath(), "set TMPDIR to another disk");
  }

  @Test
  public void refusesADiskThatIsTooSmall() {
    disk.require(1);
    assertThatThrownBy(() -> disk.require(1L << 60))
        .isInstanceOf(RefusedException.class)
        .hasMessageMatching(
            "the disk of \\S+ has \\d+ MiB free\\. Expected at least 1099511627776 MiB\\."
                + " Free some, or set TMPDIR to another disk");
  }

  @Test
  public void leavesAFailureAsItIsIfTheDiskHasSpace() throws Exception {
    IOException failure = new IOException("Failed 100 actions");
    assertThatThrownBy(
            () ->
                disk.explainFailure(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(disk.explainFailure(() -> 5)).isEqualTo(5);
  }

  /** Tests that the work ends early. HBase would retry for minutes if it could not write. */
  @Test(timeout = 60_000)
  public void endsWorkWhenTheDiskBecomesFull() {
    AtomicBoolean isFull = new AtomicBoolean();
    DiskSpace filling = filling(isFull);
    assertThatThrownBy(
            () ->
                filling.interruptIfFull(
                    () -> {
                      isFull.set(true);
                      try {
                        new CountDownLatch(1).await();
                      } finally {
                        Thread.currentThread().interrupt();
                      }
                      return null;
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("the disk of \\S+ is full\\. Free some space, or set TMPDIR to .*");
    assertThat(Thread.interrupted()).as("interrupted after the work").isFalse();
  }

  private DiskSpace filling(AtomicBoolean isFull) {
    return new DiskSpace(temporary.getRoot().toPath(), "set TMPDIR to another disk") {
      @Override
      long freeBytes() {
        return isFull.get() ? 0 : Long.MAX_VALUE;
      }
    };
  }

  @Test(timeout = 60_000)
  public void endsAScriptThatFillsTheDisk() {
    AtomicBoolean isFull = new AtomicBoolean();
    DiskSpace filling = filling(isFull);
    assertThatThrownBy(
            () ->
                SqlCommand.watching(
                    filling,
                    false,
                    () -> null,
                    () -> {
                      isFull.set(true);
                      new CountDownLatch(1).await();
                      return null;
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(" is full. Free some space, or set TMPDIR to another disk");
  }

  /** Tests that the prompt continues. After an interrupt, it could not read from the terminal. */
  @Test(timeout = 60_000)
  public void doesNotInterruptAPromptIfTheDiskBecomesFull() throws Exception {
    AtomicBoolean isFull = new AtomicBoolean();
    CountDownLatch looked = new CountDownLatch(1);
    DiskSpace full =
        new DiskSpace(temporary.getRoot().toPath(), "set TMPDIR to another disk") {
          @Override
          long freeBytes() {
            if (isFull.get()) {
              looked.countDown();
              return 0;
            }
            return Long.MAX_VALUE;
          }
        };
    Integer exitCode =
        SqlCommand.watching(
            full,
            true,
            () -> null,
            () -> {
              isFull.set(true);
              // A watching thread would check the disk twice in this time.
              assertThat(looked.await(1, TimeUnit.SECONDS)).as("the disk is watched").isFalse();
              return 7;
            });
    assertThat(exitCode).isEqualTo(7);
    assertThat(Thread.interrupted()).as("interrupted").isFalse();
  }
}
