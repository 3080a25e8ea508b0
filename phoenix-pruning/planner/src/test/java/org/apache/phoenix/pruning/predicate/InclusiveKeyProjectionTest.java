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
package org.apache.phoenix.pruning.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.RowKeyValueAccessor;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests conditions that Phoenix's compiler simplifies, but other callers may have. */
public class InclusiveKeyProjectionTest {

  private static final byte[] FOUR = PInteger.INSTANCE.toBytes(4);
  private static final byte[] FIVE = PInteger.INSTANCE.toBytes(5);
  private static final byte[] SIX = PInteger.INSTANCE.toBytes(6);

  private Connectionless driver;
  private PTable table;

  @Before
  public void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute("CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER)");
    table = driver.connection().unwrap(PhoenixConnection.class).getTable(new PTableKey(null, "T"));
  }

  @After
  public void dropTable() throws SQLException {
    driver.execute("DROP TABLE T");
    driver.close();
  }

  private KeySpace whereTrue(Expression where) {
    Fallbacks fallbacks = new Fallbacks();
    KeySpace space =
        new InclusiveKeyProjection(DataKey.of(table), column -> column.getPosition(), fallbacks)
            .whereTrue(where);
    assertThat(fallbacks.failures()).isZero();
    return space;
  }

  private Expression column() {
    List<PColumn> columns = table.getPKColumns();
    return new RowKeyColumnExpression(columns.get(0), new RowKeyValueAccessor(columns, 0));
  }

  @Test
  public void literalsAreTrueForAllKeysOrForNone() throws SQLException {
    Expression isTrue = LiteralExpression.newConstant(true);
    Expression isFalse = LiteralExpression.newConstant(false);
    Expression isNull = LiteralExpression.newConstant(null, PBoolean.INSTANCE);
    assertThat(whereTrue(isTrue)).hasToString("*");
    assertThat(whereTrue(isFalse).isNowhere()).isTrue();
    assertThat(whereTrue(isNull).isNowhere()).isTrue();
    assertThat(whereTrue(new NotExpression(isTrue)).isNowhere()).isTrue();
    assertThat(whereTrue(new NotExpression(isFalse))).hasToString("*");
    assertThat(whereTrue(new NotExpression(isNull)).isNowhere()).isTrue();
  }

  @Test
  public void constantsCanBeOnTheLeft() {
    Expression five = LiteralExpression.newConstant(5);
    KeySpace above =
        whereTrue(new ComparisonExpression(List.of(five, column()), CompareOperator.LESS));
    assertThat(above.next(FIVE)).isEqualTo(SIX);
    KeySpace equal =
        whereTrue(new ComparisonExpression(List.of(five, column()), CompareOperator.EQUAL));
    assertThat(equal.next(FOUR)).isEqualTo(FIVE);
    assertThat(equal.next(SIX)).isNull();
    assertThat(whereTrue(new ComparisonExpression(List.of(five, five), CompareOperator.EQUAL)))
        .hasToString("*");
  }
}
