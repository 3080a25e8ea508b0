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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.phoenix.jdbc.AbstractRPCConnectionInfo;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.apache.phoenix.jdbc.ZKConnectionInfo;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.util.PhoenixRuntime;
import org.apache.phoenix.util.ReadOnlyProps;

/** The JDBC URL of a cluster. Parsing checks the URL without network access. */
final class ClusterUrl {

  /**
   * Syntax of the URL, with all registries that Phoenix supports. In the list of hosts, a colon is
   * escaped with a backslash.
   */
  private static final Pattern SYNTAX =
      Pattern.compile(
          "jdbc:phoenix(?:\\+zk|\\+master|\\+rpc)?:"
              + "(?<hosts>(?:[^:;\\\\]|\\\\:)*)(?::(?<port>[^:;]*))?(?<more>:[^;]*)?(?:;.*)?");

  private static final Pattern HOST = Pattern.compile("[\\w.-]+(?:\\\\:(?<port>\\d+))?");

  private final String url;
  private final ConnectionInfo connection;

  private ClusterUrl(String url, ConnectionInfo connection) {
    this.url = url;
    this.connection = connection;
  }

  /**
   * Parses and checks {@code url}.
   *
   * @throws RefusedException if Phoenix cannot use the URL, or if an option in it has an invalid
   *     value
   */
  static ClusterUrl parse(String url) {
    Matcher parts = SYNTAX.matcher(url);
    if (!parts.matches() || url.startsWith(PhoenixRuntime.JDBC_THIN_PROTOCOL)) {
      throw malformed(url, "is not a Phoenix URL");
    }
    String hosts = parts.group("hosts");
    if (hosts.isBlank()) {
      throw malformed(url, "names no host");
    }
    if (hosts.equals(PhoenixRuntime.CONNECTIONLESS)) {
      throw malformed(url, "is Phoenix's URL for no cluster");
    }
    for (String host : hosts.split(",", -1)) {
      checkHost(url, host.strip());
    }
    String port = parts.group("port");
    // Without a port, this group may hold a path, or a principal that is followed by its keytab.
    if (port != null && !port.isEmpty() && !port.startsWith("/") && parts.group("more") == null
        || port != null && port.matches("-?\\d+")) {
      checkPort(url, port);
    }
    ConnectionInfo connection;
    try {
      connection = ConnectionInfo.createNoLogin(url, ReadOnlyProps.EMPTY_PROPS, new Properties());
    } catch (SQLException e) {
      throw malformed(url, "cannot be parsed by Phoenix (" + e.getMessage() + ")");
    }
    ClusterUrl parsed = new ClusterUrl(url, connection);
    parsed.checkOption(
        PruningOptions.MODE,
        Stream.of(PruningMode.EXACT, PruningMode.STOCK, PruningMode.NONE)
            .map(mode -> mode.name().toLowerCase(Locale.ROOT))
            .toList());
    parsed.checkOption(PruningOptions.VERIFY, List.of("true", "false"));
    return parsed;
  }

  private static void checkHost(String url, String host) {
    Matcher parts = HOST.matcher(host);
    if (!parts.matches()) {
      throw malformed(url, "has the invalid host '" + host + "'");
    }
    if (parts.group("port") != null) {
      checkPort(url, parts.group("port"));
    }
  }

  private static void checkPort(String url, String port) {
    if (!port.matches("\\d{1,5}")
        || Integer.parseInt(port) < 1
        || Integer.parseInt(port) > 65_535) {
      throw malformed(url, "has the invalid port '" + port + "'");
    }
  }

  private static RefusedException malformed(String url, String what) {
    return new RefusedException(
        "--url '"
            + url
            + "' "
            + what
            + ". Expected jdbc:phoenix:HOST[,HOST]:PORT (ZooKeeper of a running HBase)");
  }

  private void checkOption(String name, List<String> allowed) {
    String value = properties().get(name);
    if (value != null && allowed.stream().noneMatch(value.strip()::equalsIgnoreCase)) {
      throw new RefusedException(
          "--url sets "
              + name
              + " to '"
              + value
              + "'. Expected one of: "
              + String.join(", ", allowed));
    }
  }

  /** Returns the properties after the first semicolon, with case-insensitive names. */
  private Map<String, String> properties() {
    return Arrays.stream(url.split(";"))
        .skip(1)
        .map(property -> property.split("=", 2))
        .filter(property -> property.length == 2)
        .collect(
            Collectors.toMap(
                property -> property[0].strip(),
                property -> property[1],
                (first, second) -> first,
                () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER)));
  }

  /** Returns the addresses of the registry's servers, without resolving their host names. */
  List<InetSocketAddress> registry() {
    String servers =
        connection instanceof ZKConnectionInfo zooKeeper
            ? zooKeeper.getZkHosts()
            : ((AbstractRPCConnectionInfo) connection).getBoostrapServers();
    return Stream.of(servers.split(","))
        .map(server -> server.split(":"))
        .filter(server -> server.length == 2)
        .map(server -> InetSocketAddress.createUnresolved(server[0], Integer.parseInt(server[1])))
        .toList();
  }

  /**
   * Returns the configuration for a client of the cluster. Logs in if the URL names a principal.
   *
   * @throws RefusedException if the cluster needs Kerberos and the user cannot log in
   */
  Configuration configuration() throws SQLException, IOException {
    Configuration configuration = HBaseConfiguration.create();
    properties().forEach(configuration::set);
    KerberosLogin.login(url, connection, configuration)
        .asProps()
        .forEach(setting -> configuration.set(setting.getKey(), setting.getValue()));
    return configuration;
  }

  @Override
  public String toString() {
    return url;
  }
}
