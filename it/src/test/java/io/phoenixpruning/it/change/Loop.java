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
package io.phoenixpruning.it.change;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs queries one after the other in one thread, and writes in another thread. Each round allows
 * some queries and writes.
 */
final class Loop implements AutoCloseable {

  private static final int END_SECONDS = 120;
  private static final int QUERIES = 12;
  private static final int WRITES = 3;

  private final List<ChangingTable> tables;
  private final Client writing;
  private final RegionMoves moves;
  private final AcknowledgedWrites acknowledged;
  private final Future<?> reader;
  private final Future<?> writer;

  private final Semaphore queries = new Semaphore(0);
  private final Semaphore writes = new Semaphore(0);

  private volatile boolean stopped;
  private volatile Tally tally;
  private volatile List<Client> clients;

  /** The query that has been running since {@link #readingSince}; null if none is running. */
  private volatile CheckedQuery reading;

  private volatile long readingSince;

  /**
   * Starts the threads.
   *
   * @param writing the client that writes
   */
  Loop(
      List<ChangingTable> tables,
      Client writing,
      RegionMoves moves,
      AcknowledgedWrites acknowledged,
      long seed,
      ExecutorService executor) {
    this.tables = tables;
    this.writing = writing;
    this.moves = moves;
    this.acknowledged = acknowledged;
    this.reader = executor.submit(() -> read(new Random(seed)));
    this.writer = executor.submit(() -> write(new Random(seed + 1)));
  }

  /**
   * Allows the queries and writes of a round, and drops those left over from the previous round.
   *
   * @param tally counts the queries
   * @param clients the clients of the queries, which take turns
   */
  void startRound(Tally tally, List<Client> clients) {
    this.tally = tally;
    this.clients = clients;
    allow();
  }

  private void allow() {
    queries.drainPermits();
    queries.release(QUERIES);
    writes.drainPermits();
    writes.release(WRITES);
  }

  private Void read(Random random) throws SQLException, InterruptedException {
    int read = 0;
    Map<Client, Connection> connections = new HashMap<>();
    try {
      for (queries.acquire(); !stopped; queries.acquire()) {
        List<Client> turns = clients;
        Client client = turns.get(read++ % turns.size());
        if (!connections.containsKey(client)) {
          connections.put(client, client.connect());
        }
        ChangingTable table = tables.get(random.nextInt(tables.size()));
        CheckedQuery query = new Statements(table, random).nextQuery();
        long mark = moves.mark();
        boolean failed = false;
        readingSince = System.nanoTime();
        reading = query;
        try {
          query.run(connections.get(client));
        } catch (SQLException e) {
          failed = true;
          if (!moves.mayCause(e) || !moves.changedSince(mark)) {
            throw new SQLException(query + " by " + client + " failed", e);
          }
        } finally {
          reading = null;
        }
        tally.countInTheLoop(failed);
      }
    } finally {
      for (Connection connection : connections.values()) {
        connection.close();
      }
    }
    return null;
  }

  private Void write(Random random) throws SQLException, InterruptedException {
    try (Connection connection = writing.connect()) {
      for (writes.acquire(); !stopped; writes.acquire()) {
        ChangingTable table = tables.get(random.nextInt(tables.size()));
        long mark = moves.mark();
        try {
          new Writer(table, random).write(connection);
          acknowledged.write(table, random, connection);
        } catch (SQLException e) {
          // Writing is stock's code, so a failure here would be a failure of stock, too.
          connection.rollback();
          if (!moves.changedSince(mark)) {
            throw new SQLException("Writing to " + table + " failed", e);
          }
        }
      }
    }
    return null;
  }

  /** Fails if a query takes longer than {@code timeout}. */
  void checkTime(Duration timeout) throws TimeoutException {
    CheckedQuery query = reading;
    if (query != null && System.nanoTime() - readingSince > timeout.toNanos()) {
      throw new TimeoutException(query + " in the loop");
    }
  }

  /** Fails if the reader or the writer has failed. */
  void check() throws InterruptedException {
    try {
      if (reader.isDone()) {
        reader.get();
      }
      if (writer.isDone()) {
        writer.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("in the loop", e.getCause());
    }
  }

  @Override
  public void close() throws InterruptedException, ExecutionException, TimeoutException {
    stopped = true;
    allow();
    reader.get(END_SECONDS, TimeUnit.SECONDS);
    writer.get(END_SECONDS, TimeUnit.SECONDS);
  }
}
