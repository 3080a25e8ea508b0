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

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toList;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.aggregator.ClientAggregators;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.jspecify.annotations.Nullable;

/**
 * Stamp that identifies the plan of a scan: the table or index that is read, and a digest of how
 * the plan decodes the rows. A plan with an equal stamp can read the scan, even if another process
 * made the scan.
 *
 * <p>Format of the attribute:
 *
 * <ol>
 *   <li>the version (1 byte), which is 1
 *   <li>the number of bytes of the name (2 bytes)
 *   <li>the name in UTF-8
 *   <li>the id of the index in the physical table (8 bytes), or -1 if it has none
 *   <li>the first 16 bytes of a SHA-256 digest
 * </ol>
 *
 * <p>The digest covers what determines the bytes of a row:
 *
 * <ul>
 *   <li>the columns of the key
 *   <li>the columns that are joined from data rows or projected by position
 *   <li>the groups and the aggregates
 * </ul>
 *
 * <p>The digest excludes values, because {@code CURRENT_DATE()} has another value in each process.
 * It also excludes columns that are read by name, because readers may project only some of these
 * columns.
 */
public final class PlanStamp {

  /** Name of the scan attribute. The name and the format never change. */
  public static final String ATTRIBUTE = "_PhoenixPruningPlan";

  private static final byte VERSION = 1;
  private static final int DIGEST_BYTES = 16;
  private static final long NO_ID = -1;

  private final String name;
  private final long indexId;
  private final byte[] digest;
  private final byte[] bytes;

  private PlanStamp(String name, long indexId, byte[] digest) {
    this.name = name;
    this.indexId = indexId;
    this.digest = digest;
    this.bytes = toBytes(name, indexId, digest);
  }

  /** Returns the stamp of {@code plan} and of the scans that it makes. */
  public static PlanStamp of(QueryPlan plan) {
    PTable table = plan.getTableRef().getTable();
    return new PlanStamp(name(table), indexId(table), digest(plan));
  }

  /**
   * Returns the stamp of {@code scan}, or null if it has none.
   *
   * @throws SQLException if the stamp has a format that this version does not know
   */
  public static @Nullable PlanStamp of(Scan scan) throws SQLException {
    byte[] bytes = scan.getAttribute(ATTRIBUTE);
    if (bytes == null) {
      return null;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = in.readByte();
      if (version == VERSION) {
        byte[] name = new byte[in.readUnsignedShort()];
        in.readFully(name);
        long indexId = in.readLong();
        byte[] digest = new byte[DIGEST_BYTES];
        in.readFully(digest);
        return new PlanStamp(new String(name, UTF_8), indexId, digest);
      }
      throw unreadable("its version is " + version + ". Expected " + VERSION);
    } catch (IOException e) {
      throw unreadable("its length is " + bytes.length + ", which is too short");
    }
  }

  private static SQLException unreadable(String why) {
    return new SQLException(
        "Attribute "
            + ATTRIBUTE
            + " of a scan cannot be read: "
            + why
            + ". Use the same version of the client jar to plan and to read scans");
  }

  private static String name(PTable table) {
    return String.valueOf(table.getName());
  }

  private static long indexId(PTable table) {
    return table.getViewIndexId() == null ? NO_ID : table.getViewIndexId();
  }

  private static byte[] toBytes(String name, long indexId, byte[] digest) {
    return WireFormat.toBytes(
        out -> {
          byte[] encoded = name.getBytes(UTF_8);
          out.writeByte(VERSION);
          out.writeShort(encoded.length);
          out.write(encoded);
          out.writeLong(indexId);
          out.write(digest);
        });
  }

  private static byte[] digest(QueryPlan plan) {
    PTable table = plan.getTableRef().getTable();
    byte[] structure =
        WireFormat.toBytes(
            out -> {
              out.writeUTF(String.valueOf(table.getPhysicalName()));
              out.writeUTF(table.getEncodingScheme() + " " + table.getImmutableStorageScheme());
              writeColumns(table.getPKColumns(), out);
              writeColumns(
                  table.getType() == PTableType.PROJECTED
                      ? table.getColumns()
                      : Collections.emptyList(),
                  out);
              Map<PColumn, Integer> joined = plan.getContext().getDataColumnsMap();
              writeColumns(
                  joined.keySet().stream()
                      .sorted(Comparator.comparing(joined::get))
                      .collect(toList()),
                  out);
              writeStructure(plan.getGroupBy().getExpressions(), out);
              ClientAggregators aggregators =
                  plan.getContext().getAggregationManager().getAggregators();
              writeStructure(
                  aggregators == null
                      ? Collections.emptyList()
                      : Arrays.asList(aggregators.getFunctions()),
                  out);
            });
    try {
      return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(structure), DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static void writeColumns(Collection<PColumn> columns, DataOutputStream out)
      throws IOException {
    out.writeInt(columns.size());
    for (PColumn column : columns) {
      out.writeUTF(column.getFamilyName() + " " + column.getName());
      out.writeUTF(column.getDataType() + " " + column.getSortOrder());
      out.writeUTF(column.getMaxLength() + " " + column.isNullable());
    }
  }

  private static void writeStructure(
      Collection<? extends Expression> expressions, DataOutputStream out) throws IOException {
    out.writeInt(expressions.size());
    for (Expression expression : expressions) {
      out.writeUTF(expression.getClass().getName());
      out.writeUTF(expression.getDataType() + " " + expression.getSortOrder());
      if (expression instanceof ColumnExpression) {
        // Written as for a server: with its position in the key, or its family and qualifier.
        expression.write(out);
      }
      writeStructure(expression.getChildren(), out);
    }
  }

  /** Adds this stamp to {@code scan}. All scans of a plan share one array. */
  public void mark(Scan scan) {
    scan.setAttribute(ATTRIBUTE, bytes);
  }

  /**
   * Returns whether {@code table} is the table or index of this stamp, and not a newer one with the
   * same name.
   */
  public boolean isOf(PTable table) {
    return name.equals(name(table)) && indexId == indexId(table);
  }

  /** Returns the name of the table or index, as users know it. */
  public String name() {
    return name;
  }

  /** Describes why a plan with this stamp cannot read a scan with the stamp {@code planned}. */
  public String differenceFrom(PlanStamp planned) {
    if (!name.equals(planned.name)) {
      return "for " + planned.name + ", but this reader has compiled its statement for " + name;
    }
    return indexId == planned.indexId
        ? "for other columns or groups of " + name + " than this reader has compiled"
        : "for an earlier index " + name + " than the one that this reader has found";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlanStamp && Arrays.equals(bytes, ((PlanStamp) other).bytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, indexId, Arrays.hashCode(digest));
  }

  @Override
  public String toString() {
    return indexId == NO_ID ? name : name + " (index " + indexId + ")";
  }
}
