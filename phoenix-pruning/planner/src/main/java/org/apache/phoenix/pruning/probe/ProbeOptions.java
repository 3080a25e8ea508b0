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
package org.apache.phoenix.pruning.probe;

/** What the user chose of region probes. */
public final class ProbeOptions {

  private final boolean isEnabled;
  private final int minRegions;
  private final int chunkRegions;
  private final int rowsKilobytes;
  private final int deadlineMillis;

  /**
   * What the user chose.
   *
   * @param minRegions so many scans a statement has to have to be worth asking
   * @param chunkRegions for so many scans a server is asked at once, at most; for no more than
   *     {@link ProbeRequest#MAX_RANGES}, which servers refuse
   * @param rowsKilobytes so many kilobytes of rows the answers may carry in all; 0 for none
   * @param deadlineMillis for so long the answers are waited for
   */
  public ProbeOptions(
      boolean isEnabled, int minRegions, int chunkRegions, int rowsKilobytes, int deadlineMillis) {
    this.isEnabled = isEnabled;
    this.minRegions = minRegions;
    this.chunkRegions = Math.min(chunkRegions, ProbeRequest.MAX_RANGES);
    this.rowsKilobytes = rowsKilobytes;
    this.deadlineMillis = deadlineMillis;
  }

  /** Whether servers are asked before {@code scans} scans are sent. */
  public boolean isFor(int scans) {
    return isEnabled && scans >= minRegions;
  }

  /** For so many scans a server is asked at once, at most. */
  public int chunkRegions() {
    return chunkRegions;
  }

  /** So many kilobytes of rows the answers may carry in all; 0 for none. */
  public int rowsKilobytes() {
    return rowsKilobytes;
  }

  /** For so long the answers are waited for. */
  public int deadlineMillis() {
    return deadlineMillis;
  }

  @Override
  public String toString() {
    return isEnabled
        ? "from "
            + minRegions
            + " regions on, "
            + chunkRegions
            + " at once, with up to "
            + rowsKilobytes
            + " KB of rows, within "
            + deadlineMillis
            + " ms"
        : "off";
  }
}
