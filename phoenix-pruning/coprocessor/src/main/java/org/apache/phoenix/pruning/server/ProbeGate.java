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
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets at most a share of the handlers that serve scans answer probes at a time, so that other
 * requests find one, and says for how long they may read one region. There is one gate for a
 * server.
 */
final class ProbeGate {

  /** The share of the handlers that serve scans; a number from 0, for none, to 1. */
  static final String SHARE = "phoenix.pruning.probe.handlers.share";

  private static final float DEFAULT_SHARE = 0.25f;

  /** So many milliseconds the rows of one region may be read for an answer; from 1 on. */
  static final String PAGE_MILLIS = "phoenix.pruning.probe.page.ms";

  /** To read a region is worth about as much time as the request that it saves. */
  static final int DEFAULT_PAGE_MILLIS = 10;

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeGate.class);

  private final int handlers;
  private final Semaphore free;
  private final ProbeFailures failures = new ProbeFailures();
  private final int pageMillis;

  ProbeGate(Configuration configuration) {
    float share =
        Math.max(
            0,
            Math.min(
                1,
                valid(
                    configuration, SHARE, "from 0 to 1", Configuration::getFloat, DEFAULT_SHARE)));
    this.handlers = handlers(scanHandlers(configuration), share);
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

  /**
   * Returns a share of the handlers that serve scans: at least one, and not all if there are two.
   */
  private static int handlers(int ofScans, float share) {
    return share == 0 ? 0 : Math.max(1, Math.min((int) (ofScans * share), ofScans - 1));
  }

  /**
   * Returns how many handlers of a region server serve scans. {@code
   * hbase.ipc.server.callqueue.read.ratio} sets some of the handlers aside for reads, and {@code
   * hbase.ipc.server.callqueue.scan.ratio} some of these for scans.
   */
  static int scanHandlers(Configuration configuration) {
    int all =
        configuration.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float reads = configuration.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    if (reads <= 0) {
      return all;
    }
    int both = Math.max(2, all);
    // The queues of the handlers also bound their number from below.
    float queueFactor =
        configuration.getFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 0.1f);
    int queues = Math.max(2, Math.round(both * Math.max(0, Math.min(1, queueFactor))));
    int ofReads = Math.max(readers(queues, reads), readers(both, reads));
    float scans = configuration.getFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0);
    int ofScans = (int) (ofReads * scans);
    // Without handlers of their own, scans are served as other reads.
    return ofScans > 0 ? ofScans : ofReads;
  }

  /** Returns the part of {@code count} for reads; at least one is left for writes. */
  private static int readers(int count, float share) {
    return Math.min(count - 1, Math.max(1, Math.round(count * share)));
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
            .computeIfAbsent(SHARE, key -> new ProbeGate(ofServer(environment)));
  }

  /** Uses the server's configuration: the region's also has the values of its table. */
  private static Configuration ofServer(RegionCoprocessorEnvironment environment) {
    OnlineRegions server = environment.getOnlineRegions();
    return server instanceof Server
        ? ((Server) server).getConfiguration()
        : HBaseConfiguration.create();
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

  /** Logs why regions could not be looked at. */
  ProbeFailures failures() {
    return failures;
  }

  @Override
  public String toString() {
    return free.availablePermits() + " of " + handlers + " handlers free";
  }
}
