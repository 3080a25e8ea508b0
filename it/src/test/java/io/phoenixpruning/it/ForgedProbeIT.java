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

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.filter.PagingFilter;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeAnswer.Finding;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests probes that our client never sends. The server refuses each probe permanently, or answers
 * with rows that a scan of the regions of the table would return. The servers keep running.
 *
 * <p>{@code -Dforged.seed=} (default 1) and {@code -Dforged.cases=} select the random probes.
 */
public class ForgedProbeIT extends ClusterTest {

  private static final long SEED = Long.getLong("forged.seed", 1);
  private static final int CASES = Integer.getInteger("forged.cases", 1_000);

  private static final byte[] INDEX_FAMILY = Bytes.toBytes("L#0");
  private static final byte[] NONE = {};
  private static final int DEADLINE_MS = 20_000;
  private static final int ROW_BYTES = 100_000;
  private static final String QUERY =
      "SELECT /*+ INDEX(ASKED ASKED_V) */ K FROM ASKED WHERE V = 'v7'";

  private Connection connection;
  private ForgedScans client;
  private List<RegionInfo> regions;
  private Scan scan;

  /** Creates four regions with 25 rows each, and the same regions of another table. */
  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      for (String table : List.of("ASKED", "UNASKED")) {
        execute(
            connection,
            "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V VARCHAR) SPLIT ON (25, 50, 75)",
            "CREATE LOCAL INDEX " + table + "_V ON " + table + " (V)");
        try (PreparedStatement upsert =
            connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?)")) {
          for (int k = 0; k < 100; k++) {
            upsert.setInt(1, k);
            upsert.setString(2, "v" + (k < 50 ? k % 10 : 9));
            upsert.execute();
          }
        }
        connection.commit();
      }
    }
  }

  @Before
  public void plan() throws Exception {
    connection = connect(PruningMode.EXACT);
    client = new ForgedScans();
    regions = regions("ASKED");
    scan = ForgedScans.planned(connection, QUERY).get(0);
  }

  @After
  public void theServersGoOn() throws Exception {
    client.close();
    assertThat(rows(connection, QUERY)).hasSize(5);
    try (Connection probing = Probing.connect(Map.of())) {
      assertThat(rows(probing, QUERY)).hasSize(5);
    }
    connection.close();
    for (RegionServerThread server : getUtility().getHBaseCluster().getRegionServerThreads()) {
      assertThat(server.isAlive()).as(server.getName()).isTrue();
      assertThat(server.getRegionServer().isAborted()).as(server.getName()).isFalse();
    }
  }

  private ProbedRange range(String region) {
    return new ProbedRange(
        region,
        scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX),
        scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX));
  }

  /** Returns a range with all 25 index rows of the first region. */
  private ProbedRange all() {
    byte[] start = scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX);
    byte[] v = Arrays.copyOf(start, start.length - 1);
    byte[] w = v.clone();
    w[w.length - 1]++;
    return new ProbedRange(regions.get(0).getEncodedName(), v, w);
  }

  private List<ProbedRange> ranges() {
    return regions.stream().map(region -> range(region.getEncodedName())).toList();
  }

  private static byte[] request(Scan asked, List<ProbedRange> ranges) throws IOException {
    return ProbeRequest.of(DEADLINE_MS, ROW_BYTES, asked, ranges).toBytes();
  }

  private ProbeAnswer probe(byte[] attribute) throws IOException {
    List<Result> results = scan(attribute);
    assertThat(results).hasSize(1);
    return ProbeAnswer.read(results.get(0)).orElseThrow();
  }

  private List<Result> scan(byte[] attribute) throws IOException {
    Scan carrier =
        new Scan()
            .addFamily(INDEX_FAMILY)
            .withStartRow(regions.get(1).getStartKey())
            .withStopRow(regions.get(1).getStartKey(), true)
            .setOneRowLimit()
            .setAttribute(ProbeRequest.ATTRIBUTE, attribute);
    return client.scan(regions.get(1), carrier);
  }

  private static List<Finding> findings(ProbeAnswer answer, int count) {
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      findings.add(answer.finding(i));
    }
    return findings;
  }

  @Test
  public void answersAGenuineProbe() throws Exception {
    ProbeAnswer answer = probe(request(scan, ranges()));
    assertThat(findings(answer, 4))
        .containsExactly(Finding.ROWS, Finding.ROWS, Finding.NO_ROW, Finding.NO_ROW);
    assertThat(answer.rowsOf(0)).hasSize(2);
    assertThat(answer.rowsOf(1)).hasSize(3);
  }

  @Test
  public void refusesBytesThatAreNoRequest() throws Exception {
    byte[] genuine = request(scan, ranges());
    byte[] version = genuine.clone();
    version[0] = -7;
    byte[] length = genuine.clone();
    Bytes.putInt(length, 1 + 2 * Integer.BYTES, Integer.MAX_VALUE);
    for (byte[] forged :
        List.of(NONE, new byte[1], version, length, Arrays.copyOf(genuine, genuine.length - 1))) {
      assertThatThrownBy(() -> probe(forged))
          .as(Bytes.toStringBinary(forged))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(ProbeRequest.ATTRIBUTE);
    }
    Random random = new Random(SEED);
    for (int i = 0; i < 200; i++) {
      byte[] forged = new byte[random.nextInt(300)];
      random.nextBytes(forged);
      if (forged.length > 0) {
        forged[0] = 1;
      }
      assertThatThrownBy(() -> probe(forged))
          .as(Bytes.toStringBinary(forged))
          .isInstanceOf(DoNotRetryIOException.class);
    }
  }

  /**
   * Tests a request of a newer client. The server runs its scan, so that the client sees no failed
   * probe.
   */
  @Test
  public void scansForARequestOfANewerVersion() throws Exception {
    byte[] newer = request(scan, ranges());
    newer[0]++;
    for (Result row : scan(newer)) {
      assertThat(ProbeAnswer.read(row)).as("%s", row).isEmpty();
    }
  }

  /** Checks that a region of another table looks like a region that does not exist. */
  @Test
  public void findsNothingInRegionsOfOtherTables() throws Exception {
    List<ProbedRange> ranges = new ArrayList<>();
    for (RegionInfo region : regions("UNASKED")) {
      ranges.add(range(region.getEncodedName()));
    }
    ranges.add(range("0123456789abcdef0123456789abcdef"));
    ranges.add(range(""));
    ranges.add(range("1588230740"));
    ProbeAnswer answer = probe(request(scan, ranges));
    assertThat(findings(answer, ranges.size())).containsOnly(Finding.MAY_MATCH);
  }

  @Test
  public void findsNothingIfKeysOrScansCannotBeRead() throws Exception {
    String region = regions.get(1).getEncodedName();
    ProbedRange tooLong = new ProbedRange(region, new byte[Short.MAX_VALUE], NONE);
    assertThat(findings(probe(request(scan, List.of(tooLong))), 1)).containsOnly(Finding.MAY_MATCH);
    Map<String, byte[]> unreadable =
        Map.of(
            BaseScannerRegionObserverConstants.SKIP_REGION_BOUNDARY_CHECK, new byte[3],
            BaseScannerRegionObserverConstants.TX_SCN, new byte[3],
            BaseScannerRegionObserverConstants.AGGREGATORS, new byte[] {1, 2, 3},
            BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD_PROTO, new byte[] {1, 2, 3});
    for (Map.Entry<String, byte[]> attribute : unreadable.entrySet()) {
      Scan forged = new Scan(scan).setAttribute(attribute.getKey(), attribute.getValue());
      assertThat(probe(request(forged, ranges())).finding(3))
          .as("no rows are read for it")
          .isEqualTo(Finding.NO_ROW);
    }
    Scan ofNoIndex = new Scan(scan);
    ofNoIndex.setAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX, null);
    assertThat(probe(request(ofNoIndex, ranges())).finding(3)).isEqualTo(Finding.NO_ROW);
  }

  @Test
  public void limitsTheRequestedBytesAndTime() throws Exception {
    byte[] most = ProbeRequest.of(Integer.MAX_VALUE, Integer.MAX_VALUE, scan, ranges()).toBytes();
    assertThat(findings(probe(most), 4))
        .containsExactly(Finding.ROWS, Finding.ROWS, Finding.NO_ROW, Finding.NO_ROW);
    byte[] least = ProbeRequest.of(0, Integer.MAX_VALUE, scan, ranges()).toBytes();
    assertThat(findings(probe(least), 4)).containsOnly(Finding.MAY_MATCH);
    byte[] noRows = ProbeRequest.of(DEADLINE_MS, 0, scan, ranges()).toBytes();
    assertThat(findings(probe(noRows), 4))
        .containsExactly(Finding.MAY_MATCH, Finding.MAY_MATCH, Finding.NO_ROW, Finding.NO_ROW);
    byte[] oneByte = ProbeRequest.of(DEADLINE_MS, 1, scan, ranges()).toBytes();
    assertThat(findings(probe(oneByte), 2)).containsOnly(Finding.MAY_MATCH);
  }

  /**
   * Checks the size of an answer, because a client may open the scanner and never fetch the answer.
   */
  @Test
  public void limitsTheRowsOfAnAnswer() throws Exception {
    int ranges = 3_000;
    byte[] repeated =
        ProbeRequest.of(DEADLINE_MS, Integer.MAX_VALUE, scan, Collections.nCopies(ranges, all()))
            .toBytes();
    List<Result> results = scan(repeated);
    ProbeAnswer answer = ProbeAnswer.read(results.get(0)).orElseThrow();
    assertThat(findings(answer, ranges)).startsWith(Finding.ROWS).endsWith(Finding.MAY_MATCH);
    assertThat(Result.getTotalSizeOfCells(results.get(0))).isBetween(1L << 20, 3L << 20);
  }

  /** Tests nested probes. Each of them would hold a handler while the next one runs. */
  @Test
  public void refusesAProbeWithinAProbe() throws Exception {
    Scan nested = new Scan(scan);
    for (int depth = 0; depth < 3; depth++) {
      byte[] attribute = request(nested, ranges());
      nested = new Scan(scan).setAttribute(ProbeRequest.ATTRIBUTE, attribute);
    }
    byte[] forged = request(nested, ranges());
    assertThatThrownBy(() -> probe(forged))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("a request cannot carry another one");
  }

  @Test
  public void refusesRequestsThatAreTooLarge() throws Exception {
    byte[] most =
        request(scan, Collections.nCopies(ProbeRequest.MAX_RANGES, range("no such region")));
    assertThat(probe(most).finding(0)).isEqualTo(Finding.MAY_MATCH);
    byte[] ranges =
        request(scan, Collections.nCopies(ProbeRequest.MAX_RANGES + 1, range("no such region")));
    assertThatThrownBy(() -> probe(ranges))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Expected 0 to " + ProbeRequest.MAX_RANGES);
    ProbedRange tooLong =
        new ProbedRange(
            regions.get(0).getEncodedName(), NONE, new byte[HConstants.MAX_ROW_LENGTH + 1]);
    byte[] key = request(scan, List.of(tooLong));
    assertThatThrownBy(() -> probe(key))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("a key has 32768 bytes, but at most 32767 are allowed");
    Scan large = new Scan(scan).setAttribute("large", new byte[ProbeRequest.MAX_BYTES]);
    byte[] bytes = request(large, ranges());
    assertThatThrownBy(() -> probe(bytes))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("the request has " + bytes.length + " bytes");
  }

  /** Tests an Error in a coprocessor, which would make HBase stop the server. */
  @Test
  public void survivesAFilterThatIsTooDeepToRead() throws Exception {
    FutureTask<byte[]> deep =
        new FutureTask<>(
            () -> {
              Filter filter = new FirstKeyOnlyFilter();
              for (int depth = 0; depth < 5_000; depth++) {
                filter = new FilterList(filter);
              }
              return request(new Scan(scan).setFilter(filter), List.of(all()));
            });
    new Thread(null, deep, "deep", 1L << 29).start();
    byte[] forged = deep.get();
    assertThat(forged.length).isLessThan(ProbeRequest.MAX_BYTES);
    assertThat(probe(forged).finding(0)).isEqualTo(Finding.MAY_MATCH);
  }

  /**
   * Tests slow scans that Phoenix would not end: a scan without Phoenix's attributes, and a scan
   * that sets its own page size.
   */
  @Test
  public void stopsAScanThatFiltersForLong() throws Exception {
    Scan plain = new Scan().addFamily(INDEX_FAMILY);
    Scan paged = new Scan(scan);
    for (Scan forged : List.of(plain, paged)) {
      Filter slow = new SlowFilter();
      forged.setFilter(forged == paged ? new PagingFilter(slow, Long.MAX_VALUE) : slow);
      SlowFilter.resetCount();
      byte[] attribute = ProbeRequest.of(1000, ROW_BYTES, forged, List.of(all())).toBytes();
      assertThat(probe(attribute).finding(0))
          .as("%s", forged.getFilter())
          .isEqualTo(Finding.MAY_MATCH);
      assertThat(SlowFilter.rows()).as("%s", forged.getFilter()).isPositive().isLessThan(25);
    }
  }

  /**
   * Tests randomly changed requests. The test fails if a server throws an unexpected exception,
   * returns a row that is not stored, or does not answer within a minute.
   */
  @Test
  public void refusesOrAnswersChangedBytes() throws Exception {
    Random random = new Random(SEED);
    byte[] genuine = request(scan, ranges());
    Set<String> stored = new HashSet<>();
    for (RegionInfo region : regions) {
      // Rows of the data are included, because a change can turn the request into a scan of all
      // families.
      for (Result row : client.scan(region, new Scan())) {
        // Phoenix returns the key of an index row without its prefix.
        stored.add(Bytes.toHex(row.getRow()));
        stored.add(Bytes.toHex(row.getRow(), Integer.BYTES, row.getRow().length - Integer.BYTES));
      }
    }
    int refused = 0;
    int rows = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] forged = genuine.clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        // Keeps the version byte, because a server ignores a request of a newer version.
        forged[1 + random.nextInt(forged.length - 1)] = (byte) random.nextInt();
      }
      String description = "seed " + SEED + ", case " + i + ": " + Bytes.toStringBinary(forged);
      try {
        ProbeAnswer answer = probe(forged);
        for (int range = 0; range < regions.size(); range++) {
          if (answer.finding(range) == Finding.ROWS) {
            for (Result row : answer.rowsOf(range)) {
              assertThat(stored).as(description).contains(Bytes.toHex(row.getRow()));
              rows++;
            }
          }
        }
      } catch (DoNotRetryIOException e) {
        refused++;
      } catch (IOException e) {
        throw new AssertionError(description, e);
      }
    }
    assertThat(refused).isPositive();
    assertThat(rows).isPositive();
  }
}
