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
package io.phoenixpruning.cli.explain;

import io.phoenixpruning.report.format.ByteUnit;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.schema.stats.GuidePostsKey;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Checks whether Phoenix has statistics of a table, and whether the table has grown much since they
 * were collected.
 *
 * <p>Each guidepost has the number of bytes before it. Bytes after the last guidepost of a region
 * are not counted. So the bytes of one more average guidepost are added for each region and family.
 * Statistics are stale if the table's files have more than twice this sum. Old cell versions and
 * file overhead rarely double the size of a table. The check does not notice that a table shrank.
 */
final class StatisticsCheck {

  private static final double GROWTH = 2;

  private final ConnectionQueryServices services;

  /** Cache of regions and bytes by HBase table, shared by all statements. */
  private final Map<TableName, Files> filesByTable = new HashMap<>();

  /** Number of regions and bytes of a table, as reported by the region servers. */
  private record Files(int regions, double bytes) {}

  StatisticsCheck(PhoenixConnection connection) {
    this.services = connection.getQueryServices();
  }

  /** Returns a warning if the statistics of a table or an index are missing or stale. */
  Optional<Warning> warning(PTable table) throws SQLException {
    if (!isCollected(guideposts(table, SchemaUtil.getEmptyColumnFamily(table)))) {
      return Optional.of(
          new Warning(
              Warning.Kind.STATISTICS_MISSING,
              "there are no statistics of "
                  + table.getName().getString()
                  + ", so the optimizer guesses. Run "
                  + remedy(table)));
    }
    Files actual = files(TableName.valueOf(table.getPhysicalName().getBytes()));
    double knownBytes = knownBytes(table, actual.regions);
    return actual.bytes > GROWTH * knownBytes
        ? Optional.of(
            new Warning(
                Warning.Kind.STATISTICS_STALE,
                String.format(
                    Locale.ROOT,
                    "the statistics of %s cover at most %,.1f MiB, but its files have %,.1f MiB."
                        + " Run %s",
                    table.getPhysicalName().getString(),
                    ByteUnit.MIB.from(knownBytes),
                    ByteUnit.MIB.from(actual.bytes),
                    remedy(table))))
        : Optional.empty();
  }

  private static String remedy(PTable table) {
    boolean isIndex = table.getType() == PTableType.INDEX;
    String name = (isIndex ? table.getParentName() : table.getName()).getString();
    return "UPDATE STATISTICS " + SqlNames.full(name);
  }

  /** Returns the maximum number of bytes that the table can have had at the last collection. */
  private double knownBytes(PTable table, int regions) throws SQLException {
    double knownBytes = 0;
    for (byte[] family :
        services.getTableDescriptor(table.getPhysicalName().getBytes()).getColumnFamilyNames()) {
      GuidePostsInfo guideposts = guideposts(table, family);
      double bytes = Arrays.stream(guideposts.getByteCounts()).sum();
      knownBytes += bytes + regions * bytes / Math.max(1, guideposts.getByteCounts().length);
    }
    return knownBytes;
  }

  private Files files(TableName table) throws SQLException {
    Files knownBytes = filesByTable.get(table);
    if (knownBytes == null) {
      knownBytes = readFiles(table);
      filesByTable.put(table, knownBytes);
    }
    return knownBytes;
  }

  private Files readFiles(TableName table) throws SQLException {
    try (Admin admin = services.getAdmin()) {
      int regions = 0;
      double bytes = 0;
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
          regions++;
          bytes += region.getUncompressedStoreFileSize().get(Size.Unit.BYTE);
        }
      }
      return new Files(regions, bytes);
    } catch (IOException e) {
      throw new SQLException("The size of " + table + " is not known: " + e.getMessage(), e);
    }
  }

  private GuidePostsInfo guideposts(PTable table, byte[] family) throws SQLException {
    return services.getTableStats(new GuidePostsKey(table.getPhysicalName().getBytes(), family));
  }

  /**
   * Returns whether statistics were collected. Even a table with too few rows for a guidepost has
   * the time of the collection.
   */
  private static boolean isCollected(GuidePostsInfo guideposts) {
    return guideposts.getGuidePostTimestamps().length > 0;
  }
}
