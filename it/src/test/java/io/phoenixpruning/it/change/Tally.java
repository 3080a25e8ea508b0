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

import java.util.Map;
import java.util.TreeMap;

/** Counts the effects of one kind of fault on statements. */
final class Tally {

  private final String kind;
  private final Map<String, Integer> heldByClient = new TreeMap<>();

  private int faults;
  private int beforeReading;
  private int whileReading;
  private int verifying;
  private int failed;
  private int inTheLoop;
  private int failedInTheLoop;

  Tally(String kind) {
    this.kind = kind;
  }

  synchronized int faults() {
    return faults;
  }

  synchronized void countFault() {
    faults++;
  }

  /** Returns the number of statements that were held between planning and scanning. */
  synchronized int heldBeforeReading() {
    return beforeReading;
  }

  synchronized void countHeld(HeldStatement statement, boolean hasFailed) {
    if (statement.wasReading()) {
      whileReading++;
    } else {
      beforeReading++;
    }
    heldByClient.merge(statement.client().name(), 1, Integer::sum);
    if (statement.client().verifies()) {
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
            + " of them verifying %d, refused %d, by client %s;"
            + " queries in the loop %d, refused %d",
        kind,
        faults,
        beforeReading,
        whileReading,
        verifying,
        failed,
        heldByClient,
        inTheLoop,
        failedInTheLoop);
  }
}
