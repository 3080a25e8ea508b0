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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;

/**
 * Keeps the condition of a parent view when a child view uses an index of the table. Phoenix's
 * {@code IndexUtil.rewriteViewStatement} replaces a column that the parent view fixes with its
 * value, although rows of other views are in the index (not reported).
 *
 * <p>Example: {@code SELECT K1 FROM C} along an index of T, with {@code CREATE VIEW A AS SELECT *
 * FROM T WHERE K1 = 4} and {@code CREATE VIEW C AS SELECT * FROM A WHERE V = 1}. Phoenix reads the
 * rows with {@code 4 = 4 AND V = 1}.
 */
public aspect ChildViewIndexAspect {

  String around(PhoenixConnection connection, PTable index, PTable parent, String viewStatement)
      throws SQLException :
      execution(static String IndexUtil.rewriteViewStatement(
          PhoenixConnection, PTable, PTable, String))
      && args(connection, index, parent, viewStatement) {
    return proceed(
        connection,
        index,
        Patches.isOn(Patch.CHILD_VIEW_INDEX) ? ParentOfIndex.of(parent, index) : parent,
        viewStatement);
  }
}
