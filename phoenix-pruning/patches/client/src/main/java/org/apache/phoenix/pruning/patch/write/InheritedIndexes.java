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
package org.apache.phoenix.pruning.patch.write;

import java.sql.SQLException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.jspecify.annotations.Nullable;

/** Finds the table or the view that a local index was created on. */
public final class InheritedIndexes {

  private InheritedIndexes() {}

  /**
   * Returns the relation that owns {@code index}, which queries of {@code data} use. Returns {@code
   * data} if it owns the index itself, if the index is not a local one, and if the patch is off.
   * Also returns {@code data} if it has more key columns than the owner: its index rows then have
   * these columns in their keys.
   */
  public static PTable owner(PTable data, PTable index, PhoenixConnection connection)
      throws SQLException {
    if (data.getType() != PTableType.VIEW
        || index.getIndexType() != IndexType.LOCAL
        || !Patches.isOn(Patch.VIEW_DELETE, connection)) {
      return data;
    }
    for (PTable ancestor : AncestorIndexes.ancestors(data, connection)) {
      if (find(ancestor, index) != null
          && ancestor.getPKColumns().size() == data.getPKColumns().size()) {
        return ancestor;
      }
    }
    return data;
  }

  /** Returns the relation that owns the index that {@code plan} scans, as the other method. */
  public static PTable owner(PTable data, QueryPlan plan) {
    try {
      return owner(data, plan.getTableRef().getTable(), plan.getContext().getConnection());
    } catch (SQLException e) {
      // The join point declares no SQLException. With other constants, other rows would be deleted.
      throw new IllegalStateException(e);
    }
  }

  /** Returns the index that {@code owner} has under the same id, or null. */
  public static @Nullable PTable find(PTable owner, PTable index) {
    for (PTable own : owner.getIndexes()) {
      if (own.getIndexType() == IndexType.LOCAL
          && own.getViewIndexId().equals(index.getViewIndexId())) {
        return own;
      }
    }
    return null;
  }
}
