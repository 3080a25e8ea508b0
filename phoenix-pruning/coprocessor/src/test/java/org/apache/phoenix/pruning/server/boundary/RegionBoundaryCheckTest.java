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
package org.apache.phoenix.pruning.server.boundary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContextImpl;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.phoenix.coprocessor.ScanRegionObserver;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.ScanUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@code -Dtests.cases=} sets the number of random cases above 20,000. */
@RunWith(JUnitParamsRunner.class)
public class RegionBoundaryCheckTest {

  private static final int CASES = Math.max(20_000, Integer.getInteger("tests.cases", 0));
  private static final byte[] SUFFIX = Bytes.toBytes("index key");

  private static String[][] boundaries() {
    return new String[][] {{"", ""}, {"", "b"}, {"b", "c"}, {"c", ""}};
  }

  @Test
  @Parameters(method = "boundaries")
  public void passesInThePlannedRegion(String start, String end) throws Exception {
    RegionInfo planned = region(start, end);
    RegionBoundaryCheck.check(pruned(planned), planned);
    RegionBoundaryCheck.check(stock(planned), planned);
  }

  @Test
  public void refusesTheRegionThatAMergeOnTheLeftMade() {
    assertStale(pruned(region("b", "c")), region("a", "c"));
    assertStale(pruned(region("b", "c")), region("", "c"));
    assertStale(stock(region("b", "c")), region("a", "c"));
    assertStale(stock(region("b", "c")), region("", "c"));
  }

  @Test
  public void refusesTheRegionThatAMergeOnTheRightMade() {
    assertStale(pruned(region("a", "b")), region("a", "c"));
    assertStale(pruned(region("a", "b")), region("a", ""));
    assertThatPhoenixRefuses(stock(region("a", "b")), region("a", "c"));
  }

  @Test
  public void refusesBothRegionsThatASplitMade() {
    assertStale(pruned(region("a", "c")), region("a", "b"));
    assertStale(pruned(region("a", "c")), region("b", "c"));
    assertThatPhoenixRefuses(stock(region("a", "c")), region("a", "b"));
    assertStale(stock(region("a", "c")), region("b", "c"));
  }

  @Test
  public void isWovenIntoPhoenix() throws Exception {
    preScannerOpen(pruned(region("b", "c")), region("b", "c"));
    preScannerOpen(stock(region("b", "c")), region("b", "c"));
    assertThatPhoenixRefuses(pruned(region("b", "c")), region("a", "c"));
    assertThatPhoenixRefuses(stock(region("b", "c")), region("a", "c"));
  }

  private static List<Scan> reopened(RegionInfo region) {
    byte[] lastRow = Bytes.add(region.getStartKey(), SUFFIX);
    return List.of(
        pruned(region).withStartRow(lastRow, false), stock(region).withStartRow(lastRow, false));
  }

  @Test
  @Parameters(method = "boundaries")
  public void refusesAScannerThatIsOpenedAgainAfterTheLastRow(String start, String end)
      throws Exception {
    RegionInfo region = region(start, end);
    for (Scan scan : reopened(region)) {
      RegionBoundaryCheck.check(scan, region);
      assertStale(scan.toString(), () -> preScannerOpen(scan, region));
    }
    for (Scan scan : reopened(region)) {
      preScannerOpen(scan, region, "stock");
    }
  }

  @Test
  @Parameters(method = "boundaries")
  public void passesReversedScans(String start, String end) throws Exception {
    RegionInfo region = region(start, end);
    preScannerOpen(reversed(pruned(region)), region);
    preScannerOpen(reversed(stock(region)), region);
  }

  @Test
  @Parameters({"a, c", "b, d"})
  public void refusesReversedScansInAnotherRegion(String start, String end) {
    RegionInfo region = region("b", "c");
    RegionInfo other = region(start, end);
    assertThatPhoenixRefuses(reversed(pruned(region)), other);
    assertThatPhoenixRefuses(reversed(stock(region)), other);
  }

