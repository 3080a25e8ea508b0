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
package org.apache.phoenix.pruning.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.iterate.PeekingResultIterator;

/** Scans that are opened together. */
public final class Wave {

  private final List<List<Scan>> scans;
  private final List<List<Pair<Scan, Future<PeekingResultIterator>>>> futures = new ArrayList<>();
  private final Queue<PeekingResultIterator> opened = new ConcurrentLinkedQueue<>();

  Wave(List<List<Scan>> scans) {
    this.scans = scans;
  }

  /** Returns the scans in key order. Each inner list has scans whose rows follow each other. */
  public List<List<Scan>> scans() {
    return scans;
  }

  /** Returns a future for each scan that was started; empty before the start. */
  public List<List<Pair<Scan, Future<PeekingResultIterator>>>> futures() {
    return futures;
  }

  /** Returns the iterators of all tasks that have ended. */
  public Queue<PeekingResultIterator> opened() {
    return opened;
  }

  @Override
  public String toString() {
    return scans.stream().mapToInt(List::size).sum() + " scans";
  }
}
