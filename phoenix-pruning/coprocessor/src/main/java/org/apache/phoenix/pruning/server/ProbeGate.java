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

import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets at most a share of a server's handlers answer probes at a time, so that other requests find
 * one. There is one gate for a server.
 */
final class ProbeGate {

  /** The share of handlers; a number from 0, for none, to 1. */
  static final String SHARE = "phoenix.pruning.probe.handlers.share";

  private static final float DEFAULT_SHARE = 0.25f;

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeGate.class);

  private final int handlers;
  private final Semaphore free;

  ProbeGate(Configuration configuration) {
    int all =
        configuration.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float share = Math.max(0, Math.min(1, share(configuration)));
    this.handlers = share == 0 ? 0 : Math.max(1, (int) (all * share));
    this.free = new Semaphore(handlers);
  }

  /** A server has to start with a share that is none, too. */
  private static float share(Configuration configuration) {
    try {
      return configuration.getFloat(SHARE, DEFAULT_SHARE);
    } catch (NumberFormatException e) {
      LOGGER.warn(
          "{} is '{}', but has to be a number from 0 to 1; it is taken for {}",
          SHARE,
          configuration.get(SHARE),
          DEFAULT_SHARE,
          e);
      return DEFAULT_SHARE;
    }
  }

  /** The gate of the server that has the region of {@code environment}. */
  static ProbeGate of(RegionCoprocessorEnvironment environment) {
    return (ProbeGate)
        environment
            .getSharedData()
            .computeIfAbsent(SHARE, key -> new ProbeGate(environment.getConfiguration()));
  }

  /** Whether a handler is free for a probe; if so, it has to {@link #leave}. */
  boolean enter() {
    return free.tryAcquire();
  }

  void leave() {
    free.release();
  }

  @Override
  public String toString() {
    return free.availablePermits() + " of " + handlers + " handlers free";
  }
}
