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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.CheckAnswer.Status;
import org.apache.phoenix.pruning.protocol.IndexDifference.Kind;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.util.SchemaUtil;
import org.junit.Test;

/**
 * Compares all formats with bytes that were written down once. If a test fails, then clients and
 * servers of different versions no longer understand each other. docs/architecture/wire.md says how
 * a format can be extended.
 */
public class WireFormatTest {

  private static final Path MODULES = Path.of("..");

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  /** Parses hexadecimal digits. Spaces and line breaks separate the fields. */
  private static byte[] hex(String digits) {
    return Bytes.fromHex(digits.replaceAll("\\s", ""));
  }

  private static void assertBytes(byte[] actual, String digits) {
    assertThat(Bytes.toHex(actual)).isEqualTo(digits.replaceAll("\\s", ""));
  }

  private static Scan scan(String attribute, String digits) {
    return new Scan().setAttribute(attribute, hex(digits));
  }

  @Test
  public void keepsTheBytesOfAPlannedRegion() {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
            .setStartKey(bytes("b"))
            .setEndKey(bytes("d"))
            .build();
    Scan scan = new Scan();
    PlannedRegion.of(region).stamp(scan);
    assertThat(scan.getAttributesMap()).hasSize(2);
    assertBytes(scan.getAttribute("_PruningRegionStart"), "62");
    assertBytes(scan.getAttribute("_PruningRegionEnd"), "64");
    assertThat(PlannedRegion.of(scan)).isEqualTo(PlannedRegion.of(region));
  }

  @Test
  public void keepsTheBytesOfADataRowRange() {
    DataRowRange range = DataRowRange.between(bytes("b"), bytes("d"));
    Scan scan = new Scan();
    range.mark(scan);
    assertThat(scan.getAttributesMap()).hasSize(2);
    assertBytes(scan.getAttribute("_PruningDataStart"), "62");
    assertBytes(scan.getAttribute("_PruningDataEnd"), "64");
    assertThat(DataRowRange.of(scan)).isEqualTo(range);
  }

  /** HBase sends the name of the class, and finds the method {@code parseFrom} by its name. */
  @Test
  public void keepsTheBytesOfADataRowFilter() throws Exception {
    assertThat(DataRowFilter.class.getName())
        .isEqualTo("org.apache.phoenix.pruning.protocol.DataRowFilter");
    String golden =
        """
        01 62
        01 64
        00000004
        03 0a0b0c
        02 0d0e
        """;
    DataRowFilter filter = DataRowFilter.parseFrom(hex(golden));
    assertThat(filter).hasToString("DataRowFilter [b, d)");
    assertBytes(filter.toByteArray(), golden);
  }

  @Test
  public void keepsTheBytesOfSeekRanges() throws IOException {
    assertThat(SeekRanges.ATTRIBUTE).isEqualTo("_PhoenixPruningLooseIndexScan");
    KeyRange first = KeyRange.getKeyRange(bytes("a"), true, bytes("c"), false);
    KeyRange second = KeyRange.getKeyRange(bytes("e"), true, bytes("g"), true);
    SkipScanFilter filter =
        new SkipScanFilter(List.of(List.of(first, second)), SchemaUtil.VAR_BINARY_SCHEMA);
    String golden = "0101170100000001fffffffd0261fe630265026700";
    assertBytes(filter.toByteArray(), golden);
    SkipScanFilter read = SeekRanges.read(hex(golden));
    assertThat(read.getSlots()).isEqualTo(filter.getSlots());
    assertBytes(read.toByteArray(), golden);
  }

  @Test
  public void keepsTheBytesOfAPatchRequest() {
    assertThat(PatchRequest.ATTRIBUTE).isEqualTo("_PruningPatches");
    check(PatchSet.ALL, "616c6c");
    check(PatchSet.LOCAL_INDEX, "6c6f63616c2d696e646578");
    check(PatchSet.parse("all,-skip-scan"), "616c6c 2c2d 736b69702d7363616e");
  }

  private static void check(PatchSet patches, String golden) {
    Scan scan = new Scan();
    PatchRequest.set(scan, patches);
    assertBytes(scan.getAttribute("_PruningPatches"), golden);
    assertThat(PatchRequest.of(scan("_PruningPatches", golden))).isEqualTo(patches);
  }

  @Test
  public void keepsTheBytesOfARebuildRequest() {
    Scan scan = new Scan();
    RebuildRequest.set(scan);
    assertBytes(scan.getAttribute("_PruningRebuild"), "0000000000000000");
    assertThat(RebuildRequest.isSet(scan("_PruningRebuild", "0000000000000000"))).isTrue();
  }

