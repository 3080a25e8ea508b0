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
package org.apache.phoenix.pruning.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import com.carrotsearch.randomizedtesting.RandomizedTest;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope.Scope;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.AnswerCell;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeAnswer.Finding;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests that an answer arrives as the server sent it, and that any other bytes exclude no region.
 *
 * <p>{@code -Dtests.seed=} and {@code -Dtests.cases=} work as in RegionWalkRandomTest.
 */
@RunWith(RandomizedRunner.class)
@ThreadLeakScope(Scope.NONE)
public class ProbeAnswerTest extends RandomizedTest {

  private static final int CASES = Integer.getInteger("tests.cases", 20_000);

  private static final byte[] FAMILY = Bytes.toBytes("PhoenixPruning");
  private static final byte[] QUALIFIER = Bytes.toBytes("answer");

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  private static Cell cell(String row, String qualifier, String value) {
    return new KeyValue(
        Bytes.toBytes(row),
        Bytes.toBytes("L#0"),
        Bytes.toBytes(qualifier),
        5,
        Bytes.toBytes(value));
  }

  private static Result row(Cell... cells) {
    return Result.create(cells);
  }

  /**
   * Returns an answer for four ranges: the first may match, the second has no row, the third has
   * two rows, and the fourth may match.
   */
  private static ProbeAnswer answer() {
    ProbeAnswer answer = ProbeAnswer.of(4);
    answer.setNoRow(1);
    answer.setRows(
        2, Arrays.asList(row(cell("a", "q", "1"), cell("a", "r", "")), row(cell("b", "q", "2"))));
    return answer;
  }

  private static byte[] bytes(ProbeAnswer answer) throws IOException {
    return CellUtil.cloneValue(answer.toCell(AnswerCell.rowKey(new byte[0])));
  }

  private static Optional<ProbeAnswer> read(byte[] value) throws IOException {
    return ProbeAnswer.read(row(new KeyValue(Bytes.toBytes("probe"), FAMILY, QUALIFIER, 0, value)));
  }

  @Test
  public void arrivesAsItWasSent() throws IOException {
    ProbeAnswer read = ProbeAnswer.read(row(answer().toCell(AnswerCell.rowKey(new byte[0])))).get();
    assertThat(read.isRejected()).isFalse();
    assertThat(read.finding(0)).isEqualTo(Finding.MAY_MATCH);
    assertThat(read.finding(1)).isEqualTo(Finding.NO_ROW);
    assertThat(read.finding(2)).isEqualTo(Finding.ROWS);
    assertThat(read.finding(3)).isEqualTo(Finding.MAY_MATCH);
    assertThat(read.rowsOf(2)).hasToString(answer().rowsOf(2).toString());
    assertThat(CellUtil.cloneValue(read.rowsOf(2).get(1).rawCells()[0])).asString().isEqualTo("2");
  }

  @Test
  public void canHaveARangeWithoutRows() throws IOException {
    ProbeAnswer answer = ProbeAnswer.of(1);
    answer.setRows(0, Collections.emptyList());
    ProbeAnswer read = read(bytes(answer)).get();
    assertThat(read.finding(0)).isEqualTo(Finding.ROWS);
    assertThat(read.rowsOf(0)).isEmpty();
  }

  @Test
  public void canReportABusyServer() throws IOException {
    ProbeAnswer read = read(bytes(ProbeAnswer.rejected())).get();
    assertThat(read.isRejected()).isTrue();
    assertThat(read.finding(0)).isEqualTo(Finding.MAY_MATCH);
    assertThat(ProbeOutcome.of(read).cause()).isEqualTo(ProbeCause.REJECTED);
    assertThat(ProbeOutcome.of(read).finding(0)).isEqualTo(Finding.MAY_MATCH);
  }

  /**
   * An answer has no tags, such as the access rights of a cell. HBase does not send tags to a
   * client, either.
   */
  @Test
  public void hasNoTags() throws IOException {
    Tag tag = new ArrayBackedTag(TagType.ACL_TAG_TYPE, Bytes.toBytes("rights"));
    ProbeAnswer answer = ProbeAnswer.of(1);
    Cell tagged = PrivateCellUtil.createCell(cell("a", "q", "1"), Collections.singletonList(tag));
    answer.setRows(0, Collections.singletonList(row(tagged)));
    assertThat(Bytes.toStringBinary(bytes(answer))).doesNotContain("rights");
    Cell read = read(bytes(answer)).get().rowsOf(0).get(0).rawCells()[0];
    assertThat(read.getTagsLength()).isZero();
    assertThat(CellUtil.equals(read, cell("a", "q", "1"))).isTrue();
  }

