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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Set of patches that are on: a value of {@code phoenix.pruning.patches}. Immutable.
 *
 * <p>A value begins with {@code all}, {@code local-index} or {@code none}. Then follow {@code ,-ID}
 * for each patch that is left out and {@code ,+ID} for each patch that is added. The named sets
 * contain no opt-in patch. If a value names a patch twice, the last one counts.
 */
public final class PatchSet {

  public static final PatchSet NONE = new PatchSet("none", patch -> false);

  /** Patches without which queries along local indexes can return wrong rows. */
  public static final PatchSet LOCAL_INDEX =
      new PatchSet("local-index", patch -> patch.isForLocalIndexes() && !patch.isOptIn());

  public static final PatchSet ALL = new PatchSet("all", patch -> !patch.isOptIn());

  /** Named sets from the smallest to the largest. Each set contains the set before it. */
  private static final PatchSet[] NAMED = {NONE, LOCAL_INDEX, ALL};

  private final String name;

  /** The named set with which this set begins; this set itself if it is a named set. */
  private final PatchSet named;

  /** Patches that are on. Never changed. */
  private final Set<Patch> patches;

  /** Creates a named set. */
  private PatchSet(String name, Predicate<Patch> isOn) {
    this.name = name;
    this.named = this;
    this.patches = patches(isOn);
  }

  private PatchSet(PatchSet named, Set<Patch> patches) {
    this.name = named.name;
    this.named = named;
    this.patches = patches;
  }

  private static EnumSet<Patch> patches(Predicate<Patch> isOn) {
    EnumSet<Patch> patches = EnumSet.allOf(Patch.class);
    patches.removeIf(isOn.negate());
    return patches;
  }

  public boolean has(Patch patch) {
    return patches.contains(patch);
  }

  /**
   * Returns this set without the patches that need a patch which is not in the set. A client plans
   * with such a set.
   */
  public PatchSet usable() {
    return usable(any -> true);
  }

  /**
   * Returns this set without the patches of the server that need a patch of the server which is not
   * in the set. A server grants such a set to a scan. It does not decide about the patches of a
   * client, which has already planned the scan.
   */
  public PatchSet usableOnServer() {
    return usable(patch -> patch.side() != Patch.Side.CLIENT);
  }

  /** Drops patches among those that {@code decides} accepts. */
  private PatchSet usable(Predicate<Patch> decides) {
    if (this == named) {
      // Named sets have all patches that their patches need. A server tests each scan.
      return this;
    }
    Set<Patch> usable =
        patches(patch -> has(patch) && !(decides.test(patch) && needsMore(patch, decides)));
    return usable.equals(patches) ? this : of(named, usable).usable(decides);
  }

  private boolean needsMore(Patch patch, Predicate<Patch> decides) {
    return patch.needs().filter(decides).filter(needed -> !has(needed)).isPresent();
  }

  public boolean isEmpty() {
    return patches.isEmpty();
  }

  /** Returns whether this set differs from its named set in {@code patch}. */
  public boolean isNamed(Patch patch) {
    return has(patch) != named.has(patch);
  }

  /** Returns this set with {@code patch}. */
  public PatchSet with(Patch patch) {
    return has(patch) ? this : of(named, patches(other -> other == patch || has(other)));
  }

  /** Returns the patches that are in both sets. */
  public PatchSet and(PatchSet other) {
    if (equals(other)) {
      // Servers intersect sets for each scan.
      return this;
    }
    for (PatchSet named : NAMED) {
      if (named.name.equals(name) || named.name.equals(other.name)) {
        return of(named, patches(patch -> has(patch) && other.has(patch)));
      }
    }
    throw new IllegalStateException(this + ", " + other);
  }

  /**
   * Returns this set as a scan requests it. The value begins with {@code all} or {@code
   * local-index} and adds no patch, because older servers know no other form. It names only patches
   * that {@link Patch#isRequested} accepts.
   */
  public PatchSet requested() {
    if (this == named) {
      // Clients name the patches in each scan.
      return this;
    }
    Set<Patch> requested = patches(patch -> has(patch) && patch.isRequested());
    if (requested.isEmpty() && named == NONE) {
      return NONE;
    }
    boolean isOfLocalIndexes = named == LOCAL_INDEX && LOCAL_INDEX.patches.containsAll(requested);
    PatchSet base = isOfLocalIndexes ? LOCAL_INDEX : ALL;
    return of(
        base, patches(patch -> patch.isRequested() ? requested.contains(patch) : base.has(patch)));
  }

