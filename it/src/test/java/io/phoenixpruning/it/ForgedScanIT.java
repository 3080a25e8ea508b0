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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.phoenixpruning.it.differential.PatchSwitch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.DataRowFilter;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.protocol.SeekRanges;
import org.apache.phoenix.util.ScanUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests scans that no Phoenix client sends. The server refuses each scan permanently, or returns
 * only rows that an ordinary scan of the same region would return. The servers keep running.
 *
 * <p>{@code -Dforged.seed=} (default 1) and {@code -Dforged.cases=} select the random scans.
 */
public class ForgedScanIT extends ClusterTest {

  private static final long SEED = Long.getLong("forged.seed", 1);
  private static final int CASES = Integer.getInteger("forged.cases", 1_000);

  private static final String TABLE = "VAULTS";
  private static final byte[] INDEX_FAMILY = Bytes.toBytes("L#0");
  private static final String QUERY = "SELECT /*+ INDEX(VAULTS VAULTS_V) */ K FROM VAULTS";
  private static final String[] KEYS = {
    PlannedRegion.START_ATTRIBUTE,
    PlannedRegion.END_ATTRIBUTE,
    BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW,
    BaseScannerRegionObserverConstants.EXPECTED_UPPER_REGION_KEY,
    BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX,
    BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX,
    SeekRanges.ATTRIBUTE,
  };
  private static final String[] MARKS = {
    BaseScannerRegionObserverConstants.LOCAL_INDEX, BaseScannerRegionObserverConstants.REVERSE_SCAN,
  };

  private Connection connection;
  private ForgedScans client;
  private List<RegionInfo> regions;
  private List<Scan> scans;

