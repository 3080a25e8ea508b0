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
package org.apache.phoenix.pruning.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import com.carrotsearch.randomizedtesting.RandomizedTest;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope.Scope;
import com.google.protobuf.ByteString;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.coprocessor.generated.ServerCachingProtos;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.thirdparty.com.google.common.base.Throwables;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests bytes that our client never sends. A server refuses such bytes permanently, or reads them
 * as a filter that works like any other.
 *
 * <p>{@code -Dtests.seed=} and {@code -Dtests.cases=} work as in RegionWalkRandomTest.
 */
@RunWith(RandomizedRunner.class)
@ThreadLeakScope(Scope.NONE)
public class ForgedDataRowFilterTest extends RandomizedTest {

  private static final int CASES = Integer.getInteger("tests.cases", 20_000);
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
          .setStartKey(Bytes.toBytes("region"))
          .build();

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  private Connectionless driver;
  private byte[] maintainer;
  private byte[] genuine;

  @Before
  public void serialize() throws Exception {
    driver = new Connectionless();
    driver.execute(
        """
        CREATE TABLE T (K1 VARCHAR NOT NULL, K2 CHAR(3) NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2 DESC))""");
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    PTable table = connection.getTable(new PTableKey(null, "T"));
    PTable index = connection.getTable(new PTableKey(null, "I"));
    maintainer = IndexRowKeys.serializeMaintainer(table, index, connection);
    DataRowRange range = DataRowRange.between(Bytes.toBytes("b"), Bytes.toBytes("c"));
    genuine = DataRowFilter.of(range, REGION, table, index, connection).toByteArray();
  }

  @After
  public void close() throws Exception {
    driver.close();
  }

  @Test
  public void refusesLengthsThatExceedTheBytes() throws Exception {
    for (int length : new int[] {Integer.MAX_VALUE, 1 << 30, 5, -1, Integer.MIN_VALUE}) {
      softly
          .assertThatThrownBy(() -> DataRowFilter.parseFrom(vint(length)))
          .as("%s", length)
          .isInstanceOf(DeserializationException.class)
          .hasMessageContaining("not a DataRowFilter")
          .hasMessageContaining("a length is " + length);
    }
  }

  @Test
  public void refusesIndexesWithLengthsThatExceedTheBytes() throws Exception {
    byte[] none = {};
    for (int number : new int[] {Integer.MAX_VALUE, 1 << 30, Integer.MIN_VALUE}) {
      byte[] indexes = Bytes.add(vint(number), Arrays.copyOfRange(maintainer, 1, 99));
      assertRefused(indexes, none, "the number of indexes");
      assertRefused(Bytes.add(vint(1), vint(0), vint(number)), none, "the number of key columns");
      // The type VARCHAR is followed by the number of columns of this type, and by no length.
      byte[] positions = Bytes.add(vint(1), vint(0), Bytes.add(vint(1), vint(1), vint(number)));
      assertRefused(positions, none, "number of key columns");
      assertRefused(Bytes.add(vint(1), vint(number)), none, "the capacity for key columns");
      assertRefused(
          withIndex(index -> index.setIndexDataColumnCount(number)),
          none,
          "the number of data key columns");
      assertRefused(maintainer, vint(number), "the number of view constants");
      assertRefused(maintainer, Bytes.add(vint(1), vint(number)), "the length of a view constant");
    }
  }

