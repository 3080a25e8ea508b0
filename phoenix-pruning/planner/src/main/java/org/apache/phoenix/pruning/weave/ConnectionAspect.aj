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
package org.apache.phoenix.pruning.weave;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixEmbeddedDriver;
import org.apache.phoenix.pruning.config.MergedProperties;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.util.PropertiesUtil;

/** Reads the pruning options of a connection once, and refuses options with invalid values. */
public privileged aspect ConnectionAspect {

  declare parents : PhoenixConnection implements PruningOptions.Holder;

  private PruningOptions PhoenixConnection.pruningOptions;

  public PruningOptions PhoenixConnection.getPruningOptions() {
    return pruningOptions;
  }

  public void PhoenixConnection.setPruningOptions(PruningOptions options) {
    this.pruningOptions = options;
  }

  after() returning(Connection connection) throws SQLException :
      execution(Connection PhoenixEmbeddedDriver.createConnection(String, Properties)) {
    PruningOptions.check(connection);
  }

  /**
   * Drops invalid settings that Phoenix added from a configuration and that the caller did not set.
   */
  after(Properties own) returning(Properties merged) :
      execution(static Properties PropertiesUtil.combineProperties(
          Properties, Configuration, Set))
      && args(own, *, *) {
    MergedProperties.dropRefused(merged, own);
  }
}
