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
package org.apache.phoenix.pruning.where;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.ColumnRef;
import org.apache.phoenix.schema.PDatum;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.RowKeyValueAccessor;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.tuple.SingleKeyValueTuple;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests the condition that is built from the keys of a join's build side, by evaluating it for
 * rows.
 */
@RunWith(JUnitParamsRunner.class)
public class JoinKeysTest {

  private record Column(PDataType getDataType, SortOrder getSortOrder, Integer getMaxLength)
      implements PDatum {

    @Override
    public boolean isNullable() {
      return true;
    }

    @Override
    public Integer getScale() {
      return null;
    }
  }

  private record Key(int number, String text) {

    static Key random(Random random) {
      return new Key(
          random.nextInt(1 << 20), random.nextInt(9) == 0 ? "" : "t" + random.nextInt(99));
    }
  }

  /** Returns the columns of a row: a number with {@code order}, and a text. */
  private static List<Expression> columns(SortOrder order) {
    List<Column> columns =
        List.of(
            new Column(PInteger.INSTANCE, order, null),
            new Column(PVarchar.INSTANCE, SortOrder.ASC, null));
    return IntStream.range(0, 2)
        .<Expression>mapToObj(
            i -> new RowKeyColumnExpression(columns.get(i), new RowKeyValueAccessor(columns, i)))
        .toList();
  }

  private static Tuple row(Key key, SortOrder order) {
    byte[] rowKey =
        Bytes.add(
            PInteger.INSTANCE.toBytes(key.number(), order), PVarchar.INSTANCE.toBytes(key.text()));
    return new SingleKeyValueTuple(new KeyValue(rowKey, rowKey, rowKey, 1, rowKey));
  }

  private static boolean holds(Expression condition, Key key, SortOrder order) {
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    condition.reset();
    return condition.evaluate(row(key, order), value)
        && Boolean.TRUE.equals(condition.getDataType().toObject(value));
  }

  private static int size(Expression condition) {
    return 1 + condition.getChildren().stream().mapToInt(JoinKeysTest::size).sum();
  }

  @Test
  @Parameters({"ASC", "DESC"})
  public void keepsKeysAsTheyAre(SortOrder order) throws SQLException {
    Random random = new Random(1);
    Set<Key> keys = new HashSet<>();
    JoinKeys joinKeys = new JoinKeys(columns(order), columns(SortOrder.DESC));
    for (int i = 0; i < 300; i++) {
      Key key = Key.random(random);
      keys.add(key);
      joinKeys.add(row(key, SortOrder.DESC));
      joinKeys.add(row(key, SortOrder.DESC));
    }
    assertThat(joinKeys.isComplete()).isFalse();
    joinKeys.complete();
    Expression condition = joinKeys.condition();
    for (Key key : keys) {
      assertThat(holds(condition, key, order)).as("%s", key).isTrue();
      Key other = new Key(key.number() + 1, key.text());
      assertThat(holds(condition, other, order)).as("%s", other).isEqualTo(keys.contains(other));
    }
  }

  @Test
  public void noKeyIsNowhere() throws SQLException {
    JoinKeys joinKeys = new JoinKeys(columns(SortOrder.ASC), columns(SortOrder.ASC));
    joinKeys.complete();
    assertThat(holds(joinKeys.condition(), new Key(1, "a"), SortOrder.ASC)).isFalse();
  }

  @Test
  @Parameters({"ASC", "DESC"})
  public void enclosesTooManyKeysInRanges(SortOrder order) throws SQLException {
    Random random = new Random(2);
    List<Key> keys = IntStream.range(0, 60_000).mapToObj(i -> Key.random(random)).toList();
    JoinKeys joinKeys = new JoinKeys(columns(order), columns(SortOrder.ASC));
    for (Key key : keys) {
      // Adds (2000000, z) instead of each key with a number of 1,000,000 or more.
      joinKeys.add(row(key.number() < 1_000_000 ? key : new Key(2_000_000, "z"), SortOrder.ASC));
    }
    joinKeys.complete();
    Expression condition = joinKeys.condition();
    assertThat(size(condition)).isLessThan(2 * 7 * JoinKeys.MAX_KEYS);
    for (Key key : keys.subList(0, 100)) {
      boolean wasAdded = key.number() < 1_000_000;
      assertThat(holds(condition, key, order)).as("%s", key).isEqualTo(wasAdded);
    }
    assertThat(holds(condition, new Key(2_000_000, "z"), order)).isTrue();
    assertThat(holds(condition, new Key(2_000_001, "z"), order)).isFalse();
  }

