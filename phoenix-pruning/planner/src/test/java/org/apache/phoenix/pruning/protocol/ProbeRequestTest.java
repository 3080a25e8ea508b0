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
package org.apache.phoenix.pruning.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import com.carrotsearch.randomizedtesting.RandomizedTest;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope.Scope;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.util.ScanUtil;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests that a request arrives as the client sent it, and that bytes of no request are refused.
 *
 * <p>{@code -Dtests.seed=} and {@code -Dtests.cases=} work as in RegionWalkRandomTest.
 */
@RunWith(RandomizedRunner.class)
@ThreadLeakScope(Scope.NONE)
public class ProbeRequestTest extends RandomizedTest {

  private static final int CASES = Integer.getInteger("tests.cases", 20_000);

  private static final byte[] NONE = {};
  private static final int OFFSET_AFTER_SCAN_LENGTH = 1 + 3 * Integer.BYTES;

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  private static ProbedRange range(String region, String start, String stop) {
    return new ProbedRange(region, Bytes.toBytes(start), Bytes.toBytes(stop));
  }

  private static Scan scan() {
    Scan scan = new Scan().addFamily(Bytes.toBytes("L#0")).setFilter(new PageFilter(7));
    return scan.setAttribute("a", Bytes.toBytes("b")).setCacheBlocks(false);
  }

  private static ProbeRequest request(ProbedRange... ranges) throws IOException {
    return ProbeRequest.of(375, 1_024, scan(), Arrays.asList(ranges));
  }

  private static byte[] genuine() throws IOException {
    return request(range("r1", "a", "b"), range("r2", "a", "b"), range("r3", "b", "")).toBytes();
  }

  /**
   * Returns a comparable text of each range. ProbedRange has no equals method because only tests
   * compare ranges, and its own text shortens long keys.
   */
  private static List<String> strings(List<ProbedRange> ranges) {
    return ranges.stream()
        .map(
            range ->
                String.format(
                    "[%s, %s) of %s",
                    Bytes.toStringBinary(range.start()),
                    Bytes.toStringBinary(range.stop()),
                    range.region()))
        .collect(Collectors.toList());
  }

  @Test
  public void arrivesAsItWasSent() throws IOException {
    ProbeRequest read = ProbeRequest.read(genuine());
    assertThat(read.deadlineMillis()).isEqualTo(375);
    assertThat(read.maxRowBytes()).isEqualTo(1_024);
    assertThat(strings(read.ranges()))
        .containsExactly("[a, b) of r1", "[a, b) of r2", "[b, ) of r3");
    assertThat(ProtobufUtil.toScan(read.newScan())).isEqualTo(ProtobufUtil.toScan(scan()));
    assertThat(read.newScan().getFilter()).isNotSameAs(read.newScan().getFilter());
    assertThat(read.cacheBlocks()).isFalse();
    assertThat(read).hasToString("probe of 3 ranges within 375 ms, with up to 1024 bytes of rows");
  }

  @Test
  public void arrivesWithAnyRanges() throws IOException {
    for (int i = 0; i < 500; i++) {
      List<ProbedRange> ranges = new ArrayList<>();
      for (int n = randomIntBetween(0, 30); n > 0; n--) {
        ranges.add(
            range(
                randomAsciiOfLength(32),
                randomFrom(Arrays.asList("", "a", randomAsciiOfLengthBetween(0, 50))),
                randomFrom(Arrays.asList("", "b", randomAsciiOfLengthBetween(0, 50)))));
      }
      ProbeRequest sent =
          ProbeRequest.of(
              randomIntBetween(0, Integer.MAX_VALUE),
              randomIntBetween(0, Integer.MAX_VALUE),
              scan(),
              ranges);
      ProbeRequest read = ProbeRequest.read(sent.toBytes());
      assertThat(strings(read.ranges())).as("case %s", i).isEqualTo(strings(ranges));
      assertThat(read).as("case %s", i).hasToString(sent.toString());
    }
  }

  /**
   * The keys are usually the same in all regions, so the keys of 1,000 ranges are sent only once.
   */
  @Test
  public void sendsTheSameKeysOnce() throws IOException {
    ProbedRange[] ranges = new ProbedRange[1_000];
    Arrays.fill(ranges, range("0123456789abcdef0123456789abcdef", "the start", "the end"));
    int perRange = request(ranges).toBytes().length / ranges.length;
    assertThat(perRange).isLessThanOrEqualTo(Short.BYTES + 32 + 1);
  }

