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

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Undoes what a command has set up, the last first, and once: when it is closed, or when the JVM is
 * told to end (Ctrl-C, SIGTERM), whichever comes first.
 */
public final class Cleanup implements AutoCloseable {

  /** Undoes one thing. */
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  private final Deque<Step> steps = new ArrayDeque<>();
  private final String command;
  private final Supplier<String> undone;
  private final PrintStream err;
  private final Thread atExit = new Thread(this::interrupted, "cleanup");
  private boolean done;
  private Throwable failure;

  /**
   * @param command what the user started
   * @param undone says what was undone; asked for if the JVM was told to end, when all steps ran
   * @param err is told about it then
   */
  public Cleanup(String command, Supplier<String> undone, PrintStream err) {
    this.command = command;
    this.undone = undone;
    this.err = err;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Adds a step. To be called before the thing is set up that the step undoes, so that it is undone
   * also if only a part of it is there.
   *
   * @throws IllegalStateException if the JVM is ending
   */
  public synchronized void add(Step step) {
    if (done) {
      throw new IllegalStateException("Ending");
    }
    steps.push(step);
  }

  /** Undoes all, and says so, or what could not be undone. */
  void interrupted() {
    String outcome;
    try {
      undo();
      outcome = undone.get();
    } catch (Throwable e) {
      outcome = "not all was stopped and deleted: " + OneLineErrors.describe(e);
    }
    err.println(command + ": interrupted; " + outcome);
  }

  /** Undoes all, also if some steps fail. Later calls wait for the first, and fail as it did. */
  private synchronized void undo() throws Exception {
    done = true;
    while (!steps.isEmpty()) {
      try {
        steps.pop().run();
      } catch (Throwable e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof Exception exception) {
      throw exception;
    }
  }

  @Override
  public void close() throws Exception {
    try {
      undo();
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException ending) {
        // It runs, or has run.
      }
    }
  }
}