  /**
   * Groups of close keys stay separate if the groups are far apart, in whatever order the keys are
   * added.
   */
  @Test
  public void joinsRangesThatLieTogether() throws SQLException {
    Random random = new Random(3);
    JoinKeys joinKeys = new JoinKeys(columns(SortOrder.ASC), columns(SortOrder.ASC));
    for (int i = 0; i < 100_000; i++) {
      int group = random.nextInt(10);
      joinKeys.add(row(new Key(group * 1_000_000 + random.nextInt(100_000), ""), SortOrder.ASC));
    }
    joinKeys.complete();
    Expression condition = joinKeys.condition();
    for (int group = 0; group < 9; group++) {
      Key between = new Key(group * 1_000_000 + 500_000, "");
      assertThat(holds(condition, between, SortOrder.ASC)).as("%s", between).isFalse();
    }
  }

  /** Phoenix reads other values from these keys than were written, so all rows are kept. */
  @Test
  public void keepsValuesThatPhoenixDoesNotGiveBack() throws SQLException {
    List<Column> blank = List.of(new Column(PChar.INSTANCE, SortOrder.ASC, 3));
    List<Column> text = List.of(new Column(PVarchar.INSTANCE, SortOrder.ASC, null));
    assertKept(blank, Bytes.toBytes("   "));
    assertKept(text, new byte[] {'a', (byte) 0xFF});
  }

  private static void assertKept(List<Column> columns, byte[] rowKey) throws SQLException {
    Expression column =
        new RowKeyColumnExpression(columns.get(0), new RowKeyValueAccessor(columns, 0));
    JoinKeys joinKeys = new JoinKeys(List.of(column), List.of(column));
    Tuple row = new SingleKeyValueTuple(new KeyValue(rowKey, rowKey, rowKey, 1, rowKey));
    joinKeys.add(row);
    joinKeys.complete();
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    assertThat(joinKeys.condition().evaluate(row, value)).isTrue();
    assertThat(PBoolean.INSTANCE.toObject(value)).isEqualTo(true);
  }

  @Test
  public void plansTheRegionsOfItsKeys() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute(
          """
          CREATE TABLE WIDE (K INTEGER NOT NULL, K2 VARCHAR NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K, K2)) SPLIT ON (%s)"""
              .formatted(
                  IntStream.range(1, 5_000).mapToObj(Integer::toString).collect(joining(","))));
      driver.execute("CREATE LOCAL INDEX WI ON WIDE (V)");
      String sql = "SELECT /*+ INDEX(WIDE WI) */ K FROM WIDE WHERE V = 5";
      try (PreparedStatement query = driver.connection().prepareStatement(sql)) {
        QueryPlan plan = query.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
        PTable index = plan.getTableRef().getTable();
        int position = index.getColumnForColumnName(":K").getPosition();
        Expression k = new ColumnRef(plan.getTableRef(), position).newColumnExpression();
        JoinKeys keys =
            JoinConditions.of(plan.getContext())
                .expectKeys(index, 0, List.of(k), columns(SortOrder.ASC).subList(0, 1));
        keys.add(row(new Key(77, "a"), SortOrder.ASC));
        keys.add(row(new Key(4_321, "b"), SortOrder.ASC));
        keys.complete();
        ExplainPlanAttributes explained = plan.getExplainPlan().getPlanStepsAsAttributes();
        assertThat(explained.getRegionsPlanned()).isEqualTo(2);
        assertThat(explained.getRegionsTotal()).isEqualTo(5_000);
      } finally {
        driver.execute("DROP TABLE WIDE");
      }
    }
  }
}
