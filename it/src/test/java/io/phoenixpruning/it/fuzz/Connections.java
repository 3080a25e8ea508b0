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
package io.phoenixpruning.it.fuzz;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.PhoenixRuntime;

/**
 * Connections of one thread, one for each mode. All its tables use them, because it takes long to
 * open a connection.
 */
final class Connections implements AutoCloseable {

  /** In Calcite, as in SQL, no null matches in a join. */
  private static final String PATCHES = "all,+" + Patch.NULL_JOIN_KEY.id();

  private final Opener opener;
  private final Map<String, String> options;
  private final Map<Key, Connection> open = new HashMap<>();

  /**
   * Opens no connection yet.
   *
   * @param options options of each connection
   */
  Connections(Opener opener, Map<String, String> options) {
    this.opener = opener;
    this.options = options;
  }

  /** Opens a connection with properties. */
  interface Opener {
    Connection open(Properties properties) throws SQLException;
  }

  /**
   * A kind of connection.
   *
   * @param verified whether regions that are not planned are read, too, and compared
   * @param leftOut patches of the connection that are off
   */
  record Key(PruningMode mode, boolean ofTenant, boolean verified, Set<Patch> leftOut) {

    /** A connection with all patches. */
    Key(PruningMode mode, boolean ofTenant) {
      this(mode, ofTenant, false, Set.of());
    }
  }

  Connection get(Key key) throws SQLException {
    Connection connection = open.get(key);
    if (connection == null) {
      connection = opener.open(properties(key));
      open.put(key, connection);
    }
    return connection;
  }

  private Properties properties(Key key) {
    Properties properties = new Properties();
    properties.putAll(options);
    properties.setProperty(PruningOptions.MODE, key.mode().name().toLowerCase(Locale.ROOT));
    properties.setProperty(PruningOptions.VERIFY, String.valueOf(key.verified()));
    if (key.mode() != PruningMode.STOCK) {
      properties.setProperty(PruningOptions.PATCHES, patches(key.leftOut()));
    }
    if (key.ofTenant()) {
      properties.setProperty(PhoenixRuntime.TENANT_ID_ATTRIB, RandomTable.TENANT);
    }
    return properties;
  }

  private static String patches(Set<Patch> leftOut) {
    Set<Patch> off = PatchesLeftOut.ofConnection(PatchesLeftOut.ofRun());
    off.addAll(leftOut);
    return off.stream().map(patch -> ",-" + patch.id()).collect(joining("", PATCHES, ""));
  }

  /** Forgets a connection whose statement does not end. It stays open. */
  void abandon(Key key) {
    open.remove(key);
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : open.values()) {
      connection.close();
    }
    open.clear();
  }
}
