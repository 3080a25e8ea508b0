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
   * Leaves out the patches {@code names} and no others. Changes the patches of the JVM, which are
   * otherwise decided once. Returns the properties with which a connection leaves out its own
   * patches.
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
   * other patches of this scope. The settings of the JVM must leave no patch out.
   */
  public static void switchPatchesOfJvm(Predicate<Patch> isOn) throws ReflectiveOperationException {
    EnumSet<Patch> all = EnumSet.allOf(Patch.class);
    all.removeIf(patch -> patch.scope() == Patch.Scope.JVM ? !isOn.test(patch) : patch.isOptIn());
    Field patches = PatchSet.class.getDeclaredField("patches");
    patches.setAccessible(true);
    patches.set(PatchSet.ALL, all);
  }
}
