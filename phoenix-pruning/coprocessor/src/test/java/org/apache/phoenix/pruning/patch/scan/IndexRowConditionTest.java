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
package org.apache.phoenix.pruning.patch.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.expression.KeyValueColumnExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.iterate.NonAggregateRegionScannerFactory;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.schema.PDatum;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ScanUtil;
import org.junit.Test;

/** Tests Phoenix's scanner of index rows with and without the patch of its condition. */
public class IndexRowConditionTest {

  private static final byte[] FAMILY = Bytes.toBytes("L#0");

  private static final class IntegerColumn implements PDatum {
    @Override
    public boolean isNullable() {
      return true;
    }

    @Override
    public PDataType<?> getDataType() {
      return PInteger.INSTANCE;
    }

    @Override
    public Integer getMaxLength() {
      return null;
    }

    @Override
    public Integer getScale() {
      return null;
    }

    @Override
    public SortOrder getSortOrder() {
      return SortOrder.ASC;
    }
  }

  private static Expression is(String column, int value) {
    return new ComparisonExpression(
        List.of(
            new KeyValueColumnExpression(new IntegerColumn(), FAMILY, Bytes.toBytes(column)),
            LiteralExpression.newConstant(value)),
        CompareOperator.EQUAL);
  }

  private static byte[] serialized(Expression condition) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    WritableUtils.writeVInt(out, ExpressionType.valueOf(condition).ordinal());
    condition.write(out);
    return bytes.toByteArray();
  }

  private static List<Cell> row(String key, String... columns) {
    List<Cell> cells = new ArrayList<>();
    for (String column : columns) {
      cells.add(
          new KeyValue(
              Bytes.toBytes(key), FAMILY, Bytes.toBytes(column), PInteger.INSTANCE.toBytes(5)));
    }
    return cells;
  }

  private static RegionScanner scanner(List<List<Cell>> rows) throws IOException {
    Iterator<List<Cell>> next = rows.iterator();
    RegionScanner scanner = mock(RegionScanner.class);
    when(scanner.nextRaw(anyList()))
        .then(
            call -> {
              List<Cell> cells = call.getArgument(0);
              if (next.hasNext()) {
                cells.addAll(next.next());
              }
              return next.hasNext();
            });
    return scanner;
  }

  /** Returns the keys of the rows that match. */
  private static List<String> matching(PatchSet patches, Expression condition) throws IOException {
    Scan scan = new Scan();
    ScanUtil.setLocalIndex(scan);
    scan.setAttribute(BaseScannerRegionObserverConstants.INDEX_FILTER, serialized(condition));
    PatchRequest.set(scan, patches);
    RegionCoprocessorEnvironment environment = mock(RegionCoprocessorEnvironment.class);
    RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("T")).build();
    Region region = mock(Region.class);
    when(region.getRegionInfo()).thenReturn(info);
    when(environment.getRegion()).thenReturn(region);
    when(environment.getRegionInfo()).thenReturn(info);
    RegionScanner scanner =
        new NonAggregateRegionScannerFactory(environment)
            .getWrappedScanner(
                environment,
                scanner(List.of(row("a", "X", "Y"), row("b", "Y"), row("c", "X", "Y"))),
                null,
                null,
                0,
                scan,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new ImmutableBytesWritable(),
                false);
    List<String> keys = new ArrayList<>();
    boolean hasMore;
    do {
      List<Cell> cells = new ArrayList<>();
      hasMore = scanner.nextRaw(cells);
      if (!cells.isEmpty()) {
        Cell cell = cells.get(0);
        keys.add(Bytes.toString(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()));
      }
    } while (hasMore);
    return keys;
  }

  @Test
  public void evaluatesEachRowSeparately() throws IOException {
    Expression condition = new AndExpression(List.of(is("X", 5), is("Y", 5)));
    assertThat(matching(PatchSet.ALL, condition)).containsExactly("a", "c");
    assertThat(matching(PatchSet.LOCAL_INDEX, condition)).containsExactly("a", "c");
    assertThat(matching(PatchSet.NONE, condition)).as("Phoenix").isNotEqualTo(List.of("a", "c"));
  }

  @Test
  public void usesNoValueOfAnEarlierRow() throws IOException {
    Expression condition = is("X", 5);
    assertThat(matching(PatchSet.ALL, condition)).containsExactly("a", "c");
  }
}
