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
package org.apache.phoenix.pruning.prune;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixDatabaseMetaData;
import org.apache.phoenix.pruning.config.ClientScoped;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.ConnectionlessQueryServicesImpl;
import org.apache.phoenix.query.DelegateConnectionQueryServices;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.thirdparty.com.google.common.cache.Cache;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Determines whether a salted table holds rows of views that add key columns. The salt of a row is
 * computed from all its key columns, so the key columns of the table are not enough.
 *
 * <p>Phoenix 5.2 refuses to combine an index on a table with a view that adds key columns. Older
 * versions allow both, so existing tables can have them.
 */
final class ViewKeys {

  /** Limits the views that are read. A table with more views is assumed to have longer keys. */
  private static final int MAX_VIEWS = 32;

  private static final long SECONDS = 60;
  private static final long SECONDS_FOR_UNLINKED = 3_600;

  /** Limits how long a statement waits for the scan of SYSTEM.CATALOG. */
  private static final long WAIT_MILLIS = 1_000;

  private static final ClientScoped<Cache<PTableKey, Boolean>> KNOWN = answers(SECONDS);

  /**
   * Caches whether a view without a link adds key columns. Each answer takes a scan of
   * SYSTEM.CATALOG, which runs in a separate thread.
   */
  private static final ClientScoped<Cache<PTableKey, Future<Boolean>>> KNOWN_OF_UNLINKED =
      answers(SECONDS_FOR_UNLINKED);

  /** The type of the link from a view to the table that it is stored in. */
  private static final byte[] STORED_IN =
      PUnsignedTinyint.INSTANCE.toBytes(PTable.LinkType.PHYSICAL_TABLE.getSerializedValue());

  private ViewKeys() {}

  private static <T> ClientScoped<Cache<PTableKey, T>> answers(long seconds) {
    return new ClientScoped<>(
        () ->
            CacheBuilder.newBuilder()
                .maximumSize(10_000)
                .expireAfterWrite(seconds, TimeUnit.SECONDS)
                .build());
  }

  /**
   * Returns whether the rows of {@code table} can have more key columns than its metadata lists, or
   * true if the catalog cannot be read. An answer is cached for {@value #SECONDS} seconds.
   *
   * <p>Phoenix writes SYSTEM.CHILD_LINK separately from the view, so a link can be missing. To find
   * such views, a thread scans all of SYSTEM.CATALOG, at most once in {@value
   * #SECONDS_FOR_UNLINKED} seconds for each table and client. This method waits {@value
   * #WAIT_MILLIS} ms for the scan, and returns true as long as the scan runs.
   */
  static boolean canBeLonger(PTable table, PhoenixConnection connection) {
    ConnectionQueryServices services = connection.getQueryServices();
    while (services instanceof DelegateConnectionQueryServices) {
      services = ((DelegateConnectionQueryServices) services).getDelegate();
    }
    if (services instanceof ConnectionlessQueryServicesImpl) {
      // There is nothing to read.
      return false;
    }
    ConnectionQueryServices ofClient = services;
    return known(KNOWN.of(services), table, () -> readLinked(table, ofClient))
        || unlinked(table, ofClient);
  }

  private static boolean unlinked(PTable table, ConnectionQueryServices services) {
    Future<Boolean> answer =
        known(KNOWN_OF_UNLINKED.of(services), table, () -> startReadingUnlinked(table, services));
    try {
      return answer.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException e) {
      throw cannotRead(table, e);
    }
  }

  private static Future<Boolean> startReadingUnlinked(
      PTable table, ConnectionQueryServices services) {
    FutureTask<Boolean> answer = new FutureTask<>(() -> readUnlinked(table, services));
    Thread thread = new Thread(answer, "phoenix-pruning-views-of-" + table.getName());
    thread.setDaemon(true);
    thread.start();
    return answer;
  }

  /**
   * Returns the cached answer for {@code table}. If several threads call this method at the same
   * time, one thread reads the answer for all. Guava's {@code computeIfAbsent} would renew the
   * expiry time of a cached answer.
   */
  private static <T> T known(Cache<PTableKey, T> answers, PTable table, Callable<T> read) {
    try {
      return answers.get(table.getKey(), read);
    } catch (ExecutionException e) {
      throw cannotRead(table, e);
    }
  }

  private static IllegalStateException cannotRead(PTable table, ExecutionException cause) {
    return new IllegalStateException("Cannot read the views of " + table.getName(), cause);
  }

  private static boolean readLinked(PTable table, ConnectionQueryServices services) {
    try (Table links = systemTable(PhoenixDatabaseMetaData.SYSTEM_CHILD_LINK_NAME_BYTES, services);
        Table catalog = systemTable(PhoenixDatabaseMetaData.SYSTEM_CATALOG_NAME_BYTES, services)) {
      return hasLongerView(table, links, catalog);
    } catch (IOException | SQLException | RuntimeException e) {
      return failed(table, e);
    }
  }

  private static boolean readUnlinked(PTable table, ConnectionQueryServices services) {
    try (Table catalog = systemTable(PhoenixDatabaseMetaData.SYSTEM_CATALOG_NAME_BYTES, services)) {
      return hasLongerView(table, catalog);
    } catch (IOException | SQLException | RuntimeException e) {
      return failed(table, e);
    }
  }

  private static boolean failed(PTable table, Exception cause) {
    Fallbacks.GLOBAL.failed("by the salt bucket of a key of " + table.getName(), cause);
    return true;
  }

  private static Table systemTable(byte[] name, ConnectionQueryServices services)
      throws SQLException {
    return services.getTable(SchemaUtil.getPhysicalName(name, services.getProps()).getName());
  }