  @Test
  public void keepsTheBytesOfAProbeRequest() throws IOException {
    assertThat(ProbeRequest.ATTRIBUTE).isEqualTo("_PruningProbe");
    Scan scan = new Scan().addFamily(bytes("L#0")).setAttribute("a", bytes("b"));
    ProbeRequest request =
        ProbeRequest.of(
            375,
            1_024,
            scan,
            List.of(
                new ProbedRange("r1", bytes("a"), bytes("b")),
                new ProbedRange("r2", bytes("a"), bytes("b")),
                new ProbedRange("r3", bytes("b"), bytes(""))));
    String golden =
        """
        01
        00000177
        00000400
        00000024 0a050a034c2330 12060a0161120162 320c080010ffffffffffffffff7f 3801 4001 b00100
        00000003
        0002 7231 00 00000001 61 00000001 62
        0002 7232 01
        0002 7233 00 00000001 62 00000000
        """;
    assertBytes(request.toBytes(), golden);
    ProbeRequest read = ProbeRequest.read(hex(golden));
    assertBytes(read.toBytes(), golden);
    assertThat(read.deadlineMillis()).isEqualTo(375);
    assertThat(read.maxRowBytes()).isEqualTo(1_024);
    assertThat(read.newScan()).hasToString(scan.toString());
    assertThat(read.ranges())
        .extracting(ProbedRange::toString)
        .containsExactly("[a, b) of r1", "[a, b) of r2", "[b, ) of r3");
    assertThat(ProbeRequest.isNewer(hex("01"))).isFalse();
    assertThat(ProbeRequest.isNewer(hex("02"))).isTrue();
  }

  private static Result answer(String qualifier, String digits) {
    return Result.create(
        List.<Cell>of(
            new KeyValue(bytes("row"), bytes("PhoenixPruning"), bytes(qualifier), 0, hex(digits))));
  }

  @Test
  public void keepsTheBytesOfAProbeAnswer() throws IOException {
    ProbeAnswer answer = ProbeAnswer.of(4);
    answer.setNoRow(1);
    Cell cell = new KeyValue(bytes("k"), bytes("L#0"), bytes("q"), 5, bytes("v"));
    answer.setRows(2, List.of(Result.create(List.of(cell))));
    String golden =
        """
        01
        00
        00000004 00 01 02 00
        00000001
        00000001
        0000001a 00000011 00000001 0001 6b 03 4c2330 71 0000000000000005 04 76
        """;
    Cell sent = answer.toCell(bytes("row"));
    assertThat(CellUtil.matchingColumn(sent, bytes("PhoenixPruning"), bytes("answer"))).isTrue();
    assertBytes(CellUtil.cloneValue(sent), golden);
    ProbeAnswer read = ProbeAnswer.read(answer("answer", golden)).orElseThrow();
    assertThat(read.isRejected()).isFalse();
    assertThat(List.of(read.finding(0), read.finding(1), read.finding(2), read.finding(3)))
        .containsExactly(
            ProbeAnswer.Finding.MAY_MATCH,
            ProbeAnswer.Finding.NO_ROW,
            ProbeAnswer.Finding.ROWS,
            ProbeAnswer.Finding.MAY_MATCH);
    assertThat(read.rowsOf(2)).hasSize(1);
    assertThat(CellUtil.equals(read.rowsOf(2).get(0).rawCells()[0], cell)).isTrue();

    String rejected = "01 01 00000000";
    assertBytes(CellUtil.cloneValue(ProbeAnswer.rejected().toCell(bytes("row"))), rejected);
    assertThat(ProbeAnswer.read(answer("answer", rejected)).orElseThrow().isRejected()).isTrue();
    assertThat(ProbeAnswer.read(answer("answer", "02 00 00000000"))).isEmpty();
  }

  @Test
  public void keepsTheBytesOfACheckRequest() throws IOException {
    assertThat(CheckRequest.ATTRIBUTE).isEqualTo("_PruningCheck");
    assertBytes(
        CheckRequest.of(
                7, 10, bytes("b"), bytes("d"), List.of(), LiteralExpression.newConstant(true))
            .toBytes(),
        """
        01
        00000007
        0000000a
        00000001 62
        00000001 64
        00000000
        00000005 03 02010615
        00000000
        """);
    String golden =
        """
        01
        00000007
        0000000a
        00000001 62
        00000001 64
        00000001 00000002 8001 00000003 0a0b0c
        00000000
        00000001 00000002 00000003 00000fa0
        """;
    CheckRequest read = CheckRequest.read(hex(golden));
    assertBytes(read.toBytes(), golden);
    assertThat(read.seed()).isEqualTo(7);
    assertThat(read.bucketBits()).isEqualTo(10);
    assertBytes(read.regionStart(), "62");
    assertBytes(read.regionEnd(), "64");
    assertThat(read.indexes()).hasSize(1);
    assertBytes(read.indexes().get(0).id(), "8001");
    assertThat(read.newCondition()).isNull();
    assertThat(read.buckets()).containsExactly(new int[] {3, 4_000});
    assertThat(CheckRequest.isNewer(hex("02"))).isTrue();
  }

