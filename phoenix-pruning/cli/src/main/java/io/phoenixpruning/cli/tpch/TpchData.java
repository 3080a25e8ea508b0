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

import io.trino.tpch.Distributions;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchEntity;

/**
 * The rows of TPC-H's tables at one scale, which are always the same. Only the comments differ from
 * TPC-H: they use a smaller vocabulary, because the full one takes 300 MB.
 */
public final class TpchData {

  private static final int TEXT_BYTES = 1 << 20;

  private final double scale;
  private final Distributions distributions = Distributions.getDefaultDistributions();
  private final TextPool text = new TextPool(TEXT_BYTES, distributions);

  /**
   * @param scale TPC-H's scale factor; scale 1 has 1,500,000 orders with 4 line items each on
   *     average
   */
  public TpchData(double scale) {
    this.scale = scale;
  }

  /** Returns the number of orders at {@code scale}. */
  public static int orders(double scale) {
    return (int) GenerateUtils.calculateRowCount(OrderGenerator.SCALE_BASE, scale, 1, 1);
  }

  /** Returns the number of orders. */
  public int orders() {
    return orders(scale);
  }

  /**
   * Returns the key of an order. TPC-H uses the first 8 keys of every 32 (clause 4.2.3).
   *
   * @param order number of the order, from 1 to {@link #orders()}
   */
  public static int orderKey(int order) {
    return (order >> 3 << 5) | (order & 7);
  }

  /**
   * Returns the rows of one of {@code parts} parts of a table. All parts have about the same size.
   *
   * @param part number of the part, from 1 to {@code parts}
   */
  public <E extends TpchEntity> Iterable<E> part(TpchSource<E> source, int part, int parts) {
    return source.generator().rows(scale, part, parts, distributions, text);
  }
}