  private static boolean hasLongerView(PTable table, Table links, Table catalog)
      throws IOException {
    Set<String> keyColumns = keyColumns(table);
    Deque<byte[]> parents = new ArrayDeque<>();
    parents.add(baseTableKey(table));
    int views = 0;
    while (!parents.isEmpty()) {
      byte[] prefix = childPrefix(parents.remove());
      Scan scan = new Scan().setRowPrefixFilter(prefix).setCaching(MAX_VIEWS + 1);
      try (ResultScanner scanner = links.getScanner(scan)) {
        for (Result link = scanner.next(); link != null; link = scanner.next()) {
          byte[] view = viewKey(Bytes.tail(link.getRow(), link.getRow().length - prefix.length));
          if (++views > MAX_VIEWS || hasOtherKeyColumn(view, keyColumns, catalog)) {
            return true;
          }
          parents.add(view);
        }
      }
    }
    return false;
  }

  /** Reads the catalog for the views that are stored in the HBase table of {@code table}. */
  private static boolean hasLongerView(PTable table, Table catalog) throws IOException {
    Set<String> keyColumns = keyColumns(table);
    // Phoenix 4 wrote the physical name.
    Set<String> names =
        new HashSet<>(
            Arrays.asList(baseTableName(table).getString(), table.getPhysicalName().getString()));
    for (String name : names) {
      byte[] suffix =
          ByteUtil.concat(
              QueryConstants.SEPARATOR_BYTE_ARRAY,
              QueryConstants.SEPARATOR_BYTE_ARRAY,
              Bytes.toBytes(name));
      Scan scan =
          new Scan()
              .setCacheBlocks(false)
              .addColumn(
                  PhoenixDatabaseMetaData.TABLE_FAMILY_BYTES,
                  PhoenixDatabaseMetaData.LINK_TYPE_BYTES)
              .setFilter(
                  new FilterList(
                      new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(STORED_IN)),
                      new RowFilter(CompareOperator.EQUAL, new SubstringComparator(name))));
      int views = 0;
      try (ResultScanner scanner = catalog.getScanner(scan)) {
        for (Result link = scanner.next(); link != null; link = scanner.next()) {
          byte[] row = link.getRow();
          int nameEnd = row.length - suffix.length;
          if (nameEnd > 0
              && Bytes.equals(row, nameEnd, suffix.length, suffix, 0, suffix.length)
              && isView(Bytes.head(row, nameEnd), catalog)
              && (++views > MAX_VIEWS
                  || hasOtherKeyColumn(Bytes.head(row, nameEnd), keyColumns, catalog))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Returns whether a row of the catalog describes a view. Local indexes have such links as well.
   */
  private static boolean isView(byte[] key, Table catalog) throws IOException {
    byte[] type =
        catalog
            .get(
                new Get(key)
                    .addColumn(
                        PhoenixDatabaseMetaData.TABLE_FAMILY_BYTES,
                        PhoenixDatabaseMetaData.TABLE_TYPE_BYTES))
            .value();
    return type != null
        && Bytes.equals(type, PChar.INSTANCE.toBytes(PTableType.VIEW.getSerializedValue()));
  }

  private static Set<String> keyColumns(PTable table) {
    return table.getPKColumns().stream()
        .map(column -> column.getName().getString())
        .collect(Collectors.toSet());
  }

  /** Returns the row of the catalog for the table that holds the rows of {@code table}. */
  private static byte[] baseTableKey(PTable table) {
    return SchemaUtil.getTableKeyFromFullName(baseTableName(table).getString());
  }

  private static PName baseTableName(PTable table) {
    PName base = table.getBaseTableLogicalName();
    return base == null ? table.getPhysicalName() : base;
  }

  /** Returns the row of the catalog for a view that a link leads to. */
  private static byte[] viewKey(byte[] tenantAndName) {
    int separator = Bytes.indexOf(tenantAndName, QueryConstants.SEPARATOR_BYTE);
    if (separator < 0) {
      throw new IllegalArgumentException(
          "Malformed row key in SYSTEM.CHILD_LINK: expected TENANT\\x00VIEW, but found "
              + Bytes.toStringBinary(tenantAndName));
    }
    String name =
        Bytes.toString(tenantAndName, separator + 1, tenantAndName.length - separator - 1);
    return SchemaUtil.getTableKey(
        Bytes.head(tenantAndName, separator),
        Bytes.toBytes(SchemaUtil.getSchemaNameFromFullName(name)),
        Bytes.toBytes(SchemaUtil.getTableNameFromFullName(name)));
  }

  private static boolean hasOtherKeyColumn(byte[] view, Set<String> keyColumns, Table catalog)
      throws IOException {
    byte[] prefix = childPrefix(view);
    Scan scan =
        new Scan()
            .setRowPrefixFilter(prefix)
            .addColumn(
                PhoenixDatabaseMetaData.TABLE_FAMILY_BYTES, PhoenixDatabaseMetaData.KEY_SEQ_BYTES);
    try (ResultScanner scanner = catalog.getScanner(scan)) {
      for (Result column = scanner.next(); column != null; column = scanner.next()) {
        byte[] row = column.getRow();
        if (!keyColumns.contains(Bytes.toString(row, prefix.length, row.length - prefix.length))) {
          return true;
        }
      }
    }
    return false;
  }

  private static byte[] childPrefix(byte[] tableKey) {
    return ByteUtil.concat(tableKey, QueryConstants.SEPARATOR_BYTE_ARRAY);
  }
}
