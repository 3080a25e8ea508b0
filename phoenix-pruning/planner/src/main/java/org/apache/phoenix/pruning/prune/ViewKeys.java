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
package org.apache.phoenix.pruning.prune;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.ClientScoped;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.ConnectionlessQueryServicesImpl;
import org.apache.phoenix.query.DelegateConnectionQueryServices;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.thirdparty.com.google.common.cache.Cache;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;

/**
 * Determines whether a salted table holds rows of views that add key columns. The salt of a row is
 * computed from all its key columns, so the key columns of the table are not enough.
 *
 * <p>Phoenix 5.2 refuses to combine an index on a table with a view that adds key columns. Older
 * versions allow both, so existing tables can have them.
 */
final class ViewKeys {

  private static final long SECONDS = 60;
  private static final long SECONDS_FOR_UNLINKED = 3_600;

  /** Maximum time that a statement waits for the scan of SYSTEM.CATALOG. */
  private static final long WAIT_MILLIS = 1_000;

  private static final ClientScoped<Cache<PTableKey, Boolean>> KNOWN = answers(SECONDS);

  /**
   * Caches whether a view without a link adds key columns. Each answer takes a scan of
   * SYSTEM.CATALOG, which runs in a separate thread.
   */
  private static final ClientScoped<Cache<PTableKey, Future<Boolean>>> KNOWN_OF_UNLINKED =
      answers(SECONDS_FOR_UNLINKED);

  private ViewKeys() {}

  private static <T> ClientScoped<Cache<PTableKey, T>> answers(long seconds) {
    return new ClientScoped<>(
        () ->
            CacheBuilder.newBuilder()
                .maximumSize(10_000)
                .expireAfterWrite(seconds, TimeUnit.SECONDS)
                .build());
  }

  /**
   * Returns whether the rows of {@code table} can have more key columns than its metadata lists, or
   * true if the catalog cannot be read. An answer is cached for {@value #SECONDS} seconds.
   *
   * <p>Phoenix writes SYSTEM.CHILD_LINK separately from the view, so a link can be missing. To find
   * such views, a thread scans all of SYSTEM.CATALOG, at most once in {@value
   * #SECONDS_FOR_UNLINKED} seconds for each table and client. This method waits {@value
   * #WAIT_MILLIS} ms for the scan, and returns true as long as the scan runs.
   */
  static boolean canBeLonger(PTable table, PhoenixConnection connection) {
    ConnectionQueryServices services = connection.getQueryServices();
    while (services instanceof DelegateConnectionQueryServices) {
      services = ((DelegateConnectionQueryServices) services).getDelegate();
    }
    if (services instanceof ConnectionlessQueryServicesImpl) {
      // There is nothing to read.
      return false;
    }
    ConnectionQueryServices ofClient = services;
    return known(KNOWN.get(services), table, () -> readLinked(table, ofClient))
        || unlinked(table, ofClient);
  }

  private static boolean unlinked(PTable table, ConnectionQueryServices services) {
    Future<Boolean> answer =
        known(KNOWN_OF_UNLINKED.get(services), table, () -> startReadingUnlinked(table, services));
    try {
      return answer.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException e) {
      throw cannotRead(table, e);
    }
  }

  private static Future<Boolean> startReadingUnlinked(
      PTable table, ConnectionQueryServices services) {
    FutureTask<Boolean> answer = new FutureTask<>(() -> readUnlinked(table, services));
    Thread thread = new Thread(answer, "phoenix-pruning-views-of-" + table.getName());
    thread.setDaemon(true);
    thread.start();
    return answer;
  }

  /**
   * Returns the cached answer for {@code table}. If several threads call this method at the same
   * time, one thread reads the answer for all. Guava's {@code computeIfAbsent} would renew the
   * expiry time of a cached answer.
   */
  private static <T> T known(Cache<PTableKey, T> answers, PTable table, Callable<T> read) {
    try {
      return answers.get(table.getKey(), read);
    } catch (ExecutionException e) {
      throw cannotRead(table, e);
    }
  }

  private static IllegalStateException cannotRead(PTable table, ExecutionException cause) {
    return new IllegalStateException("Cannot read the views of " + table.getName(), cause);
  }

  private static boolean readLinked(PTable table, ConnectionQueryServices services) {
    try {
      return new ViewCatalog(services).hasLongerLinkedView(table);
    } catch (IOException | SQLException | RuntimeException e) {
      return failed(table, e);
    }
  }

  private static boolean readUnlinked(PTable table, ConnectionQueryServices services) {
    try {
      return new ViewCatalog(services).hasLongerView(table);
    } catch (IOException | SQLException | RuntimeException e) {
      return failed(table, e);
    }
  }

  private static boolean failed(PTable table, Exception cause) {
    Fallbacks.GLOBAL.pruningFailed("by the salt bucket of a key of " + table.getName(), cause);
    return true;
  }
}
