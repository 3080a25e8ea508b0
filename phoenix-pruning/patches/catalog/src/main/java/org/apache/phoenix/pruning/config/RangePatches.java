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

import java.util.function.Supplier;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the patches of a connection available to Phoenix's static methods that create key ranges,
 * such as {@code KeyRange.coalesce} and {@code ScanRanges.create}. These methods have no connection
 * parameter.
 *
 * <p>Outside of a scope, no patch is on. Phoenix calls these methods in region servers, too.
 */
public final class RangePatches {

  private static final ThreadLocal<PatchSet> CURRENT = new ThreadLocal<>();

  private RangePatches() {}

  /**
   * Begins a scope on this thread, and returns the argument that {@link #leave} needs to end it.
   */
  public static @Nullable PatchSet enter(PhoenixConnection connection) {
    PatchSet outer = CURRENT.get();
    CURRENT.set(Patches.of(connection));
    return outer;
  }

  /** Ends the scope for which {@link #enter} returned {@code outer}. */
  public static void leave(@Nullable PatchSet outer) {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }

  /**
   * Calls {@code ranges} with all patches on, for key ranges that only this project's code reads.
   */
  public static <T> T withAll(Supplier<T> ranges) {
    PatchSet outer = CURRENT.get();
    CURRENT.set(PatchSet.ALL);
    try {
      return ranges.get();
    } finally {
      leave(outer);
    }
  }

  /** Returns whether a patch is on for the key ranges that this thread makes now. */
  public static boolean isOn(Patch patch) {
    PatchSet current = CURRENT.get();
    return current != null && current.has(patch);
  }
}
