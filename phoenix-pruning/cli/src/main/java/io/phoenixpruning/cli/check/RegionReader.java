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
package io.phoenixpruning.cli.check;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.phoenix.pruning.check.RegionComparison;
import org.apache.phoenix.pruning.protocol.CheckAnswer;
import org.apache.phoenix.pruning.protocol.CheckRequest;

/**
 * Sends requests to one region. If the server does not support the requests, this client reads all
 * rows of the region and compares them.
 */
final class RegionReader {

  /** Number of rows that this client fetches at a time if it compares them. */
  private static final int CACHING = 1_000;

  /** Maximum time for which a request to a busy server is repeated. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Table table;
  private final RegionInfo region;

  private boolean isComparedByServer = true;
  private long transferred;

  RegionReader(Table table, RegionInfo region) {
    this.table = table;
    this.region = region;
  }

  /** Returns whether the server answered all requests. Otherwise, this client compared rows. */
  boolean isComparedByServer() {
    return isComparedByServer;
  }

  /** Returns the number of rows and entries that crossed the network. */
  long transferred() {
    return transferred;
  }

  /** Returns the answer to {@code request}. */
  CheckAnswer answer(CheckRequest request) throws IOException, RegionChangedException {
    long start = System.nanoTime();
    while (true) {
      Optional<CheckAnswer> answer = isComparedByServer ? ask(request) : Optional.empty();
      if (answer.isEmpty()) {
        isComparedByServer = false;
        return compareHere(request);
      }
      switch (answer.get().status()) {
        case COMPARED -> {
          transferred += answer.get().differences().size();
          return answer.get();
        }
        case OTHER_REGION -> throw new RegionChangedException(region.getEncodedName());
        case BUSY -> {
          if (System.nanoTime() - start > MAX_WAIT_NANOS) {
            throw new IOException(
                "The server of the region "
                    + region.getEncodedName()
                    + " was busy with other checks for "
                    + TimeUnit.NANOSECONDS.toMinutes(MAX_WAIT_NANOS)
                    + " minutes. Run the check again later");
          }
          LockSupport.parkNanos(PAUSE_NANOS);
        }
        case PROGRESS -> throw new IOException("The last answer of a server is " + answer.get());
      }
    }
  }

  private Scan newScan() {
    return new Scan()
        .withStartRow(region.getStartKey())
        .withStopRow(region.getEndKey())
        .setCacheBlocks(false);
  }

  /** Returns the server's final answer, or empty if the server does not support the request. */
  private Optional<CheckAnswer> ask(CheckRequest request) throws IOException {
    Scan scan = newScan().setCaching(1).setAttribute(CheckRequest.ATTRIBUTE, request.toBytes());
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (true) {
        Result row = scanner.next();
        if (row == null) {
          return Optional.empty();
        }
        Optional<CheckAnswer> answer = CheckAnswer.read(row);
        if (answer.isEmpty()) {
          transferred++;
          return answer;
        }
        if (answer.get().status() != CheckAnswer.Status.PROGRESS) {
          return answer;
        }
      }
    }
  }

  private CheckAnswer compareHere(CheckRequest request) throws IOException, RegionChangedException {
    RegionComparison comparison = new RegionComparison(request);
    try (ResultScanner scanner = table.getScanner(newScan().setCaching(CACHING))) {
      for (Result row : scanner) {
        transferred++;
        comparison.add(row.listCells());
      }
    }
    try (RegionLocator locator = table.getRegionLocator()) {
      RegionInfo current = locator.getRegionLocation(region.getStartKey(), true).getRegion();
      if (!current.getEncodedName().equals(region.getEncodedName())) {
        throw new RegionChangedException(region.getEncodedName());
      }
    }
    return comparison.answer();
  }
}
