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
package io.phoenixpruning.perf.planning;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeyColumn;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.pruning.region.KeyRegionLocator;
import org.apache.phoenix.pruning.region.RegionList;
import org.apache.phoenix.pruning.region.RegionWalk;
import org.apache.phoenix.schema.types.PInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time from ranges of values to planned regions: the engine alone, with all region
 * locations known.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class RegionWalkBenchmark {

  private static final TableName TABLE = TableName.valueOf("T");
  private static final ServerName SERVER = ServerName.valueOf("server", 1, 1);
  private static final RowKeyLayout LAYOUT =
      RowKeyLayout.of(KeyColumn.fixed("PK1", 4, false), KeyColumn.fixed("PK2", 4, false));

  @Param({"100", "1000", "10000", "100000"})
  public int regions;

  @Param({"POINT", "IN_OF_4", "ONE_PERCENT", "NONE"})
  public Condition condition;

  private KeyRegionLocator locator;

  @Setup
  public void locateRegions() throws SQLException {
    List<HRegionLocation> locations = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      locations.add(
          new HRegionLocation(
              RegionInfoBuilder.newBuilder(TABLE)
                  .setStartKey(i == 0 ? new byte[0] : boundary(i))
                  .setEndKey(i == regions - 1 ? new byte[0] : boundary(i + 1))
                  .build(),
              SERVER));
    }
    locator = new RegionList(locations);
    Planned.check(plan().size(), condition.regions(regions));
  }

  /** Returns the boundary at {@code pk1}, padded as Phoenix pads split points. */
  private static byte[] boundary(int pk1) {
    return Bytes.add(value(pk1), new byte[4]);
  }

  @Benchmark
  public List<HRegionLocation> plan() throws SQLException {
    return RegionWalk.plan(KeySpace.of(LAYOUT, 0, ranges()), locator);
  }

  private List<ValueRange> ranges() {
    return switch (condition) {
      case POINT -> List.of(ValueRange.point(value(regions / 4)));
      case IN_OF_4 ->
          Condition.points(regions).mapToObj(pk1 -> ValueRange.point(value(pk1))).toList();
      case ONE_PERCENT ->
          List.of(
              ValueRange.between(
                  ValueBound.before(value(regions / 4)),
                  ValueBound.before(value(regions / 4 + regions / 100))));
      case NONE -> List.of(ValueRange.NOT_NULL);
      default -> throw new IllegalStateException("No ranges for " + condition);
    };
  }

  private static byte[] value(int pk1) {
    return PInteger.INSTANCE.toBytes(pk1);
  }
}
