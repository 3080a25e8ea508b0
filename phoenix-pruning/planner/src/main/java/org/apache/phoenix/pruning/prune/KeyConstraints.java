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
package org.apache.phoenix.pruning.prune;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.key.KeyColumn;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.pruning.predicate.DataKey;
import org.apache.phoenix.pruning.predicate.InclusiveKeyProjection;
import org.apache.phoenix.pruning.predicate.InclusiveRowProjection;
import org.apache.phoenix.pruning.predicate.KeyColumnResolver;
import org.apache.phoenix.pruning.predicate.NonKeyBounds;
import org.apache.phoenix.pruning.predicate.NonKeyColumns;
import org.apache.phoenix.pruning.predicate.ResidualCheck;
import org.apache.phoenix.pruning.predicate.RowKeyColumns;
import org.apache.phoenix.pruning.predicate.UnsupportedPredicateListener;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Derives constraints on the data row keys of the rows that a local-index scan can return. The
 * sources are the WHERE, joins, the tenant of the connection, and the constants of the view.
 */
public final class KeyConstraints {

  private final PhoenixConnection connection;
  private final PTable dataTable;
  private final UnsupportedPredicateListener listener;

  KeyConstraints(
      PhoenixConnection connection, PTable dataTable, UnsupportedPredicateListener listener) {
    this.connection = connection;
    this.dataTable = dataTable;
    this.listener = listener;
  }

  /** Returns constraints that every row key meets. */
  public static RegionSelector unknown() {
    KeyColumn anything = KeyColumn.trailingBinary("ROW", true);
    return new RegionSelector(KeySpace.everywhere(RowKeyLayout.of(anything)), null);
  }

  /**
   * Returns the constraints from the WHERE, joins, the tenant and the constants of views.
   *
   * @param scanned the table or index whose columns the conditions read
   * @param where the WHERE, or null if it is not known or there is none
   * @param ofJoins conditions that joins test, but the scan does not
   */
  RegionSelector of(PTable scanned, @Nullable Expression where, List<Expression> ofJoins)
      throws SQLException {
    DataKey key = DataKey.of(dataTable);
    if (key != null
        && !key.layout().isOpen()
        && (!namesWholeKey(key, scanned, where, ofJoins)
            || ViewKeys.canBeLonger(dataTable, connection))) {
      key = DataKey.ofPrefix(dataTable);
    }
    if (key == null) {
      return unknown();
    }
    List<KeySpace> spaces = new ArrayList<>();
    spaces.add(tenant(key));
    spaces.add(viewConstants(key));
    int[] positions = keyPositions(key, scanned);
    KeyColumnResolver resolver = column -> positions[column.getPosition()];
    for (Expression condition : ofJoins) {
      // A join can have very many keys. Keys that are not supported are not reported one by one.
      spaces.add(
          new InclusiveKeyProjection(key, resolver, new ResidualListener()).whereTrue(condition));
    }
    List<Expression> residual = new ArrayList<>();
    List<Expression> conditions = conjuncts(where);
    for (Expression condition : conditions) {
      ResidualListener unsupported = new ResidualListener();
      spaces.add(new InclusiveKeyProjection(key, resolver, unsupported).whereTrue(condition));
      if (unsupported.isResidual) {
        residual.add(condition);
      }
    }
    NonKeyBounds nonKey = NonKeyBounds.NONE;
    NonKeyColumns nonKeyColumns = NonKeyColumns.of(conditions, resolver, scanned);
    if (!nonKeyColumns.isEmpty()) {
      InclusiveRowProjection projection =
          new InclusiveRowProjection(key, resolver, nonKeyColumns, new ResidualListener());
      KeySpace rows = projection.whereTrue(conditions);
      spaces.add(projection.keys(rows));
      nonKey = projection.bounds(rows);
    }
    KeySpace space = KeySpace.allOf(key.layout(), spaces);
    return new RegionSelector(
        space, new ResidualCheck(key, resolver, scanned, residual, nonKey, listener));
  }

