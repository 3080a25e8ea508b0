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

import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;

/** Leaves patches out in this JVM. */
public final class PatchSwitch {

  private PatchSwitch() {}

  /**
   * Leaves out {@code names} and no other patches. A connection leaves out its own patches with the
   * returned properties. Those of the JVM are decided once: this method changes the decision.
   */
  static Map<String, String> leaveOut(List<String> names) throws ReflectiveOperationException {
    List<Patch> patches = names.stream().map(Patch::valueOf).collect(Collectors.toList());
    switchPatchesOfJvm(patch -> !patch.isOptIn() && !patches.contains(patch));
    String value =
        patches.stream()
            .filter(patch -> patch.scope() == Patch.Scope.CONNECTION)
            .map(patch -> ",-" + patch.id())
            .collect(Collectors.joining("", "all", ""));
    return Map.of(PruningOptions.PATCHES, value);
  }

  /**
   * Turns on the patches of {@link Patch.Scope#JVM} that {@code isOn} accepts, and turns off the
   * other ones. Needs a JVM whose settings leave no patch out.
   */
  public static void switchPatchesOfJvm(Predicate<Patch> isOn) throws ReflectiveOperationException {
    EnumSet<Patch> all = EnumSet.allOf(Patch.class);
    all.removeIf(patch -> patch.scope() == Patch.Scope.JVM ? !isOn.test(patch) : patch.isOptIn());
    Field patches = PatchSet.class.getDeclaredField("patches");
    patches.setAccessible(true);
    patches.set(PatchSet.ALL, all);
  }
}
