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
package io.phoenixpruning.perf.fanout;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Times at which the queries of a client are due, at a fixed rate and for a limited time. The
 * clients that share a rate take turns.
 *
 * @param start start, as returned by {@link System#nanoTime()}
 * @param length length from {@code start}, exclusive of its end
 * @param rate queries per second of all clients together
 * @param client number of this client, from 0
 * @param clients number of clients that share the rate
 */
record Schedule(long start, Duration length, double rate, int client, int clients) {

  /** Returns the times in ascending order, as values of {@link System#nanoTime()}. */
  LongStream due() {
    return LongStream.iterate(client, query -> query + clients)
        .map(query -> (long) (query * 1e9 / rate))
        .takeWhile(nanos -> nanos < length.toNanos())
        .map(nanos -> start + nanos);
  }

  /** Waits until {@code due}. Returns immediately if that time is past. */
  static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