  /**
   * Returns whether each key column has a constant or is used in a condition. If not, no salt can
   * be computed.
   */
  private boolean namesWholeKey(
      DataKey key, PTable scanned, @Nullable Expression where, List<Expression> ofJoins) {
    int[] positions = keyPositions(key, scanned);
    BitSet named = new BitSet();
    if (where != null) {
      addNamed(where, positions, named);
    }
    ofJoins.forEach(condition -> addNamed(condition, positions, named));
    for (int i = 0; i < key.size(); i++) {
      boolean isGiven =
          key.column(i).getViewConstant() != null
              || (i == 0 && dataTable.isMultiTenant() && connection.getTenantId() != null);
      if (!isGiven && !named.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static void addNamed(Expression expression, int[] positions, BitSet named) {
    RowKeyColumns.forEach(
        expression,
        column -> {
          int position = positions[column.getPosition()];
          if (position >= 0) {
            named.set(position);
          }
        });
  }

  private static List<Expression> conjuncts(@Nullable Expression where) {
    if (where == null) {
      return Collections.emptyList();
    }
    return where instanceof AndExpression
        ? where.getChildren().stream()
            .flatMap(child -> conjuncts(child).stream())
            .collect(Collectors.toList())
        : Collections.singletonList(where);
  }

  /** Records whether a key space expresses only a part of a condition, so a residual remains. */
  private final class ResidualListener implements UnsupportedPredicateListener {

    private boolean isResidual;

    @Override
    public void unsupported(Expression expression) {
      isResidual = true;
    }

    @Override
    public void failed(Expression expression, RuntimeException cause) {
      listener.failed(expression, cause);
    }
  }

  /** Returns, for each key column of the scanned table, its position in the data key, or -1. */
  private static int[] keyPositions(DataKey key, PTable scanned) {
    List<PColumn> columns = scanned.getPKColumns();
    int[] positions = new int[columns.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = keyPosition(key, columns.get(i).getName().getString());
    }
    return positions;
  }

  /**
   * Returns the position of a primary key column in the data key. Returns -1 for an indexed column.
   * Indexed columns are named {@code family:column}, primary key columns {@code :column}.
   */
  private static int keyPosition(DataKey key, String indexColumn) {
    return indexColumn.startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP)
        ? key.indexOf(indexColumn.substring(IndexUtil.INDEX_COLUMN_NAME_SEP.length()))
        : -1;
  }

  private KeySpace tenant(DataKey key) throws SQLException {
    PName tenantId = connection.getTenantId();
    if (tenantId == null || !dataTable.isMultiTenant()) {
      return KeySpace.everywhere(key.layout());
    }
    return point(
        key,
        0,
        ScanUtil.getTenantIdBytes(
            dataTable.getRowKeySchema(), dataTable.getBucketNum() != null, tenantId, false));
  }

  private KeySpace viewConstants(DataKey key) {
    KeySpace space = KeySpace.everywhere(key.layout());
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    for (int i = 0; i < key.size(); i++) {
      if (IndexUtil.getViewConstantValue(key.column(i), value)) {
        space = space.and(point(key, i, value.copyBytes()));
      }
    }
    return space;
  }

  /**
   * Returns the keys with one value in a column.
   *
   * @param stored the value as stored in row keys, that is, inverted in a descending column
   */
  private static KeySpace point(DataKey key, int index, byte[] stored) {
    PColumn column = key.column(index);
    byte[] value =
        column.getSortOrder() == SortOrder.DESC
            ? SortOrder.invert(stored, 0, stored.length)
            : stored;
    ImmutableBytesWritable padded = new ImmutableBytesWritable(value);
    column.getDataType().pad(padded, column.getMaxLength(), SortOrder.ASC);
    return key.where(index, Collections.singletonList(ValueRange.point(padded.copyBytes())));
  }
}
