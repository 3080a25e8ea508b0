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
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.jdbc.PhoenixStatement.Operation;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Scan with everything that the planned scans of a statement have in common, as it would be sent.
 */
final class ProbeScan {

  private final Scan scan;
  private final boolean isReadOnly;

  private ProbeScan(Scan scan, boolean isReadOnly) {
    this.scan = scan;
    this.isReadOnly = isReadOnly;
  }

  /**
   * Returns the common scan of a statement.
   *
   * @param template the scan from which the scans were planned
   * @param planned one of the planned scans
   * @param isDividedLookup whether the planned scans look up keys, and several of them read the
   *     same region
   */
  static ProbeScan of(QueryPlan plan, Scan template, Scan planned, boolean isDividedLookup)
      throws SQLException {
    PTable table = plan.getTableRef().getTable();
    Scan scan = ScanUtil.newScan(planned);
    // The filter of a planned scan may be limited to the keys in the range of that scan.
    scan.setFilter(template.getFilter());
    ScanUtil.setScanAttributesForClient(scan, table, plan.getContext().getConnection());
    return new ProbeScan(
        scan,
        plan.getOperation() == Operation.QUERY
            // The client of a transactional table reads more than it returns.
            && table.getTransactionProvider() == null
            // Phoenix sends one scan after the other, each with the number of rows that remain to
            // be skipped.
            && plan.getOffset() == null
            // A server looks up all keys of the filter, also those of the other scans.
            && !isDividedLookup
            && isReadOnly(scan));
  }

  /**
   * Returns whether the filter is a list of keys. Phoenix's {@code PagingRegionScanner} looks up
   * each of these keys, and does not stop at the stop row of the scan.
   */
  static boolean isPointLookup(@Nullable Filter filter) {
    return filter instanceof FilterList
        ? ((FilterList) filter).getFilters().stream().anyMatch(ProbeScan::isPointLookup)
        : filter instanceof SkipScanFilter && ((SkipScanFilter) filter).isMultiKeyPointLookup();
  }

  private static boolean isReadOnly(Scan scan) {
    // Without server paging, there is no limit to how long it takes to read a region.
    return ProbeRequest.isReadOnly(scan.getAttributesMap().keySet())
        && scan.getAttribute(BaseScannerRegionObserverConstants.SERVER_PAGE_SIZE_MS) != null;
  }

  /** Returns the request for {@code batch}. */
  ProbeRequest newRequest(ProbeBatch batch, int deadlineMillis, int maxRowBytes)
      throws IOException {
    return ProbeRequest.of(deadlineMillis, isReadOnly ? maxRowBytes : 0, scan, batch.ranges());
  }

  /**
   * Returns the scan that carries the request for {@code batch}. It reads the first row key of one
   * of the regions, so a server that does not know the request reads at most one row.
   *
   * @return the scan, or empty if {@code request} is longer than servers read
   */
  Optional<Scan> newCarrier(ProbeBatch batch, ProbeRequest request) {
    byte[] attribute = request.toBytes();
    if (attribute.length > ProbeRequest.MAX_BYTES) {
      return Optional.empty();
    }
    Scan carrier = new Scan();
    if (scan.hasFamilies()) {
      for (byte[] family : scan.getFamilies()) {
        carrier.addFamily(family);
      }
    }
    return Optional.of(
        carrier
            .withStartRow(batch.lastRegionStart())
            .withStopRow(batch.lastRegionStart(), true)
            .setOneRowLimit()
            .setAttribute(ProbeRequest.ATTRIBUTE, attribute));
  }

  @Override
  public String toString() {
    return scan.toString();
  }
}
