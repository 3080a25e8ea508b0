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
package org.apache.phoenix.pruning.optimize;

import java.sql.SQLException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;

/** Reads the mode of the connection that has compiled a plan. */
final class ConnectionMode {

  private ConnectionMode() {}

  /** Returns the mode of the connection of {@code plan}, whatever the plan scans. */
  static PruningMode of(QueryPlan plan) {
    try {
      return PruningOptions.modeOf(plan.getContext().getConnection());
    } catch (SQLException e) {
      throw new IllegalStateException("the options were checked when the connection was made", e);
    }
  }
}
