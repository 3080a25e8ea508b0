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
package io.phoenixpruning.it.change;

import java.io.IOException;
import java.util.Map;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.phoenix.util.ServerUtil;
import org.apache.phoenix.util.ServerUtil.ConnectionType;

/**
 * Connections of Phoenix's code on the servers. Phoenix keeps one of each type for a JVM. In a mini
 * cluster, it belongs to the first server that needs it, and runs requests to this server without
 * an RPC. After this server has stopped, other servers wait for its regions, and cannot stop
 * either. So the servers get connections that belong to no server.
 */
final class ServerConnections {

  private ServerConnections() {}

  /** Replaces the connections of all servers of this JVM. */
  static void replace(Configuration configuration)
      throws IOException, ReflectiveOperationException {
    @SuppressWarnings("unchecked")
    Map<ConnectionType, Connection> connections =
        (Map<ConnectionType, Connection>)
            FieldUtils.readStaticField(ServerUtil.ConnectionFactory.class, "connections", true);
    for (ConnectionType type : ConnectionType.values()) {
      connections.put(
          type,
          ConnectionFactory.createConnection(
              ServerUtil.ConnectionFactory.getTypeSpecificConfiguration(type, configuration)));
    }
  }
}
