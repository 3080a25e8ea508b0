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
package io.phoenixpruning.it.change;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A statement that runs until its scans reach a given point. The statement is held there while a
 * fault is injected, and then runs to its end.
 */
final class HeldStatement {

  private final CheckedStatement statement;
  private final Gate gate;
  private final Client client;
  private final String property;

  private Future<?> running;
  private boolean held;

  /**
   * Describes a statement that has not started.
   *
   * @param property identifies the scans of this statement
   */
  HeldStatement(CheckedStatement statement, Gate gate, Client client, String property) {
    this.statement = statement;
    this.gate = gate;
    this.client = client;
    this.property = property;
  }

  void prepare(Connection connection) throws SQLException {
    statement.prepare(connection);
  }

  void start(GatedTables tables, ExecutorService executor) {
    tables.set(property, gate);
    running =
        executor.submit(
            () -> {
              try (Connection connection = client.with(GatedTables.PROPERTY, property).connect()) {
                statement.run(connection);
              } finally {
                tables.remove(property);
              }
              return null;
            });
  }

  /** Waits until the statement is held or has ended, and returns whether it is held. */
  boolean awaitHeld(Duration timeout) {
    held = gate.awaitHeld(running, timeout);
    return held;
  }

  boolean wasHeld() {
    return held;
  }

  void resume() {
    gate.open();
  }

  /**
   * Waits for the end of the statement.
   *
   * @return the exception that made the statement fail, or null if it succeeded
   */
  Throwable awaitFailure(Duration timeout) throws InterruptedException, TimeoutException {
    try {
      running.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  void checkWritten(Connection connection, Outcome outcome) throws SQLException {
    statement.checkWritten(connection, outcome);
  }

  /** Returns whether a scan had begun to read when the statement was held. */
  boolean wasReading() {
    return gate.heldWhileReading();
  }

  /** Returns whether the statement opens scans after it has read rows of other scans. */
  boolean opensScansLate() {
    return statement.opensScansLate();
  }

  Client client() {
    return client;
  }

  @Override
  public String toString() {
    return statement
        + (held ? " held at " : " not held at ")
        + gate
        + (gate.heldWhileReading() ? ", reading" : "")
        + ", by "
        + client;
  }
}
