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

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.jspecify.annotations.Nullable;

/**
 * Request of a client to a region: do the local indexes agree with their table in this region?
 *
 * <p>The request travels as an attribute of an ordinary scan of the whole region. A server that
 * does not know the attribute runs the scan, and its result is not a {@link CheckAnswer}.
 *
 * <p>The entries of an index are divided into buckets by a hash of their keys. A request without
 * buckets asks which buckets differ. A request with buckets asks for the entries that differ in
 * these buckets.
 */
public final class CheckRequest {

  /** Name of the scan attribute that holds the request. */
  public static final String ATTRIBUTE = "_PruningCheck";

  /** Maximum length of the attribute that a server reads, in bytes. */
  public static final int MAX_BYTES = 2 << 20;

  /** Maximum number of indexes in one request. */
  public static final int MAX_INDEXES = 64;

  /** Maximum number of buckets of all indexes in one request. */
  public static final int MAX_BUCKETS = 1 << 16;

  /** Maximum number of bits of a hash that select the bucket. */
  public static final int MAX_BUCKET_BITS = 30;

  private static final byte VERSION = 1;

  /** An index as the request describes it. */
  public static final class Index {

    private final byte[] id;
    private final byte[] maintainer;

    private Index(byte[] id, byte[] maintainer) {
      this.id = id;
      this.maintainer = maintainer;
    }

    /** Describes {@code index}, a local index of {@code dataTable}. */
    public static Index of(PTable dataTable, PTable index, PhoenixConnection connection)
        throws SQLException {
      return new Index(
          index.getviewIndexIdType().toBytes(index.getViewIndexId()),
          IndexRowKeys.serializeMaintainer(dataTable, index, connection));
    }

    /** Returns the index id in the keys of the entries. */
    public byte[] id() {
      return id;
    }

    /**
     * Returns Phoenix's code that computes the entries. Each call returns a new object, because its
     * expressions have state.
     *
     * @throws IOException if the request does not describe a local index
     */
    public IndexMaintainer newMaintainer() throws IOException {
      return IndexRowKeys.readMaintainer(maintainer);
    }
  }

  private final int seed;
  private final int bucketBits;
  private final byte[] regionStart;
  private final byte[] regionEnd;
  private final List<Index> indexes;
  private final byte[] condition;
  private final List<int[]> buckets;

  private CheckRequest(
      int seed,
      int bucketBits,
      byte[] regionStart,
      byte[] regionEnd,
      List<Index> indexes,
      byte[] condition,
      List<int[]> buckets) {
    this.seed = seed;
    this.bucketBits = bucketBits;
    this.regionStart = regionStart;
    this.regionEnd = regionEnd;
    this.indexes = indexes;
    this.condition = condition;
    this.buckets = buckets;
  }

  /**
   * Creates a request for the buckets that differ.
   *
   * @param seed start value of all hashes; any number
   * @param bucketBits number of bits of a hash that select the bucket
   * @param condition condition of the view whose indexes are compared, or null for a table
   */
  public static CheckRequest of(
      int seed,
      int bucketBits,
      byte[] regionStart,
      byte[] regionEnd,
      List<Index> indexes,
      @Nullable Expression condition) {
    return new CheckRequest(
        seed,
        bucketBits,
        regionStart,
        regionEnd,
        indexes,
        serialize(condition),
        Collections.<int[]>emptyList());
  }

  /**
   * Returns a request for the entries that differ.
   *
   * @param bits number of bits of a hash that select the bucket
   * @param buckets the buckets of each index
   */
  public CheckRequest withBuckets(int bits, List<int[]> buckets) {
    return new CheckRequest(seed, bits, regionStart, regionEnd, indexes, condition, buckets);
  }

  private static byte[] serialize(@Nullable Expression condition) {
    return condition == null
        ? new byte[0]
        : WireFormat.toBytes(
            out -> {
              WritableUtils.writeVInt(out, ExpressionType.valueOf(condition).ordinal());
              condition.write(out);
            });
  }

