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

import java.sql.SQLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;

/** Looks up whether a patch is on. A lookup in the set of patches allocates nothing. */
public final class Patches {

  /** Holds the patches of the JVM, which are read when such a patch is first looked up. */
  private static final class JvmPatches {
    static final PatchSet PATCHES = ofJvm(PruningOptions.Site.CONFIGURATION);
  }

  private Patches() {}

  /** Returns whether a patch of {@link Patch.Scope#CONNECTION} is on for {@code connection}. */
  public static boolean isOn(Patch patch, PhoenixConnection connection) {
    return of(connection).has(patch);
  }

  /** Returns whether a patch of {@link Patch.Scope#JVM} is on. */
  public static boolean isOn(Patch patch) {
    return JvmPatches.PATCHES.has(patch);
  }

  /** Returns whether all of {@code patches} are on for {@code connection} and for the JVM. */
  public static boolean areOn(PatchSet patches, PhoenixConnection connection) {
    PatchSet ofConnection = of(connection);
    for (Patch patch : Patch.values()) {
      PatchSet on = patch.scope() == Patch.Scope.JVM ? JvmPatches.PATCHES : ofConnection;
      if (patches.has(patch) && !on.has(patch)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the patches that are on for {@code connection}. */
  public static PatchSet of(PhoenixConnection connection) {
    try {
      return PruningOptions.of(connection).patches();
    } catch (SQLException e) {
      throw new IllegalStateException("The options were checked when the connection opened", e);
    }
  }

  /**
   * Returns the patches for code without a connection, from system properties or {@code site}, the
   * content of hbase-site.xml.
   */
  static PatchSet ofJvm(Configuration site) {
    SettingSource source = SettingSource.ofJvm(site);
    return source.readShared(Settings.MODE) == PruningMode.STOCK
        ? PatchSet.NONE
        : source.readShared(Settings.PATCHES);
  }
}
