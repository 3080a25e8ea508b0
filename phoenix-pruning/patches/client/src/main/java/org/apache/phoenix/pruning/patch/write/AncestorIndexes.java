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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTable.ViewType;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Local indexes of the table and of the views that a view is based on. */
public final class AncestorIndexes {

  private static final byte[] NONE = {};

  private final List<PTable> ancestors;
  private final List<PTableKey> keys = new ArrayList<>();
  private final byte[] maintainers;

  private AncestorIndexes(List<PTable> ancestors, byte[] maintainers) {
    this.ancestors = ancestors;
    this.maintainers = maintainers;
    for (PTable ancestor : ancestors) {
      keys.add(ancestor.getKey());
    }
  }

  /**
   * Returns the indexes of the ancestors of {@code view}.
   *
   * @param last an earlier result for {@code view}, which is returned if no ancestor has changed
   *     since then; or null
   */
  public static AncestorIndexes of(
      PTable view, PhoenixConnection connection, @Nullable AncestorIndexes last)
      throws SQLException {
    if (last != null && last.isCurrent(connection)) {
      return last;
    }
    List<PTable> ancestors = ancestors(view, connection);
    return new AncestorIndexes(ancestors, maintainers(view, ancestors, connection));
  }

  /** Compares identities, because a changed table is another object. */
  private boolean isCurrent(PhoenixConnection connection) {
    try {
      for (int i = 0; i < keys.size(); i++) {
        if (connection.getTableRef(keys.get(i)).getTable() != ancestors.get(i)) {
          return false;
        }
      }
      return true;
    } catch (TableNotFoundException notCached) {
      return false;
    }
  }

  /** Returns true if no index of an ancestor has to be added to those that Phoenix maintains. */
  public boolean isEmpty() {
    return maintainers.length == 0;
  }

  /** Returns the serialized maintainers of the view's own indexes and of those of its ancestors. */
  public byte[] maintainers() {
    return maintainers;
  }

  /**
   * Serializes the index maintainers of {@code view} and of all local indexes of its ancestors.
   *
   * <p>Each index of an ancestor is maintained with the columns of the ancestor. Phoenix makes the
   * maintainer of an inherited index from the columns of the view. It treats key columns that are
   * constant in the view as columns that the index lacks. A view that adds key columns is left to
   * Phoenix: its index rows need these columns in their keys.
   */
  private static byte[] maintainers(
      PTable view, List<PTable> ancestors, PhoenixConnection connection) throws SQLException {
    Map<Long, PTable> inherited = new LinkedHashMap<>();
    for (PTable ancestor : ancestors) {
      if (ancestor.getPKColumns().size() != view.getPKColumns().size()) {
        continue;
      }
      Iterator<PTable> indexes =
          IndexMaintainer.maintainedLocalIndexes(ancestor.getIndexes().iterator());
      while (indexes.hasNext()) {
        PTable index = indexes.next();
        if (inherited.putIfAbsent(index.getViewIndexId(), index) == null) {
          // The index keeps the maintainer, and serialize takes it.
          index.getIndexMaintainer(ancestor, connection);
        }
      }
    }
    if (inherited.isEmpty()) {
      return NONE;
    }
    List<PTable> indexes = new ArrayList<>();
    Iterator<PTable> own = maintainedIndexes(view);
    while (own.hasNext()) {
      PTable index = own.next();
      if (index.getIndexType() != IndexType.LOCAL
          || !inherited.containsKey(index.getViewIndexId())) {
        indexes.add(index);
      }
    }
    indexes.addAll(inherited.values());
    ImmutableBytesWritable serialized = new ImmutableBytesWritable();
    IndexMaintainer.serialize(view, serialized, indexes, connection);
    return serialized.copyBytes();
  }

  private static Iterator<PTable> maintainedIndexes(PTable view) {
    Iterator<PTable> indexes = view.getIndexes().iterator();
    return view.isImmutableRows()
        ? IndexMaintainer.maintainedLocalOrGlobalIndexesWithoutMatchingStorageScheme(view, indexes)
        : IndexMaintainer.maintainedIndexes(indexes);
  }

  /**
   * Returns the ancestors of {@code view}, beginning with the table. A view of a table that Phoenix
   * has not created has none. Transactions write indexes in another way.
   */
  static List<PTable> ancestors(PTable view, PhoenixConnection connection) throws SQLException {
    LinkedList<PTable> ancestors = new LinkedList<>();
    if (view.getViewType() == null
        || view.getViewType() == ViewType.MAPPED
        || view.isTransactional()) {
      return ancestors;
    }
    PName parent = view.getParentName();
    while (parent != null && !parent.getString().isEmpty()) {
      String name =
          SchemaUtil.getTableName(
              SchemaUtil.getSchemaNameFromFullName(parent.getString()),
              SchemaUtil.getTableNameFromFullName(parent.getString()));
      PTable ancestor = table(view.getTenantId(), name, connection);
      ancestors.addFirst(ancestor);
      parent = ancestor.getParentName();
    }
    return ancestors;
  }

  /** Finds a table of the tenant, or else a table without a tenant. Reads the cache if it can. */
  private static PTable table(@Nullable PName tenant, String name, PhoenixConnection connection)
      throws SQLException {
    if (tenant != null) {
      try {
        return connection.getTableRef(new PTableKey(tenant, name)).getTable();
      } catch (TableNotFoundException notOfTenant) {
        // Most views of a tenant are based on a table without a tenant.
        return connection.getTable(new PTableKey(null, name));
      }
    }
    return connection.getTable(new PTableKey(null, name));
  }
}