  /** Returns the value of the attribute. */
  public byte[] toBytes() {
    return WireFormat.toBytes(
        out -> {
          out.writeByte(VERSION);
          out.writeInt(seed);
          out.writeInt(bucketBits);
          WireFormat.write(out, regionStart);
          WireFormat.write(out, regionEnd);
          out.writeInt(indexes.size());
          for (Index index : indexes) {
            WireFormat.write(out, index.id);
            WireFormat.write(out, index.maintainer);
          }
          WireFormat.write(out, condition);
          out.writeInt(buckets.size());
          for (int[] ofIndex : buckets) {
            WireFormat.write(out, ofIndex);
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
   * @throws IOException if the value is not a request, or exceeds one of the limits of this class
   */
  public static CheckRequest read(byte[] attribute) throws IOException {
    try (DataInputStream in = WireFormat.openRequest(attribute, MAX_BYTES, VERSION)) {
      int seed = in.readInt();
      int bucketBits = WireFormat.readCount(in, MAX_BUCKET_BITS);
      byte[] regionStart = WireFormat.read(in);
      byte[] regionEnd = WireFormat.read(in);
      int count = WireFormat.readCount(in, MAX_INDEXES);
      List<Index> indexes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        indexes.add(new Index(WireFormat.read(in), WireFormat.read(in)));
      }
      byte[] condition = WireFormat.read(in);
      List<int[]> buckets = new ArrayList<>();
      int lists = WireFormat.readCount(in, count);
      int left = MAX_BUCKETS;
      for (int i = 0; i < lists; i++) {
        buckets.add(WireFormat.readInts(in, left));
        left -= buckets.get(i).length;
      }
      if (lists == 0 ? (long) count << bucketBits > MAX_BUCKETS : lists != count) {
        throw new IOException(
            "the request has "
                + count
                + " indexes, "
                + bucketBits
                + " bits and "
                + lists
                + " lists of buckets. Expected at most "
                + MAX_BUCKETS
                + " buckets, or a list for each index");
      }
      return new CheckRequest(
          seed, bucketBits, regionStart, regionEnd, indexes, condition, buckets);
    }
  }

  /** Returns the start value of all hashes. */
  public int seed() {
    return seed;
  }

  /** Returns the number of bits of a hash that select the bucket. */
  public int bucketBits() {
    return bucketBits;
  }

  /** Returns the inclusive start key of the region; empty for the first region. */
  public byte[] regionStart() {
    return regionStart;
  }

  /** Returns the exclusive end key of the region; empty for the last region. */
  public byte[] regionEnd() {
    return regionEnd;
  }

  public List<Index> indexes() {
    return Collections.unmodifiableList(indexes);
  }

  /**
   * Returns the condition that the rows of a view satisfy, or null if the indexes are those of a
   * table. Each call returns a new object, because expressions have state.
   *
   * <p>Phoenix's expressions trust the lengths that they read. This adds no new risk, because
   * Phoenix's own filters also read expressions from clients.
   */
  public @Nullable Expression newCondition() throws IOException {
    if (condition.length == 0) {
      return null;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(condition))) {
      Expression expression = ExpressionType.values()[WritableUtils.readVInt(in)].newInstance();
      expression.readFields(in);
      return expression;
    } catch (RuntimeException e) {
      throw new IOException("These bytes do not describe the condition of a view: " + e, e);
    }
  }

  /**
   * Returns the buckets of each index whose entries are requested. Empty if the request asks which
   * buckets differ.
   */
  public List<int[]> buckets() {
    return Collections.unmodifiableList(buckets);
  }

  @Override
  public String toString() {
    return "check of "
        + indexes.size()
        + " indexes in the region from "
        + Bytes.toStringBinary(regionStart)
        + (buckets.isEmpty() ? "" : ", buckets " + Arrays.deepToString(buckets.toArray()));
  }
}
