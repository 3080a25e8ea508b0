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
package org.apache.phoenix.pruning.server;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line per JVM when the first region of a Phoenix table opens. The line shows operators
 * that the server runs the jar of this project, and with which settings.
 */
public final class StartupLog {

  private static final Logger LOGGER = LoggerFactory.getLogger(StartupLog.class);

  private static final AtomicBoolean IS_LOGGED = new AtomicBoolean();

  private StartupLog() {}

  /**
   * Logs the line, unless a region of this JVM has opened before. Later regions only read a field.
   */
  public static void regionOpened(CoprocessorEnvironment<?> environment) {
    if (!IS_LOGGED.get()
        && environment instanceof RegionCoprocessorEnvironment
        && IS_LOGGED.compareAndSet(false, true)) {
      log((RegionCoprocessorEnvironment) environment);
    }
  }

  private static void log(RegionCoprocessorEnvironment environment) {
    try {
      LOGGER.info(
          message(
              StartupLog.class.getPackage().getImplementationVersion(),
              ServerSettings.of(environment),
              Patches::isOn));
    } catch (RuntimeException e) {
      // HBase would stop the server.
      LOGGER.warn("Cannot log the settings of Phoenix Pruning", e);
    }
  }

  /**
   * Returns the line for a server.
   *
   * @param version version in the manifest of the jar, or null if the classes are not in a drop-in
   *     jar
   * @param site the server's hbase-site.xml
   * @param isOnInJvm says whether a patch of {@link Patch.Scope#JVM} is on
   */
  static String message(@Nullable String version, Configuration site, Predicate<Patch> isOnInJvm) {
    PruningMode mode = ServerMode.of(site);
    PatchSet allowed = ServerMode.allowedPatches(site);
    PatchSet granted = mode == PruningMode.STOCK ? PatchSet.NONE : allowed.usableOnServer();
    long on =
        Arrays.stream(Patch.values())
            .filter(
                patch ->
                    patch.scope() == Patch.Scope.JVM ? isOnInJvm.test(patch) : granted.has(patch))
            .count();
    return String.format(
        "Phoenix Pruning%s: %s=%s, %s=%s, %d of %d patches on",
        version == null ? "" : " " + version,
        PruningOptions.MODE,
        mode.configured(),
        PruningOptions.PATCHES,
        allowed,
        on,
        Patch.values().length);
  }
}
