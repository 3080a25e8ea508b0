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

/** Counts the effects of one kind of fault on statements. */
final class Tally {

  private final FaultKind kind;

  private int faults;
  private int beforeReading;
  private int whileReading;
  private int verifying;
  private int failed;
  private int inTheLoop;
  private int failedInTheLoop;

  Tally(FaultKind kind) {
    this.kind = kind;
  }

  synchronized int faults() {
    return faults;
  }

  synchronized void countFault() {
    faults++;
  }

  synchronized void countHeld(HeldStatement statement, boolean hasFailed) {
    if (statement.wasReading()) {
      whileReading++;
    } else {
      beforeReading++;
    }
    if (statement.verifies()) {
      verifying++;
    }
    if (hasFailed) {
      failed++;
    }
  }

  synchronized void countInTheLoop(boolean hasFailed) {
    inTheLoop++;
    if (hasFailed) {
      failedInTheLoop++;
    }
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "%-20s %4d faults; statements held between planning and scanning %d, while reading %d,"
            + " of them verifying %d, refused %d; queries in the loop %d, refused %d",
        kind, faults, beforeReading, whileReading, verifying, failed, inTheLoop, failedInTheLoop);
  }
}
