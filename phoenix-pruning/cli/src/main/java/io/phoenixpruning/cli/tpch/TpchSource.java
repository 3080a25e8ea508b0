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

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Nation;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Part;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplier;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.Region;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.Supplier;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.util.List;
import java.util.Locale;

/**
 * A table of TPC-H, with the generator of its rows.
 *
 * <p>{@link TpchTable} also generates the rows, but with all of TPC-H's texts.
 */
public final class TpchSource<E extends TpchEntity> {

  public static final TpchSource<Region> REGION =
      new TpchSource<>(
          TpchTable.REGION,
          (scale, part, parts, distributions, text) ->
              part == 1 ? new RegionGenerator(distributions, text) : List.of());

  public static final TpchSource<Nation> NATION =
      new TpchSource<>(
          TpchTable.NATION,
          (scale, part, parts, distributions, text) ->
              part == 1 ? new NationGenerator(distributions, text) : List.of());

  public static final TpchSource<Supplier> SUPPLIER =
      new TpchSource<>(TpchTable.SUPPLIER, SupplierGenerator::new);

  public static final TpchSource<Customer> CUSTOMER =
      new TpchSource<>(TpchTable.CUSTOMER, CustomerGenerator::new);

  public static final TpchSource<Part> PART = new TpchSource<>(TpchTable.PART, PartGenerator::new);

  public static final TpchSource<PartSupplier> PARTSUPP =
      new TpchSource<>(
          TpchTable.PART_SUPPLIER,
          (scale, part, parts, distributions, text) ->
              new PartSupplierGenerator(scale, part, parts, text));

  public static final TpchSource<Order> ORDERS =
      new TpchSource<>(TpchTable.ORDERS, OrderGenerator::new);

  public static final TpchSource<LineItem> LINEITEM =
      new TpchSource<>(TpchTable.LINE_ITEM, LineItemGenerator::new);

  /** All tables. */
  public static final List<TpchSource<?>> ALL =
      List.of(REGION, NATION, SUPPLIER, CUSTOMER, PART, PARTSUPP, ORDERS, LINEITEM);

  private final TpchTable<E> table;
  private final Generator<E> generator;

  private TpchSource(TpchTable<E> table, Generator<E> generator) {
    this.table = table;
    this.generator = generator;
  }

  /** Generates the rows of one of several parts of a table. */
  @FunctionalInterface
  interface Generator<E extends TpchEntity> {

    /**
     * @param part number of the part, from 1 to {@code parts}
     */
    Iterable<E> rows(double scale, int part, int parts, Distributions distributions, TextPool text);
  }

  Generator<E> generator() {
    return generator;
  }

  /** Returns the table's name in upper case. */
  public String name() {
    return table.getTableName().toUpperCase(Locale.ROOT);
  }

  /** Returns TPC-H's columns, in TPC-H's order. */
  List<TpchColumn<E>> columns() {
    return table.getColumns();
  }

  @Override
  public String toString() {
    return name();
  }
}
