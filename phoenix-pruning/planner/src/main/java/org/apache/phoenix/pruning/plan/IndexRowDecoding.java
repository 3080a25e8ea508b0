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
package org.apache.phoenix.pruning.plan;

import java.sql.SQLException;
import java.util.Collections;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;

/** What a server needs to know to tell the key of the data row from that of an index row. */
public final class IndexRowDecoding {

  /** A serialized {@link IndexMaintainer}. */
  public static final String MAINTAINER_ATTRIBUTE = "_PruningIndexMaintainer";

  /** The constants of a view, serialized as Phoenix does; absent if there are none. */
  public static final String VIEW_CONSTANTS_ATTRIBUTE = "_PruningViewConstants";

  private IndexRowDecoding() {}

  /** Attaches to {@code scan} how the keys of {@code dataTable} stand in those of its index. */
  static void attach(Scan scan, PTable dataTable, PTable index, PhoenixConnection connection)
      throws SQLException {
    ImmutableBytesWritable maintainer = new ImmutableBytesWritable();
    IndexMaintainer.serialize(dataTable, maintainer, Collections.singletonList(index), connection);
    scan.setAttribute(MAINTAINER_ATTRIBUTE, maintainer.copyBytes());
    Scan constants = new Scan();
    BaseQueryPlan.serializeViewConstantsIntoScan(constants, dataTable);
    scan.setAttribute(
        VIEW_CONSTANTS_ATTRIBUTE,
        constants.getAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS));
  }
}