  @Test
  public void refusesAnotherVersion() throws IOException {
    byte[] genuine = genuine();
    for (byte version : new byte[] {0, 2, -1, Byte.MAX_VALUE}) {
      genuine[0] = version;
      softly
          .assertThatThrownBy(() -> ProbeRequest.read(genuine))
          .as("version %s", version)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("version " + version);
    }
  }

  @Test
  public void refusesTruncatedBytes() throws IOException {
    byte[] genuine = genuine();
    for (int length = 0; length < genuine.length; length++) {
      byte[] cut = Arrays.copyOf(genuine, length);
      softly
          .assertThatThrownBy(() -> ProbeRequest.read(cut))
          .as("%s bytes", length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  public void refusesLengthsThatExceedTheBytes() throws IOException {
    byte[] genuine = genuine();
    int scanLength = Bytes.toInt(genuine, OFFSET_AFTER_SCAN_LENGTH - Integer.BYTES);
    int[] places = {
      1,
      1 + Integer.BYTES,
      OFFSET_AFTER_SCAN_LENGTH - Integer.BYTES,
      OFFSET_AFTER_SCAN_LENGTH + scanLength
    };
    for (int place : places) {
      for (int length : new int[] {-1, Integer.MIN_VALUE}) {
        byte[] forged = genuine.clone();
        Bytes.putInt(forged, place, length);
        softly
            .assertThatThrownBy(() -> ProbeRequest.read(forged))
            .as("%s at %s", length, place)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("a length is " + length);
      }
    }
    int[] bounds = {genuine.length - places[2] - Integer.BYTES, ProbeRequest.MAX_RANGES};
    for (int i = 0; i < bounds.length; i++) {
      int bound = bounds[i];
      int place = places[2 + i];
      for (int length : new int[] {Integer.MAX_VALUE, bound + 1}) {
        byte[] forged = genuine.clone();
        Bytes.putInt(forged, place, length);
        softly
            .assertThatThrownBy(() -> ProbeRequest.read(forged))
            .as("%s at %s", length, place)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(length + ". Expected 0 to " + bound);
      }
    }
  }

  @Test
  public void refusesAFirstRangeThatRefersToOneBefore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(Arrays.copyOf(request().toBytes(), request().toBytes().length - Integer.BYTES));
    out.writeInt(1);
    out.writeUTF("r1");
    out.writeBoolean(true);
    assertThatThrownBy(() -> ProbeRequest.read(bytes.toByteArray()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the first range refers to a previous range");
  }

  /**
   * Returns a request with the shortest possible ranges: the region has no name, and the keys are
   * those of the previous range.
   *
   * @param count number of ranges that the request claims to have
   * @param ranges number of ranges that the request has
   */
  private static byte[] withRanges(Scan scan, int count, int ranges) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    byte[] none = ProbeRequest.of(375, 1_024, scan, Collections.emptyList()).toBytes();
    out.write(none, 0, none.length - Integer.BYTES);
    out.writeInt(count);
    for (int i = 0; i < ranges; i++) {
      out.writeUTF("");
      out.writeBoolean(i > 0);
      if (i == 0) {
        out.writeInt(0);
        out.writeInt(0);
      }
    }
    return bytes.toByteArray();
  }

  private static long allocated(byte[] attribute, String refusal) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    String message = null;
    try {
      ProbeRequest.read(attribute);
    } catch (IOException e) {
      message = e.getMessage();
    }
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    if (refusal == null) {
      assertThat(message).isNull();
    } else {
      assertThat(message).contains(refusal);
    }
    return bytes;
  }

  @Test
  public void allocatesLittleForRefusedBytes() throws IOException {
    int most = ProbeRequest.MAX_BYTES;
    byte[] manyRanges = withRanges(scan(), 10_000_000, 10_000_000);
    assertThat(manyRanges).hasSizeGreaterThan(30_000_000);
    byte[] countOnly = withRanges(scan(), 10_000_000, 0);
    byte[] fits = withRanges(scan(), 600_000, 600_000);
    assertThat(fits).hasSizeBetween(most / 2, most);
    // Loads the classes before memory is measured.
    allocated(withRanges(scan(), 1, 1), null);
    assertThat(allocated(manyRanges, "the request has " + manyRanges.length + " bytes"))
        .isLessThan(64 << 10);
    assertThat(allocated(countOnly, "a length is 10000000")).isLessThan(64 << 10);
    assertThat(allocated(fits, "a length is 600000")).isLessThan(64 << 10);
  }

  @Test
  public void allocatesAFewTimesTheSizeOfTheRequest() throws IOException {
    byte[] ranges = withRanges(scan(), ProbeRequest.MAX_RANGES, ProbeRequest.MAX_RANGES);
    allocated(ranges, null);
    assertThat(allocated(ranges, null)).isLessThan(4 << 20);
    Scan large = scan().setAttribute("large", new byte[ProbeRequest.MAX_BYTES - 1_024]);
    byte[] longest = withRanges(large, 1, 1);
    assertThat(allocated(longest, null)).isLessThan(4L * ProbeRequest.MAX_BYTES);
  }

  @Test
  public void refusesARequestWithinARequest() throws IOException {
    for (String request :
        new String[] {ProbeRequest.ATTRIBUTE, CheckRequest.ATTRIBUTE, RebuildRequest.ATTRIBUTE}) {
      Scan nested = scan().setAttribute(request, genuine());
      byte[] forged = withRanges(nested, 1, 1);
      softly
          .assertThatThrownBy(() -> ProbeRequest.read(forged))
          .as(request)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a request cannot carry another one");
    }
  }

  /** Tests scans that write. A client asks for the rows of read-only scans only. */
  @Test
  public void refusesToReturnRowsOfAScanThatWrites() throws IOException {
    for (String attribute :
        new String[] {
          BaseScannerRegionObserverConstants.DELETE_AGG,
          BaseScannerRegionObserverConstants.UPSERT_SELECT_TABLE,
          BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD
        }) {
      Scan writing = scan().setAttribute(attribute, Bytes.toBytes(1));
      byte[] forged = ProbeRequest.of(375, 1, writing, Collections.emptyList()).toBytes();
      softly
          .assertThatThrownBy(() -> ProbeRequest.read(forged))
          .as(attribute)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a scan that is not read-only cannot return rows");
      byte[] withoutRows = ProbeRequest.of(375, 0, writing, Collections.emptyList()).toBytes();
      softly.assertThatCode(() -> ProbeRequest.read(withoutRows)).doesNotThrowAnyException();
    }
  }

  /** Tests scans with a maintainer: without an index, they build it. */
  @Test
  public void aScanOfTheIndexWithAMaintainerIsReadOnly() {
    Scan scan = new Scan().setAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD, NONE);
    assertThat(ProbeRequest.isReadOnly(scan.getAttributesMap().keySet())).isFalse();
    ScanUtil.setLocalIndex(scan);
    assertThat(ProbeRequest.isReadOnly(scan.getAttributesMap().keySet())).isTrue();
    assertThat(ProbeRequest.isReadOnly(Collections.emptySet())).isTrue();
  }

  @Test
  public void refusesEmptyBytes() {
    assertThatThrownBy(() -> ProbeRequest.read(NONE)).isInstanceOf(EOFException.class);
  }

  /** Any other exception or error, such as running out of memory, fails the test. */
  @Test
  public void refusesOrReadsChangedBytes() throws IOException {
    byte[] genuine = genuine();
    int refused = 0;
    int read = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] forged = genuine.clone();
      for (int changes = randomIntBetween(1, 4); changes > 0; changes--) {
        forged[randomIntBetween(0, forged.length - 1)] = randomByte();
      }
      try {
        assertThat(ProbeRequest.read(forged).ranges().size()).isLessThan(forged.length);
        read++;
      } catch (IOException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("case " + i + ": " + Bytes.toStringBinary(forged), e);
      }
    }
    assertThat(refused).isPositive();
    assertThat(read).isPositive();
  }

  @Test
  public void rangesCannotBeChanged() throws IOException {
    assertThatThrownBy(() -> ProbeRequest.read(genuine()).ranges().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(ProbeRequest.of(1, 0, scan(), Collections.emptyList()).ranges()).isEmpty();
  }
}
