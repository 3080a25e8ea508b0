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

import io.phoenixpruning.cli.tpch.TpchData;
import io.phoenixpruning.cli.tpch.TpchLoader;
import io.phoenixpruning.cli.tpch.TpchSource;
import io.phoenixpruning.testing.EmbeddedCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.SchemaUtil;

/** The table {@code LINEITEM} of a cluster, with its local indexes. */
final class LineItemTable {

  static final TableName NAME = TableName.valueOf("LINEITEM");

  /** A natural local index: a lookup by part scans every region unless the order is known. */
  static final String BY_PART = "LINEITEM_BY_PART";

  /** A natural local index on a date. */
  static final String BY_SHIP_DATE = "LINEITEM_BY_SHIP_DATE";

  /** A rearranged local index: its first column is the order, by which the data rows are sorted. */
  static final String BY_ORDER_AND_SUPPLIER = "LINEITEM_BY_ORDER_AND_SUPPLIER";

  private static final String COLUMNS =
      """
      L_ORDERKEY INTEGER NOT NULL, L_PARTKEY INTEGER, L_SUPPKEY INTEGER,
      L_LINENUMBER INTEGER NOT NULL, L_QUANTITY DECIMAL(12,2), L_EXTENDEDPRICE DECIMAL(12,2),
      L_DISCOUNT DECIMAL(12,2), L_TAX DECIMAL(12,2), L_RETURNFLAG CHAR(1), L_LINESTATUS CHAR(1),
      L_SHIPDATE DATE, L_COMMITDATE DATE, L_RECEIPTDATE DATE, L_SHIPINSTRUCT VARCHAR(25),
      L_SHIPMODE VARCHAR(10), L_COMMENT VARCHAR(44)
      CONSTRAINT PK PRIMARY KEY (L_ORDERKEY, L_LINENUMBER)""";

  private static final int LOADERS = 4;

  private final EmbeddedCluster cluster;

  LineItemTable(EmbeddedCluster cluster) {
    this.cluster = cluster;
  }

  /** Creates the table and its indexes with one empty region. */
  void create() throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE LINEITEM (" + COLUMNS + ")");
      statement.execute(index(BY_PART, "L_PARTKEY"));
      statement.execute(index(BY_SHIP_DATE, "L_SHIPDATE"));
      statement.execute(index(BY_ORDER_AND_SUPPLIER, "L_ORDERKEY, L_SUPPKEY"));
    }
  }

  private static String index(String name, String columns) {
    return "CREATE LOCAL INDEX " + name + " ON LINEITEM (" + columns + ")";
  }

  /**
   * Replaces the empty region by {@code regions} empty regions with the same number of orders each.
   * The result is the same as with {@code CREATE TABLE ... SPLIT ON}. But each new local index adds
   * a column family, for which HBase reopens every region. The indexes are therefore created while
   * there is one region.
   *
   * @param done receives the number of open regions
   */
  void split(int regions, TpchData data, LongConsumer done)
      throws SQLException, IOException, InterruptedException {
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
      byte[][] boundaries = boundaries(connection, regions, data);
      TableDescriptor table = admin.getDescriptor(NAME);
      admin.disableTable(NAME);
      admin.deleteTable(NAME);
      Future<Void> created = admin.createTableAsync(table, boundaries);
      while (!isDone(created)) {
        done.accept(cluster.openRegions(NAME));
      }
    }
  }

  private static byte[][] boundaries(Connection connection, int regions, TpchData data)
      throws SQLException {
    byte[][] boundaries = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      int order = (int) ((long) data.orders() * i / regions) + 1;
      boundaries[i - 1] = PInteger.INSTANCE.toBytes(TpchData.orderKey(order));
    }
    PTable table = connection.unwrap(PhoenixConnection.class).getTable(NAME.getNameAsString());
    return SchemaUtil.processSplits(
        boundaries, table.getPKColumns(), table.getBucketNum(), table.rowKeyOrderOptimizable());
  }

  private static boolean isDone(Future<Void> future) throws IOException, InterruptedException {
    try {
      future.get(100, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IOException("The regions of " + NAME + " could not be opened", e.getCause());
    }
  }

  /**
   * Loads all rows.
   *
   * @param done receives the number of loaded rows
   * @return number of rows
   */
  long load(TpchData data, LongConsumer done)
      throws SQLException, IOException, InterruptedException {
    ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);
    try {
      Count loaded = new Count(done);
      ExecutorCompletionService<Void> parts = new ExecutorCompletionService<>(loaders);
      for (int i = 1; i <= LOADERS; i++) {
        int part = i;
        parts.submit(
            () -> {
              load(data, part, loaded::add);
              return null;
            });
      }
      for (int i = 1; i <= LOADERS; i++) {
        parts.take().get();
      }
      return loaded.count();
    } catch (ExecutionException e) {
      throw new IOException("The rows of " + NAME + " could not be loaded", e.getCause());
    } finally {
      loaders.shutdownNow();
    }
  }

  /** Adds numbers up in several threads, and reports the sum after each number. */
  private static final class Count {

    private final LongConsumer listener;
    private long count;

    Count(LongConsumer listener) {
      this.listener = listener;
    }

    synchronized void add(long number) {
      count += number;
      listener.accept(count);
    }

    synchronized long count() {
      return count;
    }
  }

  private void load(TpchData data, int part, LongConsumer committed) throws SQLException {
    try (Connection connection = cluster.connect(Map.of())) {
      new TpchLoader<>(TpchSource.LINEITEM, NAME.getNameAsString())
          .load(connection, data, part, LOADERS, committed);
    }
  }

  /**
   * Collects statistics, so that stock Phoenix splits its scans at guideposts.
   *
   * @param guidepostBytes distance between guideposts in bytes
   */
  void collectStatistics(long guidepostBytes) throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE STATISTICS LINEITEM SET \"phoenix.stats.guidepost.width\" = " + guidepostBytes);
    }
  }
}