  @Test
  public void refusesAReversedScannerThatIsOpenedAgainAfterTheLastRow() {
    RegionInfo region = region("b", "c");
    assertThatPhoenixRefuses(
        reversed(pruned(region)).withStartRow(Bytes.toBytes("bx"), false), region);
    assertThatPhoenixRefuses(
        reversed(stock(region)).withStartRow(Bytes.toBytes("bx"), false), region);
  }

  @Test
  public void leavesScansOfDataTablesToPhoenix() throws Exception {
    Scan scan = new Scan().withStartRow(Bytes.toBytes("b")).withStopRow(Bytes.toBytes("c"));
    scan.setAttribute(BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW, Bytes.toBytes("b"));
    RegionBoundaryCheck.check(scan, region("a", "d"));
    scan.setAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD, SUFFIX);
    RegionBoundaryCheck.check(scan, region("a", "d"));
  }

  @Test
  public void leavesLocalIndexScansThatNameNoRegionToPhoenix() throws Exception {
    Scan scan = new Scan();
    ScanUtil.setLocalIndex(scan);
    RegionBoundaryCheck.check(scan, region("a", "d"));
  }

  @Test
  @Parameters({PlannedRegion.START_ATTRIBUTE, PlannedRegion.END_ATTRIBUTE})
  public void refusesHalfARegion(String attribute) {
    RegionInfo region = region("b", "c");
    Scan scan = pruned(region);
    scan.setAttribute(attribute, null);
    assertThatThrownBy(() -> RegionBoundaryCheck.check(scan, region))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasNoCause()
        .hasMessageContaining(attribute + " is missing");
  }

  /** A scan with any attributes either runs in its own region, or is refused permanently. */
  @Test
  public void passesNothingButTheWholeRegion() {
    Random random = new Random(5096);
    String[] keys = {"", "a", "b", "bx", "c", "d"};
    RegionInfo region = region("b", "c");
    int passed = 0;
    for (int i = 0; i < CASES; i++) {
      Scan scan = new Scan().withStartRow(key(keys, random)).withStopRow(key(keys, random));
      ScanUtil.setLocalIndex(scan);
      scan.setAttribute(PlannedRegion.START_ATTRIBUTE, key(keys, random));
      scan.setAttribute(PlannedRegion.END_ATTRIBUTE, key(keys, random));
      Throwable refused = catchThrowable(() -> RegionBoundaryCheck.check(scan, region));
      if (refused == null) {
        passed++;
        assertThat(PlannedRegion.of(scan)).as("case %s", i).isEqualTo(PlannedRegion.of(region));
      } else {
        assertThat(refused).as("case %s", i).isInstanceOf(DoNotRetryIOException.class);
      }
    }
    assertThat(passed).isPositive();
  }

  private static byte[] key(String[] keys, Random random) {
    return Bytes.toBytes(keys[random.nextInt(keys.length)]);
  }

  @Test
  public void messageHasTheGivenAndTheAllowedValue() {
    assertThatThrownBy(() -> RegionBoundaryCheck.check(pruned(region("a", "c")), region("b", "d")))
        .hasMessageContaining("The scan starts at 'a'")
        .hasMessageContaining("planned for the region from 'a' to 'c'")
        .hasMessageContaining("This region is from 'b' to 'd'");
    Scan huge = pruned(region("a", "c"));
    huge.setAttribute(PlannedRegion.START_ATTRIBUTE, new byte[1 << 20]);
    assertThatThrownBy(() -> RegionBoundaryCheck.check(huge, region("a", "c")))
        .hasMessageContaining("(1048576 bytes)'")
        .extracting(e -> e.getMessage().length())
        .satisfies(length -> assertThat(length).isLessThan(400));
  }

  /** A scan with an IN list of 20,000 values used to be logged with all of them. */
  @Test
  public void logsLittleOfALongScan() {
    List<KeyRange> values = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      values.add(PInteger.INSTANCE.getKeyRange(PInteger.INSTANCE.toBytes(i), SortOrder.ASC));
    }
    byte[] longKey = new byte[30_000];
    Arrays.fill(longKey, (byte) 0xFF);
    RegionInfo planned =
        RegionInfoBuilder.newBuilder(TableName.valueOf("T")).setStartKey(longKey).build();
    Scan scan =
        pruned(planned)
            .setFilter(new SkipScanFilter(List.of(values), SchemaUtil.VAR_BINARY_SCHEMA, false));
    List<String> lines = new ArrayList<>();
    Logger logger = (Logger) LogManager.getLogger(RegionBoundaryCheck.class);
    AbstractAppender appender =
        new AbstractAppender("test", null, null, false, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    logger.addAppender(appender);
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    try {
      assertStale(scan, region("b", "c"));
    } finally {
      logger.removeAppender(appender);
      logger.setLevel(before);
    }
    assertThat(lines).hasSize(1).allMatch(line -> line.length() < 600 && line.contains("'b'"));
  }

  @Test
  public void refusesARegionThatEndsBeforeItStarts() {
    RegionInfo region = region("b", "c");
    Scan scan = pruned(region);
    scan.setAttribute(PlannedRegion.END_ATTRIBUTE, Bytes.toBytes("a"));
    assertThatThrownBy(() -> RegionBoundaryCheck.check(scan, region))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasNoCause()
        .hasMessageContaining("does not name a region");
  }

  private static void assertStale(Scan scan, RegionInfo region) {
    assertStale(scan.toString(), () -> RegionBoundaryCheck.check(scan, region));
  }

  private static void assertStale(String description, ThrowingCallable opening) {
    assertThatThrownBy(opening)
        .as(description)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasCauseInstanceOf(StaleRegionBoundaryCacheException.class)
        .extracting(
            e -> (Throwable) ClientUtil.parseServerException(new IOException(e.getMessage())))
        .isInstanceOf(StaleRegionBoundaryCacheException.class);
  }

  private static void assertThatPhoenixRefuses(Scan scan, RegionInfo region) {
    assertThatThrownBy(() -> preScannerOpen(scan, region))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasCauseInstanceOf(StaleRegionBoundaryCacheException.class);
  }

  private static void preScannerOpen(Scan scan, RegionInfo info) throws IOException {
    preScannerOpen(scan, info, "exact");
  }

  private static void preScannerOpen(Scan scan, RegionInfo info, String mode) throws IOException {
    Configuration configuration = new Configuration(false);
    configuration.set(PruningOptions.MODE, mode);
    Region region = mock(Region.class);
    when(region.getRegionInfo()).thenReturn(info);
    when(region.getReadOnlyConfiguration()).thenReturn(configuration);
    RegionCoprocessorEnvironment environment = mock(RegionCoprocessorEnvironment.class);
    when(environment.getRegion()).thenReturn(region);
    when(environment.getRegionInfo()).thenReturn(info);
    when(environment.getConfiguration()).thenReturn(configuration);
    scan.setAttribute(BaseScannerRegionObserverConstants.NON_AGGREGATE_QUERY, QueryConstants.TRUE);
    new ScanRegionObserver()
        .preScannerOpen(ObserverContextImpl.createAndPrepare(environment), scan);
  }

  /** Returns a scan as a client without pruning plans it. */
  private static Scan stock(RegionInfo planned) {
    Scan scan = new Scan();
    ScanUtil.setLocalIndex(scan);
    ScanUtil.setLocalIndexAttributes(
        scan, 0, planned.getStartKey(), planned.getEndKey(), SUFFIX, SUFFIX);
    return scan;
  }

  /** Reverses {@code scan} as a client with patches does. */
  private static Scan reversed(Scan scan) {
    PatchRequest.set(scan, PatchSet.LOCAL_INDEX);
    ScanUtil.setReversed(scan);
    ScanUtil.setupReverseScan(scan);
    return scan;
  }

  private static Scan pruned(RegionInfo planned) {
    Scan scan = stock(planned);
    PlannedRegion.of(planned).stamp(scan);
    return scan;
  }

  private static RegionInfo region(String start, String end) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .build();
  }
}
