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

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.junit.Test;

/**
 * Tests that requests and answers arrive as they were sent, and that other bytes are refused.
 *
 * <p>{@code -Dtests.cases=} sets the number of random cases above 20,000.
 */
public class CheckRequestTest {

  private static final int CASES = Math.max(20_000, Integer.getInteger("tests.cases", 0));
  private static final byte[] START = Bytes.toBytes("b");
  private static final byte[] END = Bytes.toBytes("d");

  private static CheckRequest.Index index() throws Exception {
    try (Connectionless phoenix = new Connectionless()) {
      phoenix.execute("CREATE TABLE CHECKED (K VARCHAR PRIMARY KEY, V INTEGER)");
      phoenix.execute("CREATE LOCAL INDEX CHECKED_V ON CHECKED (V)");
      PhoenixConnection connection = phoenix.connection().unwrap(PhoenixConnection.class);
      PTable table = connection.getTable("CHECKED");
      CheckRequest.Index index =
          CheckRequest.Index.of(table, table.getIndexes().get(0), connection);
      phoenix.execute("DROP TABLE CHECKED");
      return index;
    }
  }

  private static CheckRequest request() throws Exception {
    return CheckRequest.of(7, 10, START, END, List.of(index()), null);
  }

  @Test
  public void readsARequest() throws Exception {
    CheckRequest sent = request().withBuckets(12, List.of(new int[] {3, 4_000}));
    CheckRequest read = CheckRequest.read(sent.toBytes());
    assertThat(read.seed()).isEqualTo(7);
    assertThat(read.bucketBits()).isEqualTo(12);
    assertThat(read.regionStart()).isEqualTo(START);
    assertThat(read.regionEnd()).isEqualTo(END);
    assertThat(read.buckets()).containsExactly(new int[] {3, 4_000});
    assertThat(read.newCondition()).isNull();
    assertThat(read.indexes()).hasSize(1);
    assertThat(read.indexes().get(0).id()).isEqualTo(sent.indexes().get(0).id());
    assertThat(read.indexes().get(0).newMaintainer().isLocalIndex()).isTrue();
    assertThat(CheckRequest.isNewer(sent.toBytes())).isFalse();
  }

  @Test
  public void refusesOtherBytes() throws Exception {
    byte[] genuine = request().toBytes();
    for (int length = 0; length < genuine.length; length++) {
      byte[] cut = Arrays.copyOf(genuine, length);
      assertThatThrownBy(() -> CheckRequest.read(cut))
          .as("%s bytes", length)
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> CheckRequest.read(new byte[CheckRequest.MAX_BYTES + 1]))
        .hasMessageContaining("but at most 2097152 are allowed");
    Random random = new Random(1);
    for (int i = 0; i < CASES; i++) {
      byte[] forged = genuine.clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        forged[random.nextInt(forged.length)] = (byte) random.nextInt();
      }
      try {
        CheckRequest read = CheckRequest.read(forged);
        for (CheckRequest.Index index : read.indexes()) {
          index.newMaintainer();
        }
      } catch (IOException refused) {
        assertThat(refused).as("case %s", i).hasMessageNotContaining("OutOfMemory");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + ": " + Bytes.toStringBinary(forged), e);
      }
    }
  }

  @Test
  public void refusesTooManyBuckets() throws Exception {
    CheckRequest tooMany = CheckRequest.of(7, 17, START, END, List.of(index()), null);
    assertThatThrownBy(() -> CheckRequest.read(tooMany.toBytes()))
        .hasMessageContaining("Expected at most 65536 buckets");
    CheckRequest listed = tooMany.withBuckets(20, List.of(new int[CheckRequest.MAX_BUCKETS + 1]));
    assertThatThrownBy(() -> CheckRequest.read(listed.toBytes()))
        .hasMessageContaining("Expected 0 to 65536");
  }

  @Test
  public void readsAnAnswer() throws Exception {
    CheckAnswer sent =
        CheckAnswer.compared(
            5,
            new long[] {6, 7},
            List.of(new int[] {1}, new int[0]),
            List.of(new IndexDifference(1, IndexDifference.Kind.STALE, START, END)));
    CheckAnswer read = CheckAnswer.read(Result.create(List.of(sent.toCell(START)))).orElseThrow();
    assertThat(read).hasToString(sent.toString());
    assertThat(read.differences().get(0).dataRowKey()).isEqualTo(END);
    assertThat(CheckAnswer.read(Result.create(List.of(new KeyValue(START, END, END, 1, END)))))
        .isEmpty();
  }

  @Test
  public void refusesAnswersThatAreNone() throws Exception {
    byte[] value = CellUtil.cloneValue(CheckAnswer.of(CheckAnswer.Status.BUSY, 0).toCell(START));
    for (int length = 0; length < value.length; length++) {
      KeyValue cut =
          new KeyValue(
              START,
              Bytes.toBytes("PhoenixPruning"),
              Bytes.toBytes("check"),
              1,
              Arrays.copyOf(value, length));
      assertThatThrownBy(() -> CheckAnswer.read(Result.create(List.of(cut))))
          .as("%s bytes", length)
          .isInstanceOf(IOException.class);
    }
  }
}
