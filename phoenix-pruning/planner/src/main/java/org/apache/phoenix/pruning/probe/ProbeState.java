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
 * Keeps the probe history of each index and the lane of each server, for one HBase client. It
 * forgets indexes that no statement has used for an hour, and servers to which no request is in
 * progress. Either may no longer exist.
 */
final class ProbeState {

  static final int MAX_INDEXES = 1_000;

  static final long INDEX_MINUTES = 60;

  private static final ClientScoped<ProbeState> ALL =
      new ClientScoped<>(() -> new ProbeState(Ticker.systemTicker()));

  private final Cache<String, ProbeBackoff> histories;

  /** Lanes by server. The values are weak, because each request holds the lane of its server. */
  private final Cache<ServerName, ProbeThrottle> lanes =
      CacheBuilder.newBuilder().weakValues().build();

  ProbeState(Ticker ticker) {
    this.histories =
        CacheBuilder.newBuilder()
            .maximumSize(MAX_INDEXES)
            .expireAfterAccess(INDEX_MINUTES, TimeUnit.MINUTES)
            .ticker(ticker)
            .build();
  }

  static ProbeState of(ConnectionQueryServices services) {
    return ALL.of(services);
  }

  /** Returns the history of {@code index}. */
  ProbeBackoff history(String index) {
    ProbeBackoff known = histories.getIfPresent(index);
    return known == null
        ? histories.asMap().computeIfAbsent(index, key -> new ProbeBackoff())
        : known;
  }

  /** Returns the lane of {@code server}, which the requests of all statements share. */
  ProbeThrottle lane(ServerName server) {
    return lanes.asMap().computeIfAbsent(server, key -> new ProbeThrottle());
  }

  /** Returns the number of indexes that have a history. */
  long indexes() {
    histories.cleanUp();
    return histories.size();
  }

  /** Returns the number of servers that have a lane. */
  long lanes() {
    lanes.cleanUp();
    return lanes.size();
  }

  @Override
  public String toString() {
    return indexes() + " indexes, " + lanes() + " servers";
  }
}
