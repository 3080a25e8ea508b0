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
 * one, and says for how long they may read one region. There is one gate for a server.
 */
final class ProbeGate {

  /** The share of handlers; a number from 0, for none, to 1. */
  static final String SHARE = "phoenix.pruning.probe.handlers.share";

  private static final float DEFAULT_SHARE = 0.25f;

  /** So many milliseconds the rows of one region may be read for an answer; from 1 on. */
  static final String PAGE_MILLIS = "phoenix.pruning.probe.page.ms";

  /** To read a region is worth about as much time as the request that it saves. */
  static final int DEFAULT_PAGE_MILLIS = 10;

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeGate.class);

  private final int handlers;
  private final Semaphore free;
  private final int pageMillis;

  ProbeGate(Configuration configuration) {
    int all =
        configuration.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float share =
        Math.max(
            0,
            Math.min(
                1,
                valid(
                    configuration, SHARE, "from 0 to 1", Configuration::getFloat, DEFAULT_SHARE)));
    this.handlers = share == 0 ? 0 : Math.max(1, (int) (all * share));
    this.free = new Semaphore(handlers);
    this.pageMillis =
        Math.max(
            1,
            valid(
                configuration,
                PAGE_MILLIS,
                "of milliseconds, from 1 on",
                Configuration::getInt,
                DEFAULT_PAGE_MILLIS));
  }

  /** A server has to start with a value that is no number, too. */
  private static <T> T valid(
      Configuration configuration, String name, String range, Getter<T> getter, T byDefault) {
    try {
      return getter.get(configuration, name, byDefault);
    } catch (NumberFormatException e) {
      LOGGER.warn(
          "{} is '{}', but has to be a number {}; it is taken for {}",
          name,
          configuration.get(name),
          range,
          byDefault,
          e);
      return byDefault;
    }
  }

  /** Such as {@link Configuration#getInt}. */
  @FunctionalInterface
  private interface Getter<T> {
    T get(Configuration configuration, String name, T byDefault);
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

  /** For so long the rows of one region may be read. */
  int pageMillis() {
    return pageMillis;
  }

  @Override
  public String toString() {
    return free.availablePermits() + " of " + handlers + " handlers free";
  }
}
