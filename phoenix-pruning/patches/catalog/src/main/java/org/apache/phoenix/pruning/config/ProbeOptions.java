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
package org.apache.phoenix.pruning.config;

/** User settings for region probes. */
public final class ProbeOptions {

  private final boolean isEnabled;
  private final int minRegions;
  private final int batchRegions;
  private final int rowsKilobytes;
  private final int deadlineMillis;

  /**
   * Creates the settings.
   *
   * @param minRegions minimum number of planned scans of a statement before servers are probed
   * @param batchRegions maximum number of scans in one request
   * @param rowsKilobytes maximum size of the rows in all answers, in kilobytes; 0 for no rows
   * @param deadlineMillis how long to wait for the answers, in milliseconds
   */
  public ProbeOptions(
      boolean isEnabled, int minRegions, int batchRegions, int rowsKilobytes, int deadlineMillis) {
    this.isEnabled = isEnabled;
    this.minRegions = minRegions;
    this.batchRegions = batchRegions;
    this.rowsKilobytes = rowsKilobytes;
    this.deadlineMillis = deadlineMillis;
  }

  /** Returns whether servers are probed before {@code scans} scans are sent. */
  public boolean isEnabledFor(int scans) {
    return isEnabled && scans >= minRegions;
  }

  /** Returns the maximum number of scans in one request. */
  public int batchRegions() {
    return batchRegions;
  }

  /** Returns the maximum size of the rows in all answers, in kilobytes; 0 for no rows. */
  public int rowsKilobytes() {
    return rowsKilobytes;
  }

  /** Returns how long to wait for the answers, in milliseconds. */
  public int deadlineMillis() {
    return deadlineMillis;
  }

  @Override
  public String toString() {
    return isEnabled
        ? "at least "
            + minRegions
            + " regions, at most "
            + batchRegions
            + " in a request, with up to "
            + rowsKilobytes
            + " KB of rows, within "
            + deadlineMillis
            + " ms"
        : "off";
  }
}
