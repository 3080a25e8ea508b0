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

import java.util.Collection;
import java.util.function.Supplier;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.DelegateConnectionQueryServices;
import org.apache.phoenix.thirdparty.com.google.common.cache.Cache;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;

/**
 * Holds one value for each HBase client as long as the client lives. Connections share a client.
 */
public final class ClientScoped<T> {

  private final Cache<ConnectionQueryServices, T> values =
      CacheBuilder.newBuilder().weakKeys().build();
  private final Supplier<T> factory;

  /**
   * Creates a holder without values.
   *
   * @param factory creates the value of a new client
   */
  public ClientScoped(Supplier<T> factory) {
    this.factory = factory;
  }

  /** Returns the value of the client of a connection whose services are {@code services}. */
  public T get(ConnectionQueryServices services) {
    ConnectionQueryServices client = services;
    while (client instanceof DelegateConnectionQueryServices) {
      // Each connection has its own delegate for the services of its client.
      client = ((DelegateConnectionQueryServices) client).getDelegate();
    }
    // computeIfAbsent takes a lock and allocates memory.
    T existing = values.getIfPresent(client);
    return existing == null
        ? values.asMap().computeIfAbsent(client, key -> factory.get())
        : existing;
  }

  /** Returns the values of all clients. */
  public Collection<T> values() {
    return values.asMap().values();
  }
}
