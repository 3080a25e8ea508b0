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

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;

/**
 * Request of a client to a region server: in which regions of the server can the scans of a local
 * index find a row?
 *
 * <p>The request travels as an attribute of an ordinary scan of one of these regions. A server that
 * does not know the attribute scans the region's first row key, and its result is not a {@link
 * ProbeAnswer}. The idea comes from Elasticsearch's can_match phase, which since 7.16 sends one
 * request for all shards of a node.
 */
public final class ProbeRequest {

  /** Name of the scan attribute that holds the request. */
  public static final String ATTRIBUTE = "_PruningProbe";

  /** Maximum length of the attribute that a server reads, in bytes. */
  public static final int MAX_BYTES = 2 << 20;

  /** Maximum number of ranges that a server accepts in one request. */
  public static final int MAX_RANGES = 10_000;

  private static final byte VERSION = 1;

  /** Attributes of scans that write, or whose result depends on earlier scans. */
  private static final List<String> NOT_READ_ONLY_ATTRIBUTES =
      Collections.unmodifiableList(
          Arrays.asList(
              BaseScannerRegionObserverConstants.ANALYZE_TABLE,
              BaseScannerRegionObserverConstants.DELETE_AGG,
              BaseScannerRegionObserverConstants.DELETE_CF,
              BaseScannerRegionObserverConstants.EMPTY_CF,
              BaseScannerRegionObserverConstants.REBUILD_INDEXES,
              BaseScannerRegionObserverConstants.SCAN_OFFSET,
              BaseScannerRegionObserverConstants.UPGRADE_DESC_ROW_KEY,
              BaseScannerRegionObserverConstants.UPSERT_SELECT_EXPRS,
              BaseScannerRegionObserverConstants.UPSERT_SELECT_TABLE));

  private final int deadlineMillis;
  private final int maxRowBytes;
  private final ClientProtos.Scan scan;
  private final List<ProbedRange> ranges;

  private ProbeRequest(
      int deadlineMillis, int maxRowBytes, ClientProtos.Scan scan, List<ProbedRange> ranges) {
    this.deadlineMillis = deadlineMillis;
    this.maxRowBytes = maxRowBytes;
    this.scan = scan;
    this.ranges = ranges;
  }

  /**
   * Creates a request.
   *
   * @param deadlineMillis how long the server may check the ranges, in milliseconds
   * @param maxRowBytes maximum size of the rows in the answer, in bytes; 0 for no rows
   * @param scan the scan that would be sent for each range, without region and key range
   * @param ranges the region and key range of each scan
   */
  public static ProbeRequest of(
      int deadlineMillis, int maxRowBytes, Scan scan, List<ProbedRange> ranges) throws IOException {
    return new ProbeRequest(deadlineMillis, maxRowBytes, ProtobufUtil.toScan(scan), ranges);
  }

  /** Returns the value of the attribute. */
  public byte[] toBytes() {
    return WireFormat.toBytes(
        out -> {
          out.writeByte(VERSION);
          out.writeInt(deadlineMillis);
          out.writeInt(maxRowBytes);
          WireFormat.write(out, scan.toByteArray());
          out.writeInt(ranges.size());
          ProbedRange previous = null;
          for (ProbedRange range : ranges) {
            range.write(out, previous);
            previous = range;
          }
        });
  }

  /**
   * Returns whether {@code attribute} has a newer format version than this code reads. A server
   * ignores such a request and runs the scan, as a server without this feature does.
   */
  public static boolean isNewer(byte[] attribute) {
    return attribute.length > 0 && attribute[0] > VERSION;
  }

  /**
   * Reads the value of the attribute.
   *
   * @throws IOException if the value is not a request, or exceeds one of the limits of this class.
   *     Also if it carries another request, or asks for the rows of a scan that is not read-only
   */
  public static ProbeRequest read(byte[] attribute) throws IOException {
    try (DataInputStream in = WireFormat.openRequest(attribute, MAX_BYTES, VERSION)) {
      int deadlineMillis = WireFormat.readCount(in, Integer.MAX_VALUE);
      int maxRowBytes = WireFormat.readCount(in, Integer.MAX_VALUE);
      ClientProtos.Scan scan = ClientProtos.Scan.parseFrom(WireFormat.read(in));
      Set<String> attributes =
          scan.getAttributeList().stream().map(NameBytesPair::getName).collect(Collectors.toSet());
      if (attributes.contains(ATTRIBUTE)
          || attributes.contains(CheckRequest.ATTRIBUTE)
          || attributes.contains(RebuildRequest.ATTRIBUTE)) {
        throw new IOException("a request cannot carry another one");
      }
      if (maxRowBytes > 0 && !isReadOnly(attributes)) {
        throw new IOException("a scan that is not read-only cannot return rows");
      }
      int count = WireFormat.readCount(in, MAX_RANGES);
      List<ProbedRange> ranges = new ArrayList<>();
      ProbedRange previous = null;
      for (int i = 0; i < count; i++) {
        previous = ProbedRange.read(in, previous);
        ranges.add(previous);
      }
      return new ProbeRequest(deadlineMillis, maxRowBytes, scan, ranges);
    }
  }

  /** Returns whether a scan with {@code attributes} only reads, independently of other scans. */
  public static boolean isReadOnly(Set<String> attributes) {
    return Collections.disjoint(attributes, NOT_READ_ONLY_ATTRIBUTES) && !buildsIndex(attributes);
  }

  /**
   * Returns whether a scan with {@code attributes} writes the rows of a local index.
   *
   * <p>Such a scan reads the data table and has the attribute {@code LOCAL_INDEX_BUILD}. Phoenix
   * also sends this attribute with each read-only scan of a local index that looks up data columns.
   * Phoenix's servers use the same test to distinguish the two.
   */
  static boolean buildsIndex(Set<String> attributes) {
    return attributes.contains(BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD)
        && !attributes.contains(BaseScannerRegionObserverConstants.LOCAL_INDEX);
  }

  /** Returns how long the server may check the ranges, in milliseconds. */
  public int deadlineMillis() {
    return deadlineMillis;
  }

  /** Returns the maximum size of the rows in the answer, in bytes; 0 for no rows. */
  public int maxRowBytes() {
    return maxRowBytes;
  }

  /** Returns the region and key range of each scan. */
  public List<ProbedRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }

  /**
   * Returns the scan that would be sent for each range, without region and key range. Each call
   * creates new filters, because filters have state.
   */
  public Scan newScan() throws IOException {
    return ProtobufUtil.toScan(scan);
  }

  /** Returns whether blocks that are read are added to the block cache. */
  public boolean cacheBlocks() {
    return scan.getCacheBlocks();
  }

  @Override
  public String toString() {
    return "probe of "
        + ranges.size()
        + " ranges within "
        + deadlineMillis
        + " ms, with up to "
        + maxRowBytes
        + " bytes of rows";
  }
}
