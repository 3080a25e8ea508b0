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
package io.phoenixpruning.perf.storage;

import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.HdrHistogram.DoubleHistogram;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.QueryConstants;
import org.openjdk.jmh.util.ListStatistics;

/**
 * The table of the published study of encodings, with a local index on v2. Its columns are {@code
 * (pk INTEGER PRIMARY KEY, v1 FLOAT, v2 FLOAT, v3 INTEGER)}. The columns after the key have random
 * values, v1 and v2 from 0 to 1.
 */
final class EncodedTable {

  /** Column family that gets the settings. The other family has Phoenix's defaults. */
  enum IndexFamily {
    DATA,
    INDEX;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Source of the blocks that a query reads. */
  enum BlockSource {
    /** Block caches of the servers. */
    BLOCKS,
    /** Files, which the operating system may have in memory. */
    FILES;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Name of the client's connection, which all queries use. */
  static final String CONNECTION = "";

  private static final int ROWS_OF_COMMIT = 1_000;

  /** Number of different values: as many as a float distinguishes between 0 and 1. */
  private static final int VALUES = 1 << 24;

  /** Ratio of all rows to the rows that are not deleted. */
  private static final int ROWS_PER_KEPT_ROW = 1_000;

  private final MeasuredCluster cluster;
  private final QueryClientMXBean client;
  private final String name;
  private boolean isDeleted;

  /**
   * Describes a table that does not exist yet.
   *
   * @param client client with the connection {@value #CONNECTION}
   * @param name table name, not used by another table
   */
  EncodedTable(MeasuredCluster cluster, QueryClientMXBean client, String name) {
    this.cluster = cluster;
    this.client = client;
    this.name = name;
  }

  String name() {
    return name;
  }

  private TableName hbaseName() {
    return TableName.valueOf(name);
  }

  /**
   * Creates the table and its index.
   *
   * @param rest rest of CREATE TABLE after the first property, such as {@code , SALT_BUCKETS = 8};
   *     may be empty
   */
  void create(String rest) throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE %s (pk INTEGER PRIMARY KEY, v1 FLOAT, v2 FLOAT, v3 INTEGER)".formatted(name)
              + " UPDATE_CACHE_FREQUENCY = NEVER"
              + rest);
      statement.execute("CREATE LOCAL INDEX %s_V2 ON %s (v2)".formatted(name, name));
    }
  }

  /** Writes {@code rows} rows, with keys from 0. */
  void load(int rows, long seed) throws IOException {
    String upsert =
        "UPSERT INTO %s VALUES (?, ? / %d.0, ? / %d.0, ?)".formatted(name, VALUES, VALUES);
    client.write(CONNECTION, upsert, 0, rows, ROWS_OF_COMMIT, VALUES, seed);
  }

  /** Deletes all rows except one in a thousand. */
  void delete() throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.executeUpdate(
          "DELETE FROM %s WHERE pk %% %d <> 0".formatted(name, ROWS_PER_KEPT_ROW));
      isDeleted = true;
    }
  }

  /**
   * Applies the settings to {@code family} and Phoenix's defaults to the other family, and rewrites
   * all files.
   */
  void set(IndexFamily family, DataBlockEncoding encoding, Codec codec)
      throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      TableDescriptor descriptor = admin.getDescriptor(hbaseName());
      TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(descriptor);
      for (ColumnFamilyDescriptor column : descriptor.getColumnFamilies()) {
        boolean isWanted = isIndex(column) == (family == IndexFamily.INDEX);
        builder.modifyColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(column)
                .setDataBlockEncoding(isWanted ? encoding : DataBlockEncoding.FAST_DIFF)
                .setCompressionType(
                    isWanted
                        ? Compression.Algorithm.valueOf(codec.name())
                        : Compression.Algorithm.NONE)
                .build());
      }
      admin.modifyTable(builder.build());
      admin.flush(hbaseName());
      cluster.compact(hbaseName());
    }
  }

  private static boolean isIndex(ColumnFamilyDescriptor column) {
    return Bytes.toString(column.getName())
        .startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);
  }

  /** Returns the size of the files of a family, or empty if the cluster does not report it. */
  OptionalLong bytes(IndexFamily family) {
    return cluster.storeFileBytes(
        hbaseName(),
        family == IndexFamily.INDEX
            ? QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX
            : QueryConstants.DEFAULT_COLUMN_FAMILY);
  }

  /** Returns the milliseconds of each run of a query. One more run, before these, only warms up. */
  ListStatistics times(String query, BlockSource source, int rounds)
      throws SQLException, IOException {
    ListStatistics millis = new ListStatistics();
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      for (int round = 0; round <= rounds; round++) {
        if (source == BlockSource.FILES
            && admin.clearBlockCache(hbaseName()).getExceptionCount() > 0) {
          throw new IOException("Cannot clear the block cache of " + name);
        }
        double elapsed = client.query(CONNECTION, query).getMillis();
        if (round > 0) {
          millis.addValue(elapsed);
        }
      }
    }
    return millis;
  }

  /**
   * Returns the milliseconds of each lookup of a random key below {@code rows}, from block caches.
   * The same lookups run once before, to warm up.
   */
  DoubleHistogram lookups(int gets, int rows, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    int[] keys = random.ints(gets, 0, rows).toArray();
    String get = "SELECT v1, v2, v3 FROM " + name + " WHERE pk = ?";
    long found =
        Arrays.stream(keys).filter(key -> !isDeleted || key % ROWS_PER_KEPT_ROW == 0).count();
    client.queryLatencies(CONNECTION, get, keys, found);
    DoubleHistogram millis = Summary.histogram();
    Arrays.stream(client.queryLatencies(CONNECTION, get, keys, found)).forEach(millis::recordValue);
    return millis;
  }
}
