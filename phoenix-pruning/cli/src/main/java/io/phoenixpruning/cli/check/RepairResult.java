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
package io.phoenixpruning.cli.check;

import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.protocol.IndexDifference.Kind;

/**
 * Result of a repair.
 *
 * @param repairedByKind number of entries that were repaired, by their kind; an entry counts again
 *     if an application changed it and it was repaired again
 * @param left the entries that still differ in the regions that were repaired
 */
public record RepairResult(Map<Kind, Long> repairedByKind, List<Difference> left) {

  public RepairResult {
    repairedByKind = Map.copyOf(repairedByKind);
    left = List.copyOf(left);
  }

  /** Returns the number of entries of {@code kind} that were written, deleted or replaced. */
  public long repaired(Kind kind) {
    return repairedByKind.getOrDefault(kind, 0L);
  }
}
