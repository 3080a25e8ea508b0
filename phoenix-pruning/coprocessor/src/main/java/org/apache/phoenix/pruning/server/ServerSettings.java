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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads settings of a region server. An invalid value is replaced by the default, so that the
 * server still starts.
 */
public final class ServerSettings {

  private static final Logger LOGGER = LoggerFactory.getLogger(ServerSettings.class);

  private ServerSettings() {}

  /**
   * Returns the configuration of the region server of {@code environment}. The configuration of the
   * region is not used, because it also has the settings of its table.
   */
  public static Configuration of(RegionCoprocessorEnvironment environment) {
    OnlineRegions server = environment.getOnlineRegions();
    return server instanceof Server
        ? ((Server) server).getConfiguration()
        : HBaseConfiguration.create();
  }

  /**
   * Returns an integer setting. If the value is not an integer, or is less than {@code least}, the
   * method logs a warning and returns {@code defaultValue}.
   */
  public static int integer(Configuration configuration, String name, int least, int defaultValue) {
    try {
      int value = configuration.getInt(name, defaultValue);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      LOGGER.debug("{} is not an integer", name, e);
    }
    warn(configuration, name, "an integer, " + least + " or more", defaultValue);
    return defaultValue;
  }

  /**
   * Returns a setting from 0 to 1. If the value is not a number, or is out of range, the method
   * logs a warning and returns {@code defaultValue}.
   */
  public static float share(Configuration configuration, String name, float defaultValue) {
    try {
      float value = configuration.getFloat(name, defaultValue);
      if (value >= 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      LOGGER.debug("{} is not a number", name, e);
    }
    warn(configuration, name, "a number from 0 to 1", defaultValue);
    return defaultValue;
  }

  private static void warn(
      Configuration configuration, String name, String expected, Number defaultValue) {
    LOGGER.warn(
        "{} is '{}'. Expected {}. The default is used: {}",
        name,
        configuration.get(name),
        expected,
        defaultValue);
  }
}
