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
package org.apache.phoenix.pruning.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

/** Tests which regions are in a sample. */
public class RegionSampleTest {

  private static RegionSample sample(int regions) {
    return new RegionSample(
        IntStream.range(0, regions)
            .mapToObj(
                i ->
                    new HRegionLocation(
                        RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
                            .setStartKey(Bytes.toBytes(i))
                            .build(),
                        null))
            .collect(Collectors.toList()));
  }

  private static int number(HRegionLocation location) {
    return Bytes.toInt(location.getRegion().getStartKey());
  }

  private static List<Integer> sampled(int regions) {
    List<Integer> sampled = new ArrayList<>();
    sample(regions)
        .mean(
            location -> {
              sampled.add(number(location));
              return 0;
            });
    return sampled;
  }

  @Test
  public void hasAllOfAFewRegions() {
    assertThat(sampled(0)).isEmpty();
    assertThat(sampled(3)).containsExactly(0, 1, 2);
    assertThat(sampled(8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  public void spreadsOverManyRegions() {
    assertThat(sampled(9)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(sampled(80)).containsExactly(0, 10, 20, 30, 40, 50, 60, 70);
  }

  @Test
  public void hasTheMeanOfTheSampleAndTheNumberOfAllRegions() {
    assertThat(sample(0).mean(RegionSampleTest::number)).isZero();
    assertThat(sample(80).mean(RegionSampleTest::number)).isEqualTo(35);
    assertThat(sample(80).regions()).isEqualTo(80);
  }
}
