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
package io.phoenixpruning.it.differential;

import io.phoenixpruning.it.differential.AnswerDifference.Case;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.patch.Patch;

/** Chooses the patches that are left out for a statement, one at a time. */
final class LeftOutPatches {

  private static final String EACH = "each";

  private final List<Patch> patches;
  private final int perStatement;

  private LeftOutPatches(List<Patch> patches, int perStatement) {
    this.patches = patches;
    this.perStatement = perStatement;
  }

  /**
   * Parses the choice of patches. The text is {@code each} for all patches, a list of ids with
   * commas, or a number. With a number, each statement runs that many times without one patch, and
   * the patches take turns.
   */
  static LeftOutPatches parse(String text) {
    List<Patch> all = DifferentialRun.PATCHES;
    if (text.equals(EACH)) {
      return new LeftOutPatches(all, all.size());
    } else if (text.matches("\\d+")) {
      return new LeftOutPatches(all, Math.min(Integer.parseInt(text), all.size()));
    }
    List<String> ids = Arrays.asList(text.split(","));
    List<Patch> named = all.stream().filter(patch -> ids.contains(patch.id())).toList();
    if (named.size() != ids.size()) {
      throw new IllegalArgumentException(
          String.format(
              "'%s' does not name patches. Expected '%s', a number, or ids with commas: %s",
              text, EACH, all.stream().map(Patch::id).collect(Collectors.joining(", "))));
    }
    return new LeftOutPatches(named, named.size());
  }

  /** Returns whether each patch is left out for some statements. */
  boolean hasAll() {
    return patches.size() == DifferentialRun.PATCHES.size();
  }

  /** Returns the patches for a statement, which depend only on its seed and its number. */
  List<Patch> of(Case statement) {
    long first = (statement.seed() * 50 + statement.number()) * perStatement;
    List<Patch> chosen = new ArrayList<>();
    for (int i = 0; i < perStatement; i++) {
      chosen.add(patches.get((int) Math.floorMod(first + i, (long) patches.size())));
    }
    return chosen;
  }
}