  /**
   * Returns this set, but with {@code ,-ID} and {@code ,+ID} only for patches that {@code
   * canBeNamed} accepts.
   */
  public PatchSet limitNamesTo(Predicate<Patch> canBeNamed) {
    return of(named, patches(patch -> canBeNamed.test(patch) ? has(patch) : named.has(patch)));
  }

  private static PatchSet of(PatchSet named, Set<Patch> patches) {
    return patches.isEmpty()
        ? NONE
        : patches.equals(named.patches) ? named : new PatchSet(named, patches);
  }

  /**
   * Parses a value of {@code phoenix.pruning.patches}, and returns null if the value is invalid.
   */
  public static @Nullable PatchSet parse(String value) {
    PatchSet patches = unknownIds(value).isEmpty() ? parseKnown(value) : null;
    return patches == null || !patches.patchesWithoutEffect().isEmpty() ? null : patches;
  }

  /**
   * Parses a value like {@link #parse}, but ignores ids that are no patches. Such a value may have
   * been written for another version.
   *
   * @return the set, or null if the value does not have the format of {@link #parse}
   */
  public static @Nullable PatchSet parseKnown(String value) {
    String[] parts = value.split(",", -1);
    PatchSet named = named(parts[0].trim());
    if (named == null) {
      return null;
    }
    EnumSet<Patch> patches = EnumSet.copyOf(named.patches);
    for (int i = 1; i < parts.length; i++) {
      String id = idOf(parts[i]);
      if (id == null) {
        return null;
      }
      Patch patch = Patch.of(id);
      if (patch != null) {
        if (parts[i].trim().charAt(0) == '+') {
          patches.add(patch);
        } else {
          patches.remove(patch);
        }
      }
    }
    return of(named, patches);
  }

  /**
   * Parses a value like {@link #parseKnown}, and leaves out the patches that need another one.
   *
   * @return the set, or null if the value does not have the format of {@link #parse}
   */
  public static @Nullable PatchSet parseUsable(String value) {
    PatchSet patches = parseKnown(value);
    return patches == null ? null : patches.usable();
  }

  /** Returns the patches that a value adds to its named set, but without a patch that they need. */
  public List<Patch> patchesWithoutEffect() {
    PatchSet usable = usable();
    return Arrays.stream(Patch.values())
        .filter(patch -> has(patch) && isNamed(patch) && !usable.has(patch))
        .collect(Collectors.toList());
  }

  /** Returns the ids in a value that are no patches. Ignores parts that have no sign. */
  public static List<String> unknownIds(String value) {
    return Arrays.stream(value.split(",", -1))
        .skip(1)
        .map(PatchSet::idOf)
        .filter(id -> id != null && Patch.of(id) == null)
        .collect(Collectors.toList());
  }

  /** Returns the id after the sign of a part, in lower case, or null if the part has no sign. */
  private static @Nullable String idOf(String part) {
    String signed = part.trim().toLowerCase(Locale.ROOT);
    return signed.length() > 1 && (signed.charAt(0) == '-' || signed.charAt(0) == '+')
        ? signed.substring(1)
        : null;
  }

  /** Returns the set with this name, or null if there is none. */
  private static @Nullable PatchSet named(String name) {
    for (PatchSet named : NAMED) {
      if (named.name.equalsIgnoreCase(name)) {
        return named;
      }
    }
    return null;
  }

  /** Describes the values that {@link #parse} takes. */
  public static String allowed() {
    return "one of: all, local-index, none; optionally followed by ,-ID for each patch to leave"
        + " out, and ,+ID for each patch to add, such as all,-"
        + Patch.KEY_ORDER.id();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PatchSet
        && name.equals(((PatchSet) other).name)
        && patches.equals(((PatchSet) other).patches);
  }

  @Override
  public int hashCode() {
    return patches.hashCode();
  }

  /** Returns this set in the format that {@link #parse} reads. */
  @Override
  public String toString() {
    if (this == named) {
      return name;
    }
    return Arrays.stream(Patch.values())
        .filter(this::isNamed)
        .map(patch -> (has(patch) ? ",+" : ",-") + patch.id())
        .collect(Collectors.joining("", name, ""));
  }
}
