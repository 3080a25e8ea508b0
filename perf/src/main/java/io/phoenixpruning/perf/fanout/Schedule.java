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
 * When a client's queries are due, at a fixed rate, for some time. The clients that share a rate
 * take turns.
 *
 * @param start as {@link System#nanoTime()} tells it
 * @param length from {@code start} on, without its end
 * @param rate queries a second, by all clients
 * @param client the number of this one, from 0 on
 * @param clients that share the rate
 */
record Schedule(long start, Duration length, double rate, int client, int clients) {

  /** The times, in their order. */
  LongStream due() {
    return LongStream.iterate(client, query -> query + clients)
        .map(query -> (long) (query * 1e9 / rate))
        .takeWhile(nanos -> nanos < length.toNanos())
        .map(nanos -> start + nanos);
  }

  /** Waits until {@code due}; not at all if that is past. */
  static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
