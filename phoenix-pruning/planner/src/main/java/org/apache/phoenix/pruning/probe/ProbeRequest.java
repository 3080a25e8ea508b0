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
package org.apache.phoenix.pruning.probe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * What a client asks a region server: in which of its regions the scans of a local index can find a
 * row.
 *
 * <p>It travels as an attribute of an ordinary scan of one of these regions. A server that does not
 * know the attribute scans that region's first row key, and its answer is no {@link ProbeAnswer}.
 * The idea is Elasticsearch's can_match phase, which asks the shards of a node at once since 7.16.
 */
public final class ProbeRequest {

  /** The attribute of the scan that it travels with. */
  public static final String ATTRIBUTE = "_PruningProbe";

  /** The length of an attribute up to which a server reads it. */
  public static final int MAX_BYTES = 2 << 20;

  /** The number of ranges up to which a server looks at them. */
  public static final int MAX_RANGES = 10_000;

  private static final byte VERSION = 1;

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
   * A request.
   *
   * @param deadlineMillis for so long the server may look
   * @param maxRowBytes so many bytes of rows it may answer with; 0 for none
   * @param scan what each of the scans would be, but for the region and the range of keys
   * @param ranges the region and the range of keys of each scan
   */
  public static ProbeRequest of(
      int deadlineMillis, int maxRowBytes, Scan scan, List<ProbedRange> ranges) throws IOException {
    return new ProbeRequest(deadlineMillis, maxRowBytes, ProtobufUtil.toScan(scan), ranges);
  }

  /** The value of the attribute. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
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
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return bytes.toByteArray();
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
   * @throws IOException if it is none, is longer than {@link #MAX_BYTES}, has more than {@link
   *     #MAX_RANGES}, or carries another request
   */
  public static ProbeRequest read(byte[] attribute) throws IOException {
    if (attribute.length > MAX_BYTES) {
      throw new IOException(
          "the request has " + attribute.length + " bytes, but at most " + MAX_BYTES + " are read");
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(attribute))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IOException("version " + version + " of the request is not known");
      }
      int deadlineMillis = WireFormat.count(in, Integer.MAX_VALUE);
      int maxRowBytes = WireFormat.count(in, Integer.MAX_VALUE);
      ClientProtos.Scan scan = ClientProtos.Scan.parseFrom(WireFormat.read(in));
      if (scan.getAttributeList().stream().anyMatch(pair -> ATTRIBUTE.equals(pair.getName()))) {
        throw new IOException("a request cannot carry another one");
      }
      int count = WireFormat.count(in, MAX_RANGES);
      List<ProbedRange> ranges = new ArrayList<>();
      ProbedRange previous = null;
      for (int i = 0; i < count; i++) {
        previous = ProbedRange.read(in, previous);
        ranges.add(previous);
      }
      return new ProbeRequest(deadlineMillis, maxRowBytes, scan, ranges);
    }
  }

  /** For so many milliseconds the server may look. */
  public int deadlineMillis() {
    return deadlineMillis;
  }

  /** So many bytes of rows the server may answer with; 0 for none. */
  public int maxRowBytes() {
    return maxRowBytes;
  }

  /** The region and the range of keys of each scan. */
  public List<ProbedRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }

  /**
   * What each of the scans would be, but for the region and the range of keys; with filters of its
   * own each time, as these have state.
   */
  public Scan newScan() throws IOException {
    return ProtobufUtil.toScan(scan);
  }

  /** Whether blocks that are read are to be cached. */
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