  @Test
  public void excludesNoRangeThatItDoesNotName() throws IOException {
    ProbeAnswer read = read(bytes(answer())).get();
    for (int index : new int[] {4, 5, 1_000, Integer.MAX_VALUE}) {
      softly.assertThat(read.finding(index)).as("range %s", index).isEqualTo(Finding.MAY_MATCH);
    }
    assertThat(ProbeAnswer.of(0).finding(0)).isEqualTo(Finding.MAY_MATCH);
  }

  /** An answer starts with the version, the state, and the length of the findings. */
  @Test
  public void excludesNoRangeByAFindingOfALaterVersion() throws IOException {
    ProbeAnswer answer = ProbeAnswer.of(2);
    answer.setNoRow(1);
    byte[] value = bytes(answer);
    for (int later : new int[] {3, 4, 127, -1, -128}) {
      value[2 + Integer.BYTES] = (byte) later;
      ProbeAnswer read = read(value).get();
      softly.assertThat(read.finding(0)).as("%s", later).isEqualTo(Finding.MAY_MATCH);
      softly.assertThat(read.finding(1)).as("%s", later).isEqualTo(Finding.NO_ROW);
    }
  }

  @Test
  public void isAbsentIfTheServerScansInstead() throws IOException {
    byte[] value = bytes(answer());
    assertThat(ProbeAnswer.read(null)).isEmpty();
    assertThat(ProbeAnswer.read(Result.EMPTY_RESULT)).isEmpty();
    assertThat(ProbeAnswer.read(row(cell("a", "answer", "1")))).isEmpty();
    assertThat(
            ProbeAnswer.read(
                row(answer().toCell(AnswerCell.rowKey(new byte[0])), cell("probe", "x", "1"))))
        .isEmpty();
    byte[] otherQualifier = Bytes.toBytes("other");
    byte[] row = Bytes.toBytes("probe");
    assertThat(ProbeAnswer.read(row(new KeyValue(row, FAMILY, otherQualifier, 0, value))))
        .isEmpty();
    value[0] = 2;
    assertThat(read(value)).as("of another version").isEmpty();
  }

  @Test
  public void isRefusedIfTruncated() throws IOException {
    byte[] genuine = bytes(answer());
    for (int length = 0; length < genuine.length; length++) {
      byte[] cut = Arrays.copyOf(genuine, length);
      softly
          .assertThatThrownBy(() -> read(cut))
          .as("%s bytes", length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  public void isRefusedIfALengthExceedsTheBytes() throws IOException {
    byte[] genuine = bytes(answer());
    int findings = 2;
    int rows = findings + Integer.BYTES + 4;
    int cells = rows + Integer.BYTES;
    int cell = cells + Integer.BYTES;
    for (int place : new int[] {findings, rows, cells, cell}) {
      for (int length :
          new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30, genuine.length + 1}) {
        byte[] forged = genuine.clone();
        Bytes.putInt(forged, place, length);
        softly
            .assertThatThrownBy(() -> read(forged))
            .as("%s at %s", length, place)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("a length is " + length);
      }
    }
    byte[] withoutCells = genuine.clone();
    Bytes.putInt(withoutCells, cells, 0);
    assertThatThrownBy(() -> read(withoutCells))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a row has no cell");
    byte[] noCell = genuine.clone();
    Bytes.putInt(noCell, cell + Integer.BYTES, Integer.MAX_VALUE);
    assertThatThrownBy(() -> read(noCell))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("these bytes are not a cell");
  }

  /** Any other exception or error, such as running out of memory, fails the test. */
  @Test
  public void isRefusedOrReadIfChanged() throws IOException {
    byte[] genuine = bytes(answer());
    int refused = 0;
    int read = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] forged = genuine.clone();
      for (int changes = randomIntBetween(1, 4); changes > 0; changes--) {
        forged[randomIntBetween(0, forged.length - 1)] = randomByte();
      }
      try {
        Optional<ProbeAnswer> answer = read(forged);
        for (int range = 0; answer.isPresent() && range < 10; range++) {
          if (answer.get().finding(range) == Finding.ROWS) {
            List<Result> rows = answer.get().rowsOf(range);
            assertThat(rows.toString()).isNotNull();
          }
        }
        read++;
      } catch (IOException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + ": " + Bytes.toStringBinary(forged), e);
      }
    }
    assertThat(refused).isPositive();
    assertThat(read).isPositive();
  }
}
