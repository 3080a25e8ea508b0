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

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.phoenix.pruning.config.PruningOptions;

/** A client of Phoenix: its URL, and the options of its connections. */
record Client(String name, String url, Map<String, String> options) {

  Client {
    options = Map.copyOf(options);
  }

  /** Returns a client that has an additional option. */
  Client with(String option, String value) {
    Map<String, String> more = new HashMap<>(options);
    more.put(option, value);
    return new Client(name, url, more);
  }

  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.putAll(options);
    return DriverManager.getConnection(url, properties);
  }

  /** Returns true if the client also scans the regions that are not planned. */
  boolean verifies() {
    return Boolean.parseBoolean(options.get(PruningOptions.VERIFY));
  }

  @Override
  public String toString() {
    return "client " + name + " " + options;
  }
}
