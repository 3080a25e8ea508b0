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
package io.phoenixpruning.perf.harness.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.jdbc.PhoenixConnection;

/**
 * A cluster that others have started, with clients in separate processes. Only the scan RPCs that
 * these clients have sent are counted, because servers count the RPCs of all clients.
 */
public final class RunningCluster implements MeasuredCluster {

  /** Settings that make HBase's client count RPCs for each table. */
  private static final List<String> COUNTING =
      List.of("hbase.client.metrics.enable=true", "hbase.client.table.metrics.enable=true");

  private final String url;
  private final Path folder;
  private final Consumer<String> onDeath;
  private final List<ServerProcess> processes = new ArrayList<>();
  private final List<QueryClientMXBean> clients = new ArrayList<>();
  private boolean closed;

  /**
   * Creates a cluster without clients.
   *
   * @param url JDBC URL
   * @param folder folder for logs
   * @param onDeath receives a message with the end of the log if a client ends before the cluster
   *     is closed
   */
  public RunningCluster(String url, Path folder, Consumer<String> onDeath) {
    this.url = url;
    this.folder = folder;
    this.onDeath = onDeath;
  }

  @Override
  public Connection connect(Map<String, String> properties) throws SQLException {
    return MeasuredCluster.connect(url, properties);
  }

  @Override
  public synchronized QueryClientMXBean startClient(String name, String limit, String classPath)
      throws IOException, InterruptedException {
    if (closed) {
      throw new IOException("The run is ending");
    }
    List<String> arguments = new ArrayList<>(List.of(url));
    arguments.addAll(COUNTING);
    MeasuredCluster.PROPERTIES.forEach((key, value) -> arguments.add(key + "=" + value));
    ServerProcess process =
        new ServerProcess(
            name, folder, limit, List.of(), classPath, QueryClientMain.class, arguments, onDeath);
    processes.add(process);
    QueryClientMXBean client = process.awaitClient();
    clients.add(client);
    return client;
  }

  @Override
  public synchronized long scanRpcs(TableName table) throws IOException {
    long rpcs = 0;
    for (QueryClientMXBean client : clients) {
      rpcs += client.scanRpcs(table.getNameAsString());
    }
    return rpcs;
  }

  @Override
  public void compact(TableName table) throws SQLException, IOException {
    try (Connection connection = connect(Map.of());
        Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
      MajorCompaction.run(admin, table);
    }
  }

  @Override
  public OptionalLong storeFileBytes(TableName table, String family) {
    return OptionalLong.empty();
  }

  @Override
  public boolean isExternal() {
    return true;
  }

  /** Ends the clients. */
  @Override
  public synchronized void close() {
    closed = true;
    processes.forEach(ServerProcess::expectEnd);
    processes.forEach(ServerProcess::close);
  }
}
