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

import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** The table, its views and its partner as tables of Calcite, with the rows in memory. */
final class OracleTables implements DataContext {

  private static final int PRECISION = 200;
  private static final int SCALE = 20;

  private final CalciteSchema schema = CalciteSchema.createRootSchema(false);
  private final JavaTypeFactory types = new Utf8Types();

  OracleTables(RandomTable table) {
    List<Relation> relations = table.relations();
    relations.add(table.partnerRelation());
    for (Relation relation : relations) {
      schema.add(calciteName(relation.name()), new Rows(row(relation.columns()), relation.rows()));
    }
  }

  /** Replaces the names of a {@link RandomTable} in {@code text} with names for Calcite. */
  static String calciteName(String text) {
    return text.replace("$", "");
  }

  /** Returns the type of all numbers and times. */
  RelDataType number() {
    return types.createSqlType(SqlTypeName.DECIMAL, PRECISION / 2, SCALE);
  }

  /** Returns the type of a row with these columns. */
  RelDataType row(List<Column> columns) {
    RelDataTypeFactory.Builder row = types.builder();
    for (Column column : columns) {
      SqlTypeName name = column.type().calciteType();
      RelDataType type = name == SqlTypeName.DECIMAL ? number() : types.createSqlType(name);
      row.add(column.name(), types.createTypeWithNullability(type, column.nullable()));
    }
    return row.build();
  }

  CalciteSchema schema() {
    return schema;
  }

  JavaTypeFactory types() {
    return types;
  }

  @Override
  public SchemaPlus getRootSchema() {
    return schema.plus();
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return types;
  }

  @Override
  public QueryProvider getQueryProvider() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object get(String name) {
    return null;
  }

  private static final class Utf8Types extends JavaTypeFactoryImpl {
    Utf8Types() {
      super(new WideDecimals());
    }

    @Override
    public Charset getDefaultCharset() {
      return StandardCharsets.UTF_8;
    }
  }

  /** Type system with decimals that can hold every number of Phoenix. */
  private static final class WideDecimals extends RelDataTypeSystemImpl {
    @Override
    public int getMaxPrecision(SqlTypeName type) {
      return type == SqlTypeName.DECIMAL ? PRECISION : super.getMaxPrecision(type);
    }

    @Override
    public int getMaxNumericPrecision() {
      return PRECISION;
    }

    @Override
    public int getMaxNumericScale() {
      return PRECISION;
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
      return type == SqlTypeName.DECIMAL ? PRECISION : super.getMaxScale(type);
    }
  }

  private static final class Rows extends AbstractTable implements ScannableTable {
    private final RelDataType row;
    private final List<List<Object>> rows;

    Rows(RelDataType row, List<List<Object>> rows) {
      this.row = row;
      this.rows = rows;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
      return row;
    }

    @Override
    public Enumerable<Object[]> scan(DataContext root) {
      return Linq4j.asEnumerable(rows.stream().map(List::toArray).toList());
    }
  }
}
