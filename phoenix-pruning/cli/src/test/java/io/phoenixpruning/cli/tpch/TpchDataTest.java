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
package io.phoenixpruning.cli.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.LineItem;
import io.trino.tpch.TpchEntity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class TpchDataTest {

  private final TpchData data = new TpchData(0.001);

  @Test
  public void theKeysOfOrdersAreThoseOfTheirItems() {
    Set<Long> keys = new LinkedHashSet<>();
    for (LineItem item : data.part(TpchSource.LINEITEM, 1, 1)) {
      keys.add(item.getOrderKey());
    }

    assertThat(data.orders()).isEqualTo(1_500);
    assertThat(keys)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 1_500).mapToObj(i -> (long) TpchData.orderKey(i)).toList());
  }

  private static List<TpchSource<?>> tables() {
    return TpchSource.ALL;
  }

  @Test
  @Parameters(method = "tables")
  public void thePartsAreTheWhole(TpchSource<?> table) {
    List<String> parts = new ArrayList<>();
    for (int part = 1; part <= 4; part++) {
      parts.addAll(lines(table, part, 4));
    }
    assertThat(parts).isEqualTo(lines(table, 1, 1)).isNotEmpty();
  }

  private List<String> lines(TpchSource<?> source, int part, int parts) {
    List<String> lines = new ArrayList<>();
    for (TpchEntity row : data.part(source, part, parts)) {
      lines.add(row.toLine());
    }
    return lines;
  }
}
