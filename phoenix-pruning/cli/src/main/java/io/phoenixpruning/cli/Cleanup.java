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

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undoes what a command has set up, the last first, and once: when it is closed, or when the JVM is
 * told to end (Ctrl-C, SIGTERM), whichever comes first.
 */
final class Cleanup implements AutoCloseable {

  /** Undoes one thing. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  private final Deque<Step> steps = new ArrayDeque<>();
  private final Thread atExit;
  private boolean done;

  /**
   * @param interrupted runs after the steps if the JVM was told to end
   */
  Cleanup(Runnable interrupted) {
    atExit =
        new Thread(
            () -> {
              try {
                undo();
              } catch (Exception failure) {
                Terminal.ERR.println("pruning: " + OneLineErrors.describe(failure));
              }
              interrupted.run();
            },
            "cleanup");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Adds a step. To be called before the thing is set up that the step undoes, so that it is undone
   * also if only a part of it is there.
   *
   * @throws IllegalStateException if the JVM is ending
   */
  synchronized void add(Step step) {
    if (done) {
      throw new IllegalStateException("Ending");
    }
    steps.push(step);
  }

  /** Undoes all, also if some steps fail. */
  private synchronized void undo() throws Exception {
    done = true;
    Exception failure = null;
    while (!steps.isEmpty()) {
      try {
        steps.pop().run();
      } catch (Exception e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws Exception {
    undo();
    if (!JvmExit.hasBegun()) {
      Runtime.getRuntime().removeShutdownHook(atExit);
    }
  }
}