  /** Returns the maintainer with a changed description of its index. */
  private byte[] withIndex(Consumer<ServerCachingProtos.IndexMaintainer.Builder> change)
      throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(maintainer));
    WritableUtils.readVInt(in);
    new RowKeySchema().readFields(in);
    int before = maintainer.length - in.available();
    byte[] index = new byte[WritableUtils.readVInt(in)];
    in.readFully(index);
    ServerCachingProtos.IndexMaintainer.Builder builder =
        ServerCachingProtos.IndexMaintainer.parseFrom(index).toBuilder();
    change.accept(builder);
    byte[] changed = builder.build().toByteArray();
    return Bytes.add(Arrays.copyOf(maintainer, before), vint(changed.length), changed);
  }

  /** Tests a condition that is a literal with a forged length, and an estimate that is too long. */
  @Test
  public void doesNotReadConditionsAndEstimates() throws Exception {
    byte[] literal =
        Bytes.add(vint(ExpressionType.LiteralValue.ordinal()), vint(Integer.MAX_VALUE));
    byte[] forged =
        withIndex(
            index ->
                index
                    .setIndexWhere(ByteString.copyFrom(literal))
                    .setIndexRowKeyByteSize(BoundedInput.MAX_BYTES));
    IndexMaintainer read = IndexRowKeys.readMaintainer(forged);
    assertThat(read.getIndexWhere()).isNull();
    assertThat(IndexMaintainer.toProto(read).getIndexRowKeyByteSize())
        .isEqualTo(HConstants.MAX_ROW_LENGTH);
  }

  private void assertRefused(byte[] maintainer, byte[] constants, String message) {
    softly
        .assertThatThrownBy(() -> IndexRowKeys.read(maintainer, constants))
        .as("%s: %s", message, Bytes.toStringBinary(Bytes.add(maintainer, constants)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("do not describe a local index")
        .hasMessageContaining(message);
  }

  @Test
  public void refusesRowsThatAreNotOfTheIndex() throws Exception {
    DataRowFilter filter = DataRowFilter.parseFrom(genuine);
    assertThatThrownBy(() -> filter.filterRowKey(row(Bytes.toBytes("reg"))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("A row key of length 3 ")
        .hasMessageContaining("a prefix of length 6")
        .hasMessageContaining("[b, c)");
  }

  /** A user who may not read a cell must not see its row key in an exception. */
  @Test
  public void messageDoesNotContainTheRow() throws Exception {
    DataRowFilter filter = DataRowFilter.parseFrom(genuine);
    for (String key : new String[] {"SECRET", "regionSECRET", "prefix\u0000SECRET"}) {
      Throwable refused = catchThrowable(() -> filter.filterRowKey(row(Bytes.toBytes(key))));
      if (refused != null) {
        softly
            .assertThat(Throwables.getStackTraceAsString(refused))
            .as(key)
            .doesNotContain("SECRET");
      }
    }
    assertThatThrownBy(() -> filter.filterRowKey(row(Bytes.toBytes("SECR")))).hasNoCause();
  }

  @Test
  public void refusesTruncatedOrExtendedBytes() {
    for (int length = 0; length < genuine.length; length++) {
      byte[] cut = Arrays.copyOf(genuine, length);
      softly
          .assertThatThrownBy(() -> DataRowFilter.parseFrom(cut))
          .as("%s bytes", length)
          .isInstanceOf(DeserializationException.class);
    }
    assertThatThrownBy(() -> DataRowFilter.parseFrom(Arrays.copyOf(genuine, genuine.length + 1)))
        .isInstanceOf(DeserializationException.class)
        .hasMessageContaining("unread bytes: 1");
  }

  /** Any other exception or error, such as running out of memory, fails the test. */
  @Test
  public void refusesOrRunsChangedBytes() throws Exception {
    int refused = 0;
    int failed = 0;
    int ran = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] forged = changed(genuine);
      try {
        DataRowFilter filter = DataRowFilter.parseFrom(forged);
        try {
          filter.filterRowKey(row(randomBytes()));
          ran++;
        } catch (DoNotRetryIOException e) {
          failed++;
        }
      } catch (DeserializationException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + ": " + Bytes.toStringBinary(forged), e);
      }
    }
    assertThat(refused).isPositive();
    assertThat(failed).isPositive();
    assertThat(ran).isPositive();
  }

  private static byte[] changed(byte[] genuine) {
    byte[] forged = genuine.clone();
    for (int changes = randomIntBetween(1, 4); changes > 0; changes--) {
      forged[randomIntBetween(0, forged.length - 1)] = randomByte();
    }
    return forged;
  }

  private static KeyValue row(byte[] row) {
    return new KeyValue(row, Bytes.toBytes("L#0"), Bytes.toBytes("_0"));
  }

  private static byte[] randomBytes() {
    byte[] bytes = new byte[randomIntBetween(1, 40)];
    getRandom().nextBytes(bytes);
    return bytes;
  }

  private static byte[] vint(int number) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableUtils.writeVInt(new DataOutputStream(bytes), number);
    return bytes.toByteArray();
  }
}
