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

/**
 * A scan that may not have to be sent, because its rows came with the answer of a {@link
 * RegionProbe}. A copy of it is an ordinary scan.
 */
public final class ProbedScan extends Scan {

  /** What is known of it. */
  private interface Answer {

    /** Empty if it has to be sent. */
    Optional<List<Result>> rows() throws IOException;
  }

  private final Answer answer;

  private ProbedScan(Scan scan, Answer answer) throws IOException {
    super(scan);
    this.answer = answer;
  }

  /** Like {@code scan}, which would return {@code rows}. */
  static Scan answered(Scan scan, List<Result> rows) {
    return of(scan, () -> Optional.of(rows));
  }

  /** Like {@code scan}, for which servers are asked when it is about to be sent. */
  static Scan later(Scan scan, DeferredAnswers answers, int index) {
    return of(
        scan,
        () -> {
          Scan answered = answers.scan(index);
          if (answered == null) {
            return Optional.of(Collections.emptyList());
          }
          return answered instanceof ProbedScan
              ? ((ProbedScan) answered).answer.rows()
              : Optional.empty();
        });
  }

  private static Scan of(Scan scan, Answer answer) {
    try {
      return new ProbedScan(scan, answer);
    } catch (IOException e) {
      throw new IllegalStateException("a scan cannot be copied", e);
    }
  }

  /** What sending {@code scan} would give; empty if it has to be sent. */
  public static Optional<ResultScanner> answerOf(Scan scan) throws IOException {
    if (!(scan instanceof ProbedScan)) {
      return Optional.empty();
    }
    return ((ProbedScan) scan).answer.rows().map(rows -> new Rows(scan, rows));
  }

  private static final class Rows extends AbstractClientScanner {

    private final Iterator<Result> rows;

    Rows(Scan scan, List<Result> rows) {
      this.rows = rows.iterator();
      initScanMetrics(scan);
    }

    @Override
    public Result next() {
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