  /** Creates four regions with 25 rows each. */
  @BeforeClass
  public static void createTable() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE VAULTS (K INTEGER PRIMARY KEY, V VARCHAR) SPLIT ON (25, 50, 75)",
          "CREATE LOCAL INDEX VAULTS_V ON VAULTS (V)");
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO VAULTS VALUES (?, ?)")) {
        for (int k = 0; k < 100; k++) {
          upsert.setInt(1, k);
          upsert.setString(2, "v" + k % 10);
          upsert.execute();
        }
      }
      connection.commit();
    }
  }

  @Before
  public void plan() throws Exception {
    connection = connect(PruningMode.EXACT);
    client = new ForgedScans();
    regions = regions(TABLE);
    scans = ForgedScans.planned(connection, QUERY);
    assertThat(scans).hasSameSizeAs(regions).hasSize(4);
  }

  @After
  public void theServersGoOn() throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    client.close();
    assertThat(rows(connection, QUERY + " WHERE V = 'v7' AND K > 40")).hasSize(6);
    assertThat(rows(connection, QUERY)).hasSize(100);
    connection.close();
    for (RegionServerThread server : getUtility().getHBaseCluster().getRegionServerThreads()) {
      assertThat(server.isAlive()).as(server.getName()).isTrue();
      assertThat(server.getRegionServer().isAborted()).as(server.getName()).isFalse();
    }
  }

  @Test
  public void givesTheRowsOfAGenuineScan() throws Exception {
    for (int i = 0; i < regions.size(); i++) {
      assertThat(client.scan(regions.get(i), scans.get(i))).as("region %s", i).hasSize(25);
      assertThat(stored(regions.get(i))).as("region %s", i).hasSize(50);
    }
  }

  @Test
  public void refusesTheScanOfAnyOtherRegion() {
    for (RegionInfo region : regions) {
      for (Scan scan : scans) {
        if (!PlannedRegion.of(scan).equals(PlannedRegion.of(region))) {
          assertThatThrownBy(() -> client.scan(region, scan))
              .as("scan of %s in %s", PlannedRegion.of(scan), region)
              .isInstanceOf(DoNotRetryIOException.class)
              .hasMessageContaining("ERROR 1108")
              .hasMessageContaining(Bytes.toStringBinary(PlannedRegion.of(scan).start()))
              .hasMessageContaining(Bytes.toStringBinary(region.getStartKey()));
        }
      }
    }
  }

  @Test
  public void refusesAnInvalidStamp() throws Exception {
    Scan half = new Scan(scans.get(1));
    half.setAttribute(PlannedRegion.END_ATTRIBUTE, null);
    assertRefused(half, "does not name a region", PlannedRegion.END_ATTRIBUTE + " is missing");

    Scan backwards = new Scan(scans.get(1));
    backwards.setAttribute(PlannedRegion.END_ATTRIBUTE, new byte[] {1});
    assertRefused(backwards, "does not name a region", "start key and the end key of a region");

    Scan huge = new Scan(scans.get(1));
    huge.setAttribute(PlannedRegion.START_ATTRIBUTE, new byte[10_000_000]);
    assertRefused(huge, "ERROR 1108", "(10000000 bytes)");
  }

  /**
   * Asserts that a scan of HBase's own client is refused permanently. Otherwise, this client would
   * repeat the scan again and again.
   */
  private static void assertRefused(Scan scan, String... messages) throws IOException {
    assertRefused(TABLE, scan, messages);
  }

  private static void assertRefused(String name, Scan scan, String... messages) throws IOException {
    Throwable refused = refusal(name, scan);
    assertThat(refused).isInstanceOf(DoNotRetryIOException.class);
    for (String message : messages) {
      assertThat(refused).hasMessageContaining(message);
    }
  }

  /** Returns the exception of a scan by HBase's own client, or null if there is none. */
  private static Throwable refusal(String name, Scan scan) throws IOException {
    try (org.apache.hadoop.hbase.client.Connection hbase =
            org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(
                getUtility().getConfiguration());
        Table table = hbase.getTable(TableName.valueOf(name));
        ResultScanner scanner = table.getScanner(scan)) {
      return catchThrowable(scanner::next);
    }
  }

  /**
   * Tests attributes that Phoenix does not validate. If a coprocessor throws an exception other
   * than IOException, HBase aborts the server.
   */
  @Test
  public void refusesScansThatPhoenixDoesNotCheck() throws Exception {
    Map<String, byte[]> unreadable =
        Map.of(
            BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX, new byte[Short.MAX_VALUE],
            BaseScannerRegionObserverConstants.SERVER_PAGE_SIZE_MS, new byte[3],
            BaseScannerRegionObserverConstants.SKIP_REGION_BOUNDARY_CHECK, new byte[3],
            BaseScannerRegionObserverConstants.TX_SCN, new byte[3]);
    for (Map.Entry<String, byte[]> attribute : unreadable.entrySet()) {
      Scan scan = new Scan(scans.get(1));
      scan.setAttribute(attribute.getKey(), attribute.getValue());
      assertThat(refusal(TABLE, scan))
          .as(attribute.getKey())
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("attribute of the scan cannot be read")
          .hasMessageContaining("IllegalArgumentException");
    }
  }

  /**
   * Tests a table whose coprocessors may fail without stopping the server. HBase removes such a
   * coprocessor from the region, and without it the region cannot run Phoenix's scans.
   */
  @Test
  public void failsInPhoenixWithoutThePatch() throws Exception {
    String table = generateUniqueName();
    execute(connection, "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER)");
    TableName name = TableName.valueOf(table);
    getUtility()
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(getUtility().getAdmin().getDescriptor(name))
                .setValue(CoprocessorHost.ABORT_ON_ERROR_KEY, "false")
                .build());
    Scan scan = ForgedScans.planned(connection, "SELECT K FROM " + table + " WHERE V = 5").get(0);
    scan.setAttribute(BaseScannerRegionObserverConstants.TX_SCN, new byte[3]);
    assertRefused(table, scan, "attribute of the scan cannot be read", "IllegalArgumentException");
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.MALFORMED_SCAN);
    assertRefused(
        table,
        scan,
        "IllegalArgumentException",
        "has been removed from the active coprocessor set");
  }

  @Test
  public void refusesAnInvalidFilter() throws Exception {
    byte[] lengthOfTwoGigabytes = {-116, 127, -1, -1, -1};
    assertThatThrownBy(
            () -> client.scan(regions.get(1), scans.get(1), filter(lengthOfTwoGigabytes)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("not a DataRowFilter");
    assertThatThrownBy(() -> client.scan(regions.get(1), scans.get(1), filter(new byte[100])))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("not a DataRowFilter");
  }

  @Test
  public void refusesInvalidRanges() throws Exception {
    Scan scan = new Scan(scans.get(1));
    scan.setAttribute(SeekRanges.ATTRIBUTE, new byte[] {0, 1, 2, 3});
    assertRefused(scan, SeekRanges.ATTRIBUTE, "do not describe ranges of keys");
  }

  /**
   * Tests a filter that the server does not have. A server without our jar refuses the filter of a
   * merged region in the same way.
   */
  @Test
  public void refusesAnUnknownFilter() {
    String filter = DataRowFilter.class.getPackageName() + ".FilterOfALaterVersion";
    assertThatThrownBy(
            () -> client.scan(regions.get(1), scans.get(1), filter(filter, new byte[100])))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(ClassNotFoundException.class.getName())
        .hasMessageContaining(filter);
  }

  private static UnaryOperator<ScanRequest> filter(byte[] serialized) {
    return filter(DataRowFilter.class.getName(), serialized);
  }

  private static UnaryOperator<ScanRequest> filter(String name, byte[] serialized) {
    return request ->
        request.toBuilder()
            .setScan(
                request.getScan().toBuilder()
                    .setFilter(
                        FilterProtos.Filter.newBuilder()
                            .setName(name)
                            .setSerializedFilter(ByteString.copyFrom(serialized))))
            .build();
  }

  @Test
  public void neverLeavesTheRegion() throws Exception {
    Random random = new Random(SEED);
    List<Set<String>> stored = new ArrayList<>();
    for (RegionInfo region : regions) {
      stored.add(stored(region));
    }
    int answered = 0;
    int refused = 0;
    for (int i = 0; i < CASES; i++) {
      int region = random.nextInt(regions.size());
      int origin = random.nextInt(3) == 0 ? random.nextInt(regions.size()) : region;
      Scan scan = new Scan(scans.get(origin));
      StringBuilder changes = new StringBuilder();
      for (int changed = 1 + random.nextInt(3); changed > 0; changed--) {
        changes.append(change(scan, random)).append("; ");
      }
      String forged =
          "-Dforged.seed=%d, case %d: scan of region %d sent to %d, with %s"
              .formatted(SEED, i, origin, region, changes);
      try {
        for (Result row : client.scan(regions.get(region), scan)) {
          answered++;
          assertThat(stored.get(region)).as(forged).contains(Bytes.toHex(row.getRow()));
        }
      } catch (DoNotRetryIOException e) {
        refused++;
        assertThat(e).as(forged).hasMessageMatching("(?s).*\\S.*");
      } catch (IOException e) {
        throw new AssertionError(forged, e);
      }
    }
    assertThat(answered).isPositive();
    assertThat(refused).isPositive();
  }

  private String change(Scan scan, Random random) {
    switch (random.nextInt(8)) {
      case 0:
        scan.withStartRow(key(random), random.nextBoolean());
        return "start row " + Bytes.toStringBinary(scan.getStartRow());
      case 1:
        scan.withStopRow(key(random), random.nextBoolean());
        return "stop row " + Bytes.toStringBinary(scan.getStopRow());
      case 2:
        scan.setReversed(!scan.isReversed());
        return "reversed " + scan.isReversed();
      case 3:
        String mark = MARKS[random.nextInt(MARKS.length)];
        scan.setAttribute(mark, scan.getAttribute(mark) == null ? bytes(random) : null);
        return mark + (scan.getAttribute(mark) == null ? " off" : " on");
      case 4:
        ScanUtil.setReversed(scan);
        ScanUtil.setupReverseScan(scan);
        return "turned around";
      default:
        String name = KEYS[random.nextInt(KEYS.length)];
        byte[] value = random.nextInt(5) == 0 ? null : changed(scan.getAttribute(name), random);
        scan.setAttribute(name, value);
        return name + " " + (value == null ? "off" : Bytes.toStringBinary(value));
    }
  }

  private byte[] changed(byte[] value, Random random) {
    if (value == null || random.nextBoolean()) {
      return key(random);
    }
    if (value.length > 0 && random.nextBoolean()) {
      return Arrays.copyOf(value, random.nextInt(value.length));
    }
    return Bytes.add(value, bytes(random));
  }

  /** Returns an empty key, a boundary of a region, or random bytes. */
  private byte[] key(Random random) {
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    switch (random.nextInt(4)) {
      case 0:
        return region.getStartKey();
      case 1:
        return region.getEndKey();
      case 2:
        return new byte[0];
      default:
        return bytes(random);
    }
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * Returns the keys of the index rows in {@code region}, with and without the prefix of the
   * region.
   */
  private Set<String> stored(RegionInfo region) throws IOException {
    int prefix = ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey());
    Set<String> keys = new HashSet<>();
    for (Result row : client.scan(region, new Scan().addFamily(INDEX_FAMILY))) {
      keys.add(Bytes.toHex(row.getRow()));
      keys.add(Bytes.toHex(row.getRow(), prefix, row.getRow().length - prefix));
    }
    return keys;
  }
}
