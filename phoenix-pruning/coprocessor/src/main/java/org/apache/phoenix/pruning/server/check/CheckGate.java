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
package org.apache.phoenix.pruning.server.check;

import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how many checks of local indexes a region server runs at a time. A check occupies a
 * handler for up to a second per request, and memory until its scanner is closed.
 */
final class CheckGate {

  /** Setting for the maximum number of checks on a region server; 0 for none. */
  static final String CONCURRENCY = "phoenix.pruning.check.concurrency";

  static final int DEFAULT_CONCURRENCY = 2;

  private static final Logger LOGGER = LoggerFactory.getLogger(CheckGate.class);

  private final int concurrency;
  private final Semaphore permits;

  CheckGate(Configuration configuration) {
    this.concurrency = Math.max(0, read(configuration));
    this.permits = new Semaphore(concurrency);
  }

  /** Returns the default if the setting is not a number, because the server has to start anyway. */
  private static int read(Configuration configuration) {
    try {
      return configuration.getInt(CONCURRENCY, DEFAULT_CONCURRENCY);
    } catch (NumberFormatException e) {
      LOGGER.warn(
          "{} is '{}'. Expected an integer, 0 or more. The default is used: {}",
          CONCURRENCY,
          configuration.get(CONCURRENCY),
          DEFAULT_CONCURRENCY,
          e);
      return DEFAULT_CONCURRENCY;
    }
  }

  /** Returns the gate of the region server of {@code environment}. */
  static CheckGate of(RegionCoprocessorEnvironment environment) {
    return (CheckGate)
        environment
            .getSharedData()
            .computeIfAbsent(CONCURRENCY, key -> new CheckGate(serverConfiguration(environment)));
  }

  /**
   * Returns the server's configuration. A region's configuration also has the settings of its
   * table.
   */
  private static Configuration serverConfiguration(RegionCoprocessorEnvironment environment) {
    OnlineRegions server = environment.getOnlineRegions();
    return server instanceof Server
        ? ((Server) server).getConfiguration()
        : environment.getConfiguration();
  }

  /** Returns whether the server runs any check. */
  boolean isEnabled() {
    return concurrency > 0;
  }

  /** Tries to begin a check. If this method returns true, the caller must call {@link #release}. */
  boolean tryAcquire() {
    return permits.tryAcquire();
  }

  void release() {
    permits.release();
  }

  @Override
  public String toString() {
    return permits.availablePermits() + " of " + concurrency + " checks free";
  }
}
