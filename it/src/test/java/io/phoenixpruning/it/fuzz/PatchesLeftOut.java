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
package io.phoenixpruning.it.fuzz;

import static java.util.stream.Collectors.toCollection;

import io.phoenixpruning.it.differential.PatchSwitch;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.patch.Patch;

/** Leaves patches out of a run, so that the run shows whether it notices their defects. */
final class PatchesLeftOut {

  /** Ids of the patches that are left out of the whole run, such as {@code skip-scan,semi-join}. */
  private static final String PROPERTY = "fuzz.without";

  private PatchesLeftOut() {}

  /** Returns the patches that the system property {@code fuzz.without} names. */
  static Set<Patch> ofRun() {
    Set<Patch> patches = EnumSet.noneOf(Patch.class);
    for (String id : System.getProperty(PROPERTY, "").split(",")) {
      if (!id.isBlank()) {
        patches.add(patch(id.strip()));
      }
    }
    return patches;
  }

  private static Patch patch(String id) {
    Stream<Patch> matching = Arrays.stream(Patch.values()).filter(patch -> patch.id().equals(id));
    return matching
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(PROPERTY + " names no patch: " + id));
  }

  /** Returns those of {@code patches} that a connection leaves out. */
  static Set<Patch> ofConnection(Set<Patch> patches) {
    return patches.stream()
        .filter(patch -> patch.scope() == Patch.Scope.CONNECTION)
        .collect(toCollection(() -> EnumSet.noneOf(Patch.class)));
  }

  /** Turns off those of {@code patches} that follow the JVM, and turns on the others. */
  static void switchPatchesOfJvm(Set<Patch> patches) throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && !patches.contains(patch));
  }
}
