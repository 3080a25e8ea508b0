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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Removes steps and statements while the same failure remains. */
final class StepShrinker {

  private static final long LIMIT_NANOS = 1_000_000_000L * Long.getLong("fuzz.shrink.seconds", 300);

  private final long start = System.nanoTime();
  private final Predicate<List<Step>> fails;
  private List<Step> steps;

  /**
   * @param fails runs steps on a new table, and returns whether the failure remains
   */
  StepShrinker(List<Step> steps, Predicate<List<Step>> fails) {
    this.steps = steps;
    this.fails = fails;
  }

  /** Returns the shortest steps that still fail, or empty if the failure does not occur again. */
  Optional<List<Step>> shrink() {
    if (!fails.test(steps)) {
      return Optional.empty();
    }
    for (int size = Math.max(1, steps.size() / 2); size >= 1; size /= 2) {
      // The last steps first, because later steps need earlier ones.
      for (int from = steps.size() - size; from > -size && !isOver(); from -= size) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.subList(Math.max(0, from), Math.min(steps.size(), from + size)).clear();
        keep(fewer);
      }
    }
    for (int i = 0; i < steps.size() && !isOver(); i++) {
      if (steps.get(i) instanceof Step.Commit commit) {
        removeWrites(i, commit);
      }
    }
    return Optional.of(steps);
  }

  private boolean isOver() {
    return System.nanoTime() - start > LIMIT_NANOS;
  }

  private boolean keep(List<Step> fewer) {
    if (fewer.size() <= steps.size() && fails.test(fewer)) {
      steps = fewer;
      return true;
    }
    return false;
  }

  private void removeWrites(int position, Step.Commit commit) {
    List<Write> left = new ArrayList<>();
    for (Write write : commit.writes()) {
      if (write instanceof Write.Upsert upsert) {
        upsert
            .executions()
            .forEach(
                binds ->
                    left.add(
                        new Write.Upsert(
                            upsert.relation(),
                            upsert.named(),
                            List.of(binds),
                            upsert.duplicate())));
      } else {
        left.add(write);
      }
    }
    for (int i = left.size() - 1; i >= 0 && left.size() > 1 && !isOver(); i--) {
      List<Write> fewer = new ArrayList<>(left);
      fewer.remove(i);
      List<Step> changed = new ArrayList<>(steps);
      changed.set(position, new Step.Commit(commit.autoCommit(), fewer));
      if (keep(changed)) {
        left.remove(i);
      }
    }
  }
}
