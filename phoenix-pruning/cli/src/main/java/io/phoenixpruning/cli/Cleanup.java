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
import org.jspecify.annotations.Nullable;

/**
 * Undoes the setup of a command, once and in reverse order. The cleanup runs when this object is
 * closed or when the JVM shuts down (Ctrl-C, SIGTERM), whichever comes first.
 */
public final class Cleanup implements AutoCloseable {

  /** An action that undoes one part of the setup. */
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  private final Deque<Step> steps = new ArrayDeque<>();
  private final String command;
  private final Supplier<String> successOutcome;
  private final PrintStream err;
  private final Thread shutdownHook = new Thread(this::runAtShutdown, "cleanup");
  private boolean hasBegun;
  private @Nullable Throwable failure;

  /**
   * @param command name of the command that the user started
   * @param successOutcome describes what was undone; called at JVM shutdown if all steps succeeded
   * @param err receives the message that is printed at JVM shutdown
   */
  public Cleanup(String command, Supplier<String> successOutcome, PrintStream err) {
    this.command = command;
    this.successOutcome = successOutcome;
    this.err = err;
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /**
   * Adds a cleanup step. Call this method before the corresponding setup, so that a partial setup
   * is undone, too.
   *
   * @throws IllegalStateException if the cleanup has already begun
   */
  public synchronized void add(Step step) {
    if (hasBegun) {
      throw new IllegalStateException("The cleanup has begun");
    }
    steps.push(step);
  }

  /** Runs all steps and prints what was undone, or why a step failed. */
  void runAtShutdown() {
    String outcome;
    try {
      undo();
      outcome = successOutcome.get();
    } catch (Throwable e) {
      outcome = "could not stop or delete everything: " + OneLineErrors.describe(e);
    }
    err.println(command + ": interrupted; " + outcome);
  }

  /**
   * Runs all steps, even if some fail. Later calls wait for the first call and throw the same
   * exception.
   */
  private synchronized void undo() throws Exception {
    hasBegun = true;
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
        Runtime.getRuntime().removeShutdownHook(shutdownHook);
      } catch (IllegalStateException ending) {
        // The JVM is shutting down: the hook is running or has run.
      }
    }
  }
}