  @Test
  public void keepsTheBytesOfACheckAnswer() throws IOException {
    CheckAnswer answer =
        CheckAnswer.compared(
            258,
            new long[] {257},
            List.of(new int[] {3, 4_000}),
            List.of(new IndexDifference(0, Kind.STALE, bytes("ik"), bytes("k"))));
    String golden =
        """
        01
        01
        0000000000000102
        00000001 0000000000000101 00000002 00000003 00000fa0
        00000001 00000000 02 00000002 696b 00000001 6b
        """;
    Cell sent = answer.toCell(bytes("row"));
    assertThat(CellUtil.matchingColumn(sent, bytes("PhoenixPruning"), bytes("check"))).isTrue();
    assertBytes(CellUtil.cloneValue(sent), golden);
    CheckAnswer read = CheckAnswer.read(answer("check", golden)).orElseThrow();
    assertBytes(CellUtil.cloneValue(read.toCell(bytes("row"))), golden);
    assertThat(read).hasToString(answer.toString());
    String noEntries = "0000000000000009 00000000 00000000";
    for (Status status : Status.values()) {
      assertBytes(
          CellUtil.cloneValue(CheckAnswer.of(status, 9).toCell(bytes("row"))),
          "01 0" + status.ordinal() + noEntries);
    }
    assertThat(Status.values())
        .containsExactly(Status.PROGRESS, Status.COMPARED, Status.BUSY, Status.OTHER_REGION);
    assertThat(Kind.values()).containsExactly(Kind.MISSING, Kind.EXTRA, Kind.STALE);
  }

  @Test
  public void keepsTheBytesOfAPlanStamp() throws SQLException {
    assertThat(PlanStamp.ATTRIBUTE).isEqualTo("_PhoenixPruningPlan");
    try (Connectionless driver = new Connectionless()) {
      driver.execute("CREATE TABLE WIRE (K INTEGER PRIMARY KEY, V INTEGER, X VARCHAR)");
      driver.execute("CREATE LOCAL INDEX WIRE_V ON WIRE (V)");
      String golden =
          """
          01
          0004 57495245
          ffffffffffffffff
          13e45ef6e295ddcf164d10a32ad48d77
          """;
      byte[] stamp = stamp(driver, "SELECT /*+ NO_INDEX */ K FROM WIRE WHERE V = 1");
      assertBytes(stamp, golden);
      PlanStamp read = PlanStamp.of(scan("_PhoenixPruningPlan", golden));
      assertThat(read.name()).isEqualTo("WIRE");
      Scan scan = new Scan();
      read.mark(scan);
      assertBytes(scan.getAttribute("_PhoenixPruningPlan"), golden);
      assertDigest(
          driver,
          "SELECT /*+ INDEX(WIRE WIRE_V) */ X FROM WIRE WHERE V = 1",
          "851778d99ad51b5e752af6603056df02");
      assertDigest(
          driver,
          "SELECT /*+ INDEX(WIRE WIRE_V) */ V, COUNT(*) FROM WIRE GROUP BY V",
          "92f4d5f3bf16ca07c90196e73273cdc9");
      driver.execute("DROP TABLE WIRE");
    }
  }

  private static void assertDigest(Connectionless driver, String query, String golden)
      throws SQLException {
    byte[] stamp = stamp(driver, query);
    assertBytes(Bytes.copy(stamp, stamp.length - 16, 16), golden);
  }

  private static byte[] stamp(Connectionless driver, String query) throws SQLException {
    try (PreparedStatement statement = driver.connection().prepareStatement(query)) {
      Scan scan = new Scan();
      PlanStamp.of(statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery()).mark(scan);
      return scan.getAttribute("_PhoenixPruningPlan");
    }
  }

  /** Checks that the documentation names all attributes, and that no other package has one. */
  @Test
  public void attributesAreDocumentedAndInThisPackage() throws IOException {
    Pattern literal = Pattern.compile("\"(_P(?:hoenixP)?runing\\w+)\"");
    Set<String> names = new TreeSet<>();
    List<Path> elsewhere = new ArrayList<>();
    for (String module :
        List.of(
            "layout",
            "patches/catalog",
            "patches/client",
            "patches/server",
            "planner",
            "coprocessor")) {
      try (Stream<Path> files = Files.walk(MODULES.resolve(module).resolve("src/main/java"))) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          literal
              .matcher(Files.readString(file))
              .results()
              .forEach(
                  found -> {
                    names.add(found.group(1));
                    if (!file.getParent().endsWith("pruning/protocol")) {
                      elsewhere.add(file);
                    }
                  });
        }
      }
    }
    assertThat(elsewhere).isEmpty();
    assertThat(names).hasSize(10);
    assertThat(Files.readString(Path.of("..", "..", "docs", "architecture", "wire.md")))
        .contains(names);
  }
}
