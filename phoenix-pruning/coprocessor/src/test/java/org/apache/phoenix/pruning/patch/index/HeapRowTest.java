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
package org.apache.phoenix.pruning.patch.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.hbase.index.OffsetCell;
import org.apache.phoenix.schema.PTable.QualifierEncodingScheme;
import org.apache.phoenix.schema.tuple.EncodedColumnQualiferCellsList;
import org.junit.Test;

/** Tests copies of rows whose memory is overwritten afterwards. */
public class HeapRowTest {

  private static final QualifierEncodingScheme ENCODING =
      QualifierEncodingScheme.TWO_BYTE_QUALIFIERS;

  private final List<ByteBuffer> memory = new ArrayList<>();

  private static KeyValue onHeap(int qualifier) {
    return new KeyValue(
        Bytes.toBytes("key"),
        Bytes.toBytes("0"),
        ENCODING.encode(qualifier),
        5,
        Bytes.toBytes("value" + qualifier));
  }

  private Cell outsideHeap(int qualifier) {
    KeyValue cell = onHeap(qualifier);
    ByteBuffer buffer = ByteBuffer.allocateDirect(cell.getLength());
    buffer.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    memory.add(buffer);
    return new ByteBufferKeyValue(buffer, 0, cell.getLength(), 7);
  }

  private void overwriteMemory() {
    for (ByteBuffer buffer : memory) {
      buffer.clear();
      while (buffer.hasRemaining()) {
        buffer.put((byte) 'X');
      }
    }
  }

  @Test
  public void copiesARowOfEncodedColumns() {
    Cell kept = onHeap(13);
    EncodedColumnQualiferCellsList row = new EncodedColumnQualiferCellsList(11, 15, ENCODING);
    row.addAll(List.of(outsideHeap(0), kept, outsideHeap(15), outsideHeap(11)));
    HeapRow.copy(row);
    overwriteMemory();
    List<Cell> cells = List.of(onHeap(0), onHeap(11), kept, onHeap(15));
    assertThat(new ArrayList<>(row)).isEqualTo(cells);
    assertThat(row.getFirstCell()).isEqualTo(cells.get(0));
    assertThat(row.getCellForColumnQualifier(ENCODING.encode(13))).isSameAs(kept);
    assertThat(CellUtil.cloneValue(row.getCellForColumnQualifier(ENCODING.encode(15))))
        .isEqualTo(Bytes.toBytes("value15"));
    assertThat(row.getCellForColumnQualifier(ENCODING.encode(15)).getSequenceId()).isEqualTo(7);
    assertThat(row.getCellForColumnQualifier(ENCODING.encode(12))).isNull();
  }

  @Test
  public void copiesCellsThatHideTheStartKeyOfTheRegion() {
    List<Cell> row = new ArrayList<>(List.of(new OffsetCell(outsideHeap(11), 1)));
    HeapRow.copy(row);
    overwriteMemory();
    assertThat(CellUtil.cloneRow(row.get(0))).isEqualTo(Bytes.toBytes("ey"));
    assertThat(CellUtil.cloneValue(row.get(0))).isEqualTo(Bytes.toBytes("value11"));
  }

  @Test
  public void copiesNothingOfARowWithoutCells() {
    EncodedColumnQualiferCellsList row = new EncodedColumnQualiferCellsList(11, 15, ENCODING);
    HeapRow.copy(row);
    assertThat(row.size()).isZero();
  }
}
