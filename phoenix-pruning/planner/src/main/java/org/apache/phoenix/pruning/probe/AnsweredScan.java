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
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.client.AbstractClientScanner;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.util.ClientUtil;

/**
 * A scan whose rows came with the answer of a {@link RegionProbe}, so that it need not be sent. A
 * copy of it is an ordinary scan.
 */
public final class AnsweredScan extends Scan {

  private final List<Result> rows;

  private AnsweredScan(Scan scan, List<Result> rows) throws IOException {
    super(scan);
    this.rows = rows;
  }

  /** Like {@code scan}, which would return {@code rows}. */
  static Scan of(Scan scan, List<Result> rows) throws SQLException {
    try {
      return new AnsweredScan(scan, rows);
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }

  /** What sending {@code scan} would give, if it need not be sent; null otherwise. */
  public static ResultScanner rowsOf(Scan scan) {
    return scan instanceof AnsweredScan ? new Rows((AnsweredScan) scan) : null;
  }

  private static final class Rows extends AbstractClientScanner {

    private final Iterator<Result> rows;

    Rows(AnsweredScan scan) {
      this.rows = scan.rows.iterator();
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
