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
package org.apache.phoenix.pruning.server.probe;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.protocol.AnswerCell;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.server.AnswerScanner;
import org.jspecify.annotations.Nullable;

/**
 * Scanner that returns one row, the answer to a {@link ProbeRequest}, instead of the rows of the
 * scan that carries the request. HBase has already checked that the user may read the region of
 * that scan.
 *
 * <p>The answer is computed when the scanner is opened. The region that carries the request is not
 * locked at that time, so it can close.
 */
public final class ProbeScanner extends AnswerScanner {

  /** Answer, or null after it was returned. */
  private @Nullable Cell answer;

  private ProbeScanner(RegionScanner scanner, Cell answer) {
    super(scanner);
    this.answer = answer;
  }

  /**
   * Returns whether {@code scan} carries a probe request that this server can read and has to
   * answer.
   */
  public static boolean hasToAnswer(Scan scan, RegionCoprocessorEnvironment environment) {
    byte[] attribute = scan.getAttribute(ProbeRequest.ATTRIBUTE);
    return attribute != null
        && !ProbeRequest.isNewer(attribute)
        && !ServerMode.isStock(environment.getConfiguration());
  }

  /**
   * Returns a scanner with the answer to the probe request of {@code scan}.
   *
   * @param scanner scanner of {@code scan}; returned unchanged if another observer has already
   *     replaced it
   * @throws DoNotRetryIOException if the request cannot be read or answered
   */
  public static RegionScanner of(
      RegionCoprocessorEnvironment environment, Scan scan, RegionScanner scanner)
      throws DoNotRetryIOException {
    return scanner instanceof ProbeScanner
        ? scanner
        : new ProbeScanner(scanner, answer(environment, scan));
  }

  /**
   * Computes the answer. Reads the request only if a handler may answer it, because reading takes
   * memory.
   */
  private static Cell answer(RegionCoprocessorEnvironment environment, Scan scan)
      throws DoNotRetryIOException {
    byte[] row = AnswerCell.rowKey(scan.getStartRow());
    ProbeGate gate = ProbeGate.of(environment);
    ProbeServerMetrics metrics = new ProbeServerMetrics(environment);
    if (!gate.tryAcquire()) {
      metrics.countRejected();
      return ProbeAnswer.rejected().toCell(row);
    }
    try {
      long start = System.nanoTime();
      ProbeRequest request = ProbeRequest.read(scan.getAttribute(ProbeRequest.ATTRIBUTE));
      ProbeAnswer answer = new ProbeResponder(environment, request, gate, metrics).answer();
      metrics.countAnswered(answer, request.ranges().size(), System.nanoTime() - start);
      return answer.toCell(row);
    } catch (Throwable e) {
      // HBase stops the server on any exception other than an IOException.
      throw new DoNotRetryIOException(ProbeRequest.ATTRIBUTE + ": " + e.getMessage(), e);
    } finally {
      gate.release();
    }
  }

  @Override
  public boolean next(List<Cell> cells) throws IOException {
    if (answer != null) {
      cells.add(answer);
      answer = null;
    }
    return false;
  }
}
