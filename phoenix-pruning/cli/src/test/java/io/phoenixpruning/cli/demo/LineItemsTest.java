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
package io.phoenixpruning.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.LineItem;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.Test;

public class LineItemsTest {

  private final LineItems items = new LineItems(0.001);

  @Test
  public void theKeysOfOrdersAreThoseOfTheRows() {
    Set<Long> keys = new LinkedHashSet<>();
    for (LineItem item : items.part(1, 1)) {
      keys.add(item.getOrderKey());
    }

    assertThat(items.orders()).isEqualTo(1_500);
    assertThat(keys).hasSize(1_500);
    int order = 1;
    for (long key : keys) {
      assertThat(LineItems.orderKey(order++)).isEqualTo((int) key);
    }
  }

  @Test
  public void thePartsAreTheWhole() {
    int rows = 0;
    for (LineItem item : items.part(1, 1)) {
      rows += item.getLineNumber() > 0 ? 1 : 0;
    }
    int rowsOfParts = 0;
    for (int part = 1; part <= 4; part++) {
      for (LineItem item : items.part(part, 4)) {
        rowsOfParts += item.getLineNumber() > 0 ? 1 : 0;
      }
    }
    assertThat(rowsOfParts).isEqualTo(rows);
  }
}
