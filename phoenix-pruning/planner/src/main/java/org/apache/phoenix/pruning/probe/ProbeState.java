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
package org.apache.phoenix.pruning.probe;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.phoenix.pruning.config.ClientScoped;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.thirdparty.com.google.common.base.Ticker;
import org.apache.phoenix.thirdparty.com.google.common.cache.Cache;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;

/**
 * Keeps the probe back-off of each index and the probe throttle of each server, for one HBase
 * client. It forgets indexes that no statement has used for an hour, and servers to which no
 * request is in progress. Either may no longer exist.
 */
final class ProbeState {

  static final int MAX_INDEXES = 1_000;

  static final long INDEX_MINUTES = 60;

  private static final ClientScoped<ProbeState> BY_CLIENT =
      new ClientScoped<>(() -> new ProbeState(Ticker.systemTicker()));

  private final Cache<String, ProbeBackoff> backoffs;

  /**
   * Throttles by server. The values are weak, because each request holds the throttle of its
   * server.
   */
  private final Cache<ServerName, ProbeThrottle> throttles =
      CacheBuilder.newBuilder().weakValues().build();

  ProbeState(Ticker ticker) {
    this.backoffs =
        CacheBuilder.newBuilder()
            .maximumSize(MAX_INDEXES)
            .expireAfterAccess(INDEX_MINUTES, TimeUnit.MINUTES)
            .ticker(ticker)
            .build();
  }

  static ProbeState of(ConnectionQueryServices services) {
    return BY_CLIENT.get(services);
  }

  /** Returns the back-off of {@code index}. */
  ProbeBackoff backoff(String index) {
    ProbeBackoff existing = backoffs.getIfPresent(index);
    return existing == null
        ? backoffs.asMap().computeIfAbsent(index, key -> new ProbeBackoff())
        : existing;
  }

  /** Returns the throttle of {@code server}, which the requests of all statements share. */
  ProbeThrottle throttle(ServerName server) {
    return throttles.asMap().computeIfAbsent(server, key -> new ProbeThrottle());
  }

  /** Returns the number of indexes that have a back-off. */
  long indexCount() {
    backoffs.cleanUp();
    return backoffs.size();
  }

  /** Returns the number of servers that have a throttle. */
  long throttleCount() {
    throttles.cleanUp();
    return throttles.size();
  }

  @Override
  public String toString() {
    return indexCount() + " indexes, " + throttleCount() + " servers";
  }
}
