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
package org.apache.phoenix.pruning.patch.viewindex;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler.WhereExpressionCompiler;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.hbase.index.covered.update.ColumnReference;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableRef;
import org.jspecify.annotations.Nullable;

/**
 * A local index of a view, and the condition that decides which rows the view has.
 *
 * <p>Phoenix's expressions keep state while they are evaluated, so each batch gets its own. They
 * are therefore kept in serialized form. Immutable.
 */
public final class ViewIndex {

  private final byte[] id;
  private final byte[] maintainer;
  private final byte @Nullable [] condition;
  private final Set<ColumnReference> conditionColumns;

  private ViewIndex(
      byte[] id,
      byte[] maintainer,
      byte @Nullable [] condition,
      Set<ColumnReference> conditionColumns) {
    this.id = id;
    this.maintainer = maintainer;
    this.condition = condition;
    this.conditionColumns = conditionColumns;
  }

  /** Describes {@code index}, which was created on {@code view}. */
  static ViewIndex of(PTable view, PTable index, PhoenixConnection connection) throws SQLException {
    ImmutableBytesWritable serialized = new ImmutableBytesWritable();
    IndexMaintainer.serialize(view, serialized, Collections.singletonList(index), connection);
    StatementContext context =
        new StatementContext(
            new PhoenixStatement(connection), FromCompiler.getResolver(new TableRef(view)));
    Expression condition = condition(view, context);
    Set<ColumnReference> columns = new HashSet<>();
    for (Pair<byte[], byte[]> column : context.getWhereConditionColumns()) {
      columns.add(new ColumnReference(column.getFirst(), column.getSecond()));
    }
    return new ViewIndex(
        index.getviewIndexIdType().toBytes(index.getViewIndexId()),
        serialized.copyBytes(),
        condition == null ? null : serialize(condition),
        columns);
  }

  private static @Nullable Expression condition(PTable view, StatementContext context)
      throws SQLException {
    String statement = view.getViewStatement();
    if (statement == null) {
      return null;
    }
    ParseNode where = new SQLParser(statement).parseQuery().getWhere();
    return where == null ? null : where.accept(new WhereExpressionCompiler(context));
  }

  private static byte[] serialize(Expression expression) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      WritableUtils.writeVInt(out, ExpressionType.valueOf(expression).ordinal());
      expression.write(out);
    } catch (IOException e) {
      throw new IllegalStateException("A ByteArrayOutputStream does not fail", e);
    }
    return bytes.toByteArray();
  }

  /** Returns the id with which the keys of the index begin. */
  byte[] id() {
    return id;
  }

  /** Returns a new maintainer, which also reads the columns of the condition. */
  IndexMaintainer newMaintainer() {
    IndexMaintainer read = IndexMaintainer.deserialize(maintainer, true).get(0);
    read.getAllColumns().addAll(conditionColumns);
    return read;
  }

  /** Returns a new expression for the condition of the view, or null if it has all rows. */
  @Nullable Expression newCondition() throws IOException {
    if (condition == null) {
      return null;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(condition))) {
      Expression expression = ExpressionType.values()[WritableUtils.readVInt(in)].newInstance();
      expression.readFields(in);
      return expression;
    }
  }
}
