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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.pruning.plan.IndexRowDecoding;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.ScanUtil;

/**
 * Passes the rows of a local index whose data rows are in a range. It stays on the server: a scan
 * that is marked with a range gets it when its scanner is opened.
 */
public final class DataRowFilter extends FilterBase {

  private final DataRowRange range;
  private final IndexMaintainer maintainer;
  private final byte[][] viewConstants;
  private final int prefixLength;

  private DataRowFilter(
      DataRowRange range, IndexMaintainer maintainer, byte[][] viewConstants, int prefixLength) {
    this.range = range;
    this.maintainer = maintainer;
    this.viewConstants = viewConstants;
    this.prefixLength = prefixLength;
  }

  /**
   * Lets {@code scan} return only the rows that it is marked with, if it is.
   *
   * @throws DoNotRetryIOException if the scan does not say how to read the keys of the index
   */
  public static void install(Scan scan, RegionInfo region) throws DoNotRetryIOException {
    DataRowRange range = DataRowRange.markedOn(scan);
    if (range == null) {
      return;
    }
    byte[] maintainer = scan.getAttribute(IndexRowDecoding.MAINTAINER_ATTRIBUTE);
    if (maintainer == null) {
      throw new DoNotRetryIOException(
          "The scan is for the data rows "
              + range
              + ", but its attribute "
              + IndexRowDecoding.MAINTAINER_ATTRIBUTE
              + " is missing");
    }
    Scan constants = new Scan();
    constants.setAttribute(
        BaseScannerRegionObserverConstants.VIEW_CONSTANTS,
        scan.getAttribute(IndexRowDecoding.VIEW_CONSTANTS_ATTRIBUTE));
    ScanUtil.andFilterAtBeginning(
        scan,
        new DataRowFilter(
            range,
            IndexMaintainer.deserialize(maintainer, true).get(0),
            IndexUtil.deserializeViewConstantsFromScan(constants),
            ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey())));
  }

  @Override
  public boolean filterRowKey(Cell firstRowCell) throws IOException {
    ImmutableBytesWritable indexKey =
        new ImmutableBytesWritable(
            firstRowCell.getRowArray(),
            firstRowCell.getRowOffset() + prefixLength,
            firstRowCell.getRowLength() - prefixLength);
    return !range.contains(maintainer.buildDataRowKey(indexKey, viewConstants));
  }
}
