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

import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.AbstractClientScanner;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Scan that may not have to be sent, because its rows are in the answer to a {@link RegionProbe}. A
 * copy of this scan is an ordinary scan.
 */
public final class PrefetchedScan extends Scan {

  /** Source of the rows of the scan. */
  private interface RowSource {

    /** Returns the rows, or empty if the scan has to be sent. */
    Optional<List<Result>> rows() throws IOException;
  }

  private final RowSource source;

  private PrefetchedScan(Scan scan, RowSource source) throws IOException {
    super(scan);
    this.source = source;
  }

  /** Returns a scan like {@code scan} that has {@code rows} and need not be sent. */
  static Scan withRows(Scan scan, List<Result> rows) {
    return of(scan, () -> Optional.of(rows));
  }

  /** Returns a copy of {@code scan} whose region is probed when the scan is about to be sent. */
  static Scan deferred(Scan scan, DeferredProbe probe, int index) {
    return of(
        scan,
        () -> {
          Scan remaining = probe.remainingScan(index);
          if (remaining == null) {
            return Optional.of(Collections.emptyList());
          }
          return remaining instanceof PrefetchedScan
              ? ((PrefetchedScan) remaining).source.rows()
              : Optional.empty();
        });
  }

  private static Scan of(Scan scan, RowSource source) {
    try {
      return new PrefetchedScan(scan, source);
    } catch (IOException e) {
      throw new IllegalStateException("a scan cannot be copied", e);
    }
  }

  /** Returns the result of {@code scan} without sending it, or empty if it has to be sent. */
  public static Optional<ResultScanner> prefetchedRows(Scan scan) throws IOException {
    if (!(scan instanceof PrefetchedScan)) {
      return Optional.empty();
    }
    return ((PrefetchedScan) scan).source.rows().map(rows -> new Rows(scan, rows));
  }

  private static final class Rows extends AbstractClientScanner {

    private final Iterator<Result> rows;

    Rows(Scan scan, List<Result> rows) {
      this.rows = rows.iterator();
      initScanMetrics(scan);
    }

    @Override
    public @Nullable Result next() {
      return rows.hasNext() ? rows.next() : null;
    }

    @Override
    public void close() {
      // Nothing is held at the server.
    }

    @Override
    public boolean renewLease() {
      return true;
    }
  }
}
