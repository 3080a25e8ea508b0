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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PInteger;
import org.hamcrest.CoreMatchers;
import org.junit.After;
import org.junit.Assume;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Tests reverse scans of a local index, and scanners that HBase opens again. */
@RunWith(Parameterized.class)
public class ScannerIT extends ClusterTest {

  private static final int ROWS = 60;

  /**
   * Modes of our client. For a reverse scan, stock's client swaps the boundaries of a region, and
   * can end up in another region.
   */
  private static final Set<PruningMode> OURS = EnumSet.of(PruningMode.EXACT, PruningMode.NONE);

  /**
   * Returns four layouts: one region, and several regions with the rows in the first one, in the
   * last one, and in all of them.
   */
  @Parameters(name = "{0}")
  public static List<Object[]> layouts() {
    return List.of(
        new Object[] {""},
        new Object[] {"SPLIT ON (100)"},
        new Object[] {"SPLIT ON (-5)"},
        new Object[] {"SPLIT ON (20, 40)"});
  }

  private final String layout;
  private String table;

  public ScannerIT(String layout) {
    this.layout = layout;
  }

  @After
  public void restorePatches() throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
  }

  @Test
  public void readsBackwards() throws Exception {
    load();
    for (PruningMode mode : OURS) {
      try (Connection connection = connect(mode)) {
        String all = select("k") + " WHERE v = 1 ORDER BY k DESC";
        assertThat(keys(connection, all)).as("%s: %s", mode, all).isEqualTo(backwards(0, ROWS));
        assertThat(explain(connection, all).toString()).as(mode.toString()).contains("REVERSE");
        String some = all + " LIMIT 7";
        assertThat(keys(connection, some))
            .as("%s: %s", mode, some)
            .isEqualTo(backwards(0, ROWS).subList(0, 7));
      }
    }
  }

  @Test
  public void readsARangeBackwards() throws Exception {
    load();
    for (PruningMode mode : OURS) {
      try (Connection connection = connect(mode)) {
        String range = select("k") + " WHERE v = 1 AND k >= 10 AND k < 52 ORDER BY k DESC";
        assertThat(explain(connection, range).toString()).as(mode.toString()).contains("REVERSE");
        assertThat(keys(connection, range)).as("%s: %s", mode, range).isEqualTo(backwards(10, 52));
      }
    }
  }

  @Test
  public void stockReadsNothingBackwards() throws Exception {
    Assume.assumeThat("one region", layout, CoreMatchers.is(""));
    load();
    serveAsStock(table);
    try (Connection stock = connect(PruningMode.STOCK)) {
      assertThat(keys(stock, select("k") + " WHERE v = 1")).hasSize(ROWS / 3);
      assertThat(keys(stock, select("k") + " WHERE v = 1 ORDER BY k DESC")).isEmpty();
    }
  }

  @Test
  public void stockLosesRowsWhenAScannerIsOpenedAgain() throws Exception {
    Assume.assumeThat("one region", layout, CoreMatchers.is(""));
    load();
    serveAsStock(table);
    try (Connection stock = connect(PruningMode.STOCK)) {
      assertThat(keysWhile(this::reopenRegions, stock, select("k, w") + " WHERE v < 2"))
          .hasSizeLessThan(2 * ROWS / 3);
    }
  }

  @Test
  public void losesRowsWhenAScannerIsOpenedAgainWithoutThePatch() throws Exception {
    Assume.assumeThat("one region", layout, CoreMatchers.is(""));
    load();
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.REOPENED_SCAN);
    for (PruningMode mode : EnumSet.of(PruningMode.EXACT, PruningMode.STOCK)) {
      try (Connection connection = connect(mode)) {
        String query = select("k, w") + " WHERE v < 2";
        assertThat(keysWhile(this::reopenRegions, connection, query))
            .as(mode.toString())
            .hasSizeLessThan(2 * ROWS / 3);
        assertThat(keys(connection, query)).as(mode.toString()).hasSize(2 * ROWS / 3);
      }
    }
  }

  @Test
  public void readsAllRowsOfRegionsThatAreOpenedAgain() throws Exception {
    load("IMMUTABLE_ROWS = true");
    for (PruningMode mode : OURS) {
      for (String query : queries()) {
        readsAllRowsWhile(this::reopenRegions, mode, query);
      }
    }
  }

  @Test
  public void readsAllRowsOfARegionThatSplits() throws Exception {
    for (int i = 0; i < queries().size(); i++) {
      load("IMMUTABLE_ROWS = true");
      readsAllRowsWhile(this::splitRegions, PruningMode.EXACT, queries().get(i));
    }
  }

  @Test
  public void readsAllRowsOfRegionsThatMerge() throws Exception {
    Assume.assumeThat("several regions", layout, CoreMatchers.not(""));
    for (int i = 0; i < queries().size(); i++) {
      load("IMMUTABLE_ROWS = true");
      readsAllRowsWhile(this::mergeRegions, PruningMode.EXACT, queries().get(i));
    }
  }

  @Test
  public void readsAllRowsAlongAnIndexOfKeyColumns() throws Exception {
    load();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "CREATE LOCAL INDEX %1$s_K ON %1$s (k DESC)".formatted(table));
    }
    readsAllRowsWhile(
        this::reopenRegions,
        PruningMode.EXACT,
        "SELECT /*+ INDEX(%1$s %1$s_K) */ k FROM %1$s WHERE k > 3".formatted(table));
  }

  /** Returns queries of which the client has read only a part when the regions change. */
  private List<String> queries() {
    return List.of(
        select("k, w") + " WHERE v < 2",
        select("k") + " WHERE v < 2 ORDER BY v, k",
        select("k, w") + " WHERE v < 2 ORDER BY v, k LIMIT 25",
        select("k") + " WHERE v = 1 ORDER BY k DESC",
        select("k, w") + " WHERE v = 1 AND w > -50 ORDER BY k DESC");
  }

  private void readsAllRowsWhile(Change change, PruningMode mode, String query) throws Exception {
    try (Connection connection = connect(mode)) {
      List<Integer> expected = keys(connection, query);
      List<Integer> actual = keysWhile(change, connection, query);
      if (query.contains("ORDER BY")) {
        assertThat(actual).as("%s: %s", mode, query).isEqualTo(expected);
      } else {
        assertThat(actual).as("%s: %s", mode, query).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  public void losesNoRowOfOtherQueriesWhenAScannerIsOpenedAgain() throws Exception {
    load();
    for (PruningMode mode : PruningMode.values()) {
      losesNoRowWhenAScannerIsOpenedAgain(mode, select("k, w") + " WHERE v < 2");
      losesNoRowWhenAScannerIsOpenedAgain(mode, select("k") + " WHERE v = 1 ORDER BY w");
      losesNoRowWhenAScannerIsOpenedAgain(mode, select("k") + " WHERE v < 2 LIMIT 30 OFFSET 2");
    }
    for (PruningMode mode : OURS) {
      losesNoRowWhenAScannerIsOpenedAgain(mode, select("k") + " WHERE v = 1 ORDER BY k DESC");
    }
  }

  private void losesNoRowWhenAScannerIsOpenedAgain(PruningMode mode, String query)
      throws Exception {
    try (Connection connection = connect(mode)) {
      List<Integer> expected = keys(connection, query);
      List<Integer> actual;
      try {
        actual = keysWhile(this::reopenRegions, connection, query);
      } catch (SQLException e) {
        // Rows that were returned cannot be taken back. Failing is right, losing rows is not.
        assertThat(e.getErrorCode())
            .as("%s: %s", mode, query)
            .isEqualTo(SQLExceptionCode.STALE_REGION_BOUNDARY_CACHE.getErrorCode());
        return;
      }
      assertThat(actual).as("%s: %s", mode, query).hasSameSizeAs(expected).doesNotHaveDuplicates();
      if (!query.contains("LIMIT")) {
        assertThat(actual).as("%s: %s", mode, query).hasSameElementsAs(expected);
      }
    }
  }

  /** Changes the regions of the table. */
  private interface Change {
    void run() throws Exception;
  }

  /** Reads three keys, changes the regions, and reads the other keys. */
  private static List<Integer> keysWhile(Change change, Connection connection, String query)
      throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(2);
      List<Integer> keys = new ArrayList<>();
      try (ResultSet result = statement.executeQuery(query)) {
        for (int i = 0; i < 3; i++) {
          result.next();
          keys.add(result.getInt(1));
        }
        change.run();
        while (result.next()) {
          keys.add(result.getInt(1));
        }
      }
      return keys;
    }
  }

  private void load() throws SQLException {
    load("IMMUTABLE_ROWS = false");
  }

  private void load(String properties) throws SQLException {
    table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE %s (k INTEGER PRIMARY KEY, v INTEGER, w INTEGER) %s %s"
              .formatted(table, properties, layout),
          "CREATE LOCAL INDEX " + table + "_V ON " + table + " (v)");
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?)")) {
        for (int k = 0; k < ROWS; k++) {
          upsert.setInt(1, k);
          upsert.setInt(2, k % 3);
          upsert.setInt(3, -k);
          upsert.execute();
        }
      }
      connection.commit();
    }
  }

  private void reopenRegions() throws Exception {
    Admin admin = getUtility().getAdmin();
    for (RegionInfo region : regions(table)) {
      admin.unassign(region.getRegionName(), true);
      admin.assign(region.getRegionName());
    }
    getUtility().waitUntilNoRegionsInTransition(60_000);
  }

  /** Splits the region of the key 30, and the region of the key 10 if it is another one. */
  private void splitRegions() throws Exception {
    for (int key : new int[] {30, 10}) {
      byte[] splitPoint = PInteger.INSTANCE.toBytes(key);
      List<RegionInfo> regions = regions(table);
      for (RegionInfo region : regions) {
        if (region.containsRow(splitPoint) && (key == 30 || regions.size() == 4)) {
          split(region, splitPoint);
        }
      }
    }
  }

  private void mergeRegions() throws Exception {
    List<RegionInfo> regions = regions(table);
    merge(regions.get(0), regions.get(1));
  }

  private String select(String columns) {
    return "SELECT /*+ INDEX(%1$s %1$s_V) */ %2$s FROM %1$s".formatted(table, columns);
  }

  private static List<Integer> keys(Connection connection, String query) throws SQLException {
    List<Integer> keys = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        keys.add(result.getInt(1));
      }
    }
    return keys;
  }

  /**
   * Returns the keys of the rows with v = 1 in descending order.
   *
   * @param from smallest key, inclusive
   * @param to largest key, exclusive
   */
  private static List<Integer> backwards(int from, int to) {
    return IntStream.range(from, to)
        .filter(k -> k % 3 == 1)
        .boxed()
        .sorted(Comparator.reverseOrder())
        .collect(Collectors.toList());
  }
}
