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

import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.pruning.patch.PatchSet;

/**
 * Reads from the configuration how a region is served. Settings of the table take precedence over
 * the server's hbase-site.xml.
 *
 * <p>If {@code phoenix.pruning.mode} is {@code stock}, the region is served as Phoenix's own server
 * would serve it. Any other value has no effect here. {@code phoenix.pruning.patches} limits the
 * patches that clients may request. It has the same values as on a client.
 *
 * <p>Reading a setting takes some time. Callers do so when a scan, a file or a region is opened,
 * and never for a row.
 */
public final class ServerMode {

  private ServerMode() {}

  /** Returns whether regions with this configuration are served in mode {@code stock}. */
  public static boolean isStock(Configuration regionConfiguration) {
    return PruningMode.STOCK
        .name()
        .equalsIgnoreCase(regionConfiguration.getTrimmed(PruningOptions.MODE));
  }

  /**
   * Returns the mode in the configuration of a server. Servers behave the same in all modes other
   * than {@code stock}. An invalid value causes one WARN.
   */
  public static PruningMode of(Configuration serverConfiguration) {
    return SettingSource.read(
        Settings.MODE,
        serverConfiguration.get(PruningOptions.MODE),
        "hbase-site.xml on the class path");
  }

  /** Returns the patches that clients may request. An invalid value causes one WARN. */
  public static PatchSet allowedPatches(Configuration regionConfiguration) {
    return SettingSource.read(
        Settings.PATCHES,
        regionConfiguration.get(PruningOptions.PATCHES),
        "the configuration of a region");
  }
}
