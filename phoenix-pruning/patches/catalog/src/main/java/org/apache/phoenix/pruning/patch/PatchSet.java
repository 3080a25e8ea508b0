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
package org.apache.phoenix.pruning.patch;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Set of patches that are on: a value of {@code phoenix.pruning.patches}. Immutable.
 *
 * <p>A value begins with {@code all}, {@code local-index} or {@code none}. Then follow {@code ,-ID}
 * for each patch that is left out and {@code ,+ID} for each opt-in patch that is on.
 */
public final class PatchSet {

  public static final PatchSet NONE = new PatchSet("none", patch -> false);

  /** Patches without which queries along local indexes can return wrong rows. */
  public static final PatchSet LOCAL_INDEX =
      new PatchSet("local-index", patch -> patch.isForLocalIndexes() && !patch.isOptIn());

  public static final PatchSet ALL = new PatchSet("all", patch -> !patch.isOptIn());

  /** Named sets from the smallest to the largest. Each set contains the set before it. */
  private static final PatchSet[] NAMED = {NONE, LOCAL_INDEX, ALL};

  private static final long NOT_REQUESTED =
      bits(patch -> patch.isOptIn() || patch.scope() == Patch.Scope.JVM);

  private final String name;

  /** Bits of the patches that are on. The position of a bit is the ordinal of the patch. */
  private final long patches;

  private PatchSet(String name, Predicate<Patch> isOn) {
    this(name, bits(isOn));
  }

  private PatchSet(String name, long patches) {
    this.name = name;
    this.patches = patches;
  }

  private static long bits(Predicate<Patch> isOn) {
    return Arrays.stream(Patch.values())
        .filter(isOn)
        .mapToLong(PatchSet::bit)
        .reduce(0, (all, bit) -> all | bit);
  }

  private static long bit(Patch patch) {
    return 1L << patch.ordinal();
  }

  public boolean has(Patch patch) {
    return (patches & bit(patch)) != 0;
  }

  public boolean isEmpty() {
    return patches == 0;
  }

  /** Returns whether the value contains {@code ,-ID} or {@code ,+ID} for {@code patch}. */
  public boolean names(Patch patch) {
    return has(patch) != named(name).has(patch);
  }

  /** Returns the patches that are in both sets. */
  public PatchSet and(PatchSet other) {
    for (PatchSet named : NAMED) {
      if (named.name.equals(name) || named.name.equals(other.name)) {
        return of(named, patches & other.patches);
      }
    }
    throw new IllegalStateException(this + ", " + other);
  }

  /**
   * Returns this set as a scan requests it. The value names no opt-in patch and no patch of {@link
   * Patch.Scope#JVM}, because the server's own JVM decides about these patches.
   */
  PatchSet requested() {
    return naming(~NOT_REQUESTED);
  }

  /**
   * Returns this set, but with {@code ,-ID} and {@code ,+ID} only for patches that {@code mayBe}
   * accepts.
   */
  public PatchSet naming(Predicate<Patch> mayBe) {
    return naming(bits(mayBe));
  }

  private PatchSet naming(long mayBe) {
    PatchSet named = named(name);
    return of(named, patches & mayBe | named.patches & ~mayBe);
  }

  private static PatchSet of(PatchSet named, long patches) {
    return patches == 0
        ? NONE
        : patches == named.patches ? named : new PatchSet(named.name, patches);
  }

  /**
   * Parses a value of {@code phoenix.pruning.patches}, and returns null if the value is invalid.
   */
  public static PatchSet parse(String value) {
    int end = value.indexOf(',');
    PatchSet named = named((end < 0 ? value : value.substring(0, end)).trim());
    if (named == null || end < 0) {
      return named;
    }
    long patches = named.patches;
    for (String part : value.substring(end + 1).split(",", -1)) {
      String id = part.trim().toLowerCase(Locale.ROOT);
      Patch patch = id.isEmpty() ? null : Patch.of(id.substring(1));
      if (patch == null || id.charAt(0) != (patch.isOptIn() ? '+' : '-')) {
        return null;
      }
      patches = patch.isOptIn() ? patches | bit(patch) : patches & ~bit(patch);
    }
    return of(named, patches);
  }

  /** Returns the set with this name, or null if there is none. */
  private static PatchSet named(String name) {
    for (PatchSet named : NAMED) {
      if (named.name.equalsIgnoreCase(name)) {
        return named;
      }
    }
    return null;
  }

  /** Describes the values that {@link #parse} takes. */
  public static String allowed() {
    return "one of: all, local-index, none; optionally followed by any of: "
        + Arrays.stream(Patch.values())
            .filter(Patch::isOptIn)
            .map(patch -> ",+" + patch.id())
            .collect(Collectors.joining(" "))
        + ", or by ,-ID to turn a patch off";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PatchSet
        && name.equals(((PatchSet) other).name)
        && patches == ((PatchSet) other).patches;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(patches);
  }

  /** Returns this set in the format that {@link #parse} reads. */
  @Override
  public String toString() {
    if (this == named(name)) {
      return name;
    }
    return Arrays.stream(Patch.values())
        .filter(this::names)
        .map(patch -> (patch.isOptIn() ? ",+" : ",-") + patch.id())
        .collect(Collectors.joining("", name, ""));
  }
}
