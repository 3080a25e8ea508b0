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
package io.phoenixpruning.it;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.util.ScanUtil;

/**
 * A client that can send any scan to any region. HBase's own client sends a scan only to the region
 * of its start row, and never a filter that it cannot read itself.
 */
final class ForgedScans implements AutoCloseable {

  private static final int ROWS = 10_000;
  private static final int TIMEOUT_MS = 60_000;

  private final ClusterConnection connection;

  ForgedScans() throws IOException {
    connection =
        (ClusterConnection)
            ConnectionFactory.createConnection(ClusterTest.getUtility().getConfiguration());
  }

  /**
   * Returns the scans that Phoenix plans for {@code sql}, one for each region, as Phoenix would
   * send them.
   */
  static List<Scan> planned(Connection connection, String sql) throws SQLException {
    QueryPlan plan =
        connection.prepareStatement(sql).unwrap(PhoenixPreparedStatement.class).optimizeQuery();
    plan.iterator().close();
    List<Scan> scans = new ArrayList<>();
    for (List<Scan> chunk : plan.getScans()) {
      for (Scan scan : chunk) {
        ScanUtil.setScanAttributesForClient(
            scan, plan.getTableRef().getTable(), plan.getContext().getConnection());
        scans.add(scan);
      }
    }
    return scans;
  }

  /** Returns the first rows of {@code region}. */
  List<Result> scan(RegionInfo region, Scan scan) throws IOException {
    return scan(region, scan, UnaryOperator.identity());
  }

  /**
   * Returns the first rows of {@code region} for a request that {@code change} has modified.
   *
   * @throws IOException the server's exception, or if the server does not answer within a minute
   */
  List<Result> scan(RegionInfo region, Scan scan, UnaryOperator<ScanRequest> change)
      throws IOException {
    ScanRequest request =
        RequestConverter.buildScanRequest(region.getRegionName(), scan, ROWS, true);
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    controller.setCallTimeout(TIMEOUT_MS);
    try {
      ScanResponse response =
          connection
              .getClient(location(region).getServerName())
              .scan(controller, change.apply(request));
      Result[] results = ResponseConverter.getResults(controller.cellScanner(), response);
      return results == null ? List.of() : List.of(results);
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }

  private HRegionLocation location(RegionInfo region) throws IOException {
    TableName table = region.getTable();
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getRegionLocation(region.getStartKey());
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
