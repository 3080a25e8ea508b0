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

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Reports the progress of tasks. On a terminal, each running task has a progress bar. Each
 * completed task is reported in one line.
 */
public class Progress {

  /** A task that reports its progress. */
  @FunctionalInterface
  public interface Task<T> {

    /**
     * @param done receives the number of completed steps
     */
    T run(LongConsumer done) throws Exception;
  }

  /** A task without a result that reports its progress. */
  @FunctionalInterface
  public interface Action {

    /**
     * @param done receives the number of completed steps
     */
    void run(LongConsumer done) throws Exception;
  }

  private static final int WIDTH = 79;

  private final PrintStream out;
  private final boolean bars;

  /**
   * @param bars whether {@code out} is a terminal, on which lines can be overwritten
   */
  public Progress(PrintStream out, boolean bars) {
    this.out = out;
    this.bars = bars;
  }

  /**
   * Runs {@code task} and reports its progress.
   *
   * @param steps number of steps of the task, or -1 if unknown
   */
  public <T> T run(String name, long steps, Task<T> task) throws Exception {
    long start = System.nanoTime();
    T result = bars ? withBar(name, steps, task) : task.run(done -> {});
    out.printf(Locale.ROOT, "%-44s %6.1f s%n", name, (System.nanoTime() - start) / 1e9);
    return result;
  }

  /**
   * Runs {@code action} and reports its progress.
   *
   * @param steps number of steps of the action, or -1 if unknown
   */
  public void perform(String name, long steps, Action action) throws Exception {
    run(
        name,
        steps,
        done -> {
          action.run(done);
          return name;
        });
  }

  private <T> T withBar(String name, long steps, Task<T> task) throws Exception {
    ProgressBarBuilder builder =
        ProgressBar.builder()
            .setTaskName(name)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
            .clearDisplayOnFinish();
    try (ProgressBar bar = builder.build()) {
      return task.run(bar::stepTo);
    }
  }
}
