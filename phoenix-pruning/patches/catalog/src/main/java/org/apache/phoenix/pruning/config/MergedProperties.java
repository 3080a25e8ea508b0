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

import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.util.QueryUtil;

/**
 * Removes settings that Phoenix adds to the properties of a connection. Phoenix adds all settings
 * of a configuration if a region server or a MapReduce job opens the connection. The caller of such
 * a connection has not set them, so they must not make the connection fail.
 */
public final class MergedProperties {

  private MergedProperties() {}

  /**
   * Removes settings from {@code merged} that would be refused, unless the caller set them. Logs
   * one WARN for each.
   *
   * @param merged the properties {@code own}, and settings that Phoenix added from a configuration
   * @param own the properties that the caller set
   */
  public static void dropRefused(Properties merged, Properties own) {
    dropRefused(merged, own, PruningOptions.Site.CONFIGURATION);
  }

  static void dropRefused(Properties merged, Properties own, Configuration site) {
    for (Setting<?> setting : Settings.OF_CLIENTS) {
      for (String name : setting.names()) {
        if (own.getProperty(name) == null) {
          dropRefused(merged, setting, name, site);
        }
      }
    }
    for (String name : merged.stringPropertyNames()) {
      if (SettingSource.isUnknown(name, Settings.NAMES) && own.getProperty(name) == null) {
        merged.remove(name);
        SettingSource.warnUnknown(name, Settings.NAMES);
      }
    }
    dropPatchesOfJvm(merged, own);
  }

  /**
   * Removes a value that is not allowed. Also removes a value that is the same in {@code site},
   * because the system properties override the site file.
   */
  private static void dropRefused(
      Properties merged, Setting<?> setting, String name, Configuration site) {
    String value = merged.getProperty(name);
    if (value == null) {
      return;
    }
    if (value.equals(site.get(name))) {
      merged.remove(name);
    } else if (setting.parse(value) == null) {
      Object allowed = setting.parseLeniently(value);
      if (allowed == null) {
        merged.remove(name);
      } else {
        merged.setProperty(name, allowed.toString());
      }
      SettingSource.warn(
          String.format(
              "%s is '%s' in the configuration. %s. %s",
              name,
              value,
              setting.problem(value),
              allowed == null ? "The value is ignored" : "The rest is used: " + allowed));
    }
  }

  private static void dropPatchesOfJvm(Properties merged, Properties own) {
    String configured = merged.getProperty(PruningOptions.PATCHES);
    // A value that is not allowed has just been removed.
    PatchSet all = configured == null ? null : PatchSet.parse(configured);
    if (all == null || own.getProperty(PruningOptions.PATCHES) != null) {
      return;
    }
    // Opt-in patches of the JVM change stored bytes. A server's connection writes no user rows, so
    // its setting can be dropped. The setting of a task is kept, because a task must not write
    // other bytes.
    boolean keepsOptIn = !Boolean.parseBoolean(own.getProperty(QueryUtil.IS_SERVER_CONNECTION));
    PatchSet allowed =
        all.limitNamesTo(patch -> isConnectionScoped(patch) || keepsOptIn && patch.isOptIn());
    if (!allowed.equals(all)) {
      merged.setProperty(PruningOptions.PATCHES, allowed.toString());
      SettingSource.warn(
          String.format(
              "%s is '%s' in the configuration of a connection. A connection cannot switch patches"
                  + " of the JVM, so '%s' is used. For these patches, use a system property, or"
                  + " hbase-site.xml on the class path",
              PruningOptions.PATCHES, configured, allowed));
    }
  }

  private static boolean isConnectionScoped(Patch patch) {
    return patch.scope() == Patch.Scope.CONNECTION;
  }
}
