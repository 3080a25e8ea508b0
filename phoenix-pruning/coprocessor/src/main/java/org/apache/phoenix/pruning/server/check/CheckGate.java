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
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.server.ServerSettings;

/**
 * Limits how many checks of local indexes a region server runs at a time. A check occupies a
 * handler for up to a second per request, and memory until its scanner is closed.
 */
final class CheckGate {

  static final int DEFAULT_CONCURRENCY = 2;

  private final int concurrency;
  private final Semaphore permits;

  CheckGate(Configuration configuration) {
    this.concurrency =
        ServerSettings.integer(
            configuration, PruningOptions.SERVER_CHECK_CONCURRENCY, 0, DEFAULT_CONCURRENCY);
    this.permits = new Semaphore(concurrency);
  }

  /** Returns the gate of the region server of {@code environment}. */
  static CheckGate of(RegionCoprocessorEnvironment environment) {
    return (CheckGate)
        environment
            .getSharedData()
            .computeIfAbsent(
                PruningOptions.SERVER_CHECK_CONCURRENCY,
                key -> new CheckGate(ServerSettings.of(environment)));
  }

  /** Returns whether the server runs checks at all. */
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
