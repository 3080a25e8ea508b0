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
package io.phoenixpruning.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

public class TuneReportTest {

  private static ColumnFamilyDescriptor family(
      String name, DataBlockEncoding encoding, Compression.Algorithm compression) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name))
        .setDataBlockEncoding(encoding)
        .setCompressionType(compression)
        .build();
  }

  private static List<String> report(ColumnFamilyDescriptor... families) {
    return report(EnumSet.of(Compression.Algorithm.GZ, Compression.Algorithm.ZSTD), families);
  }

  private static List<String> report(
      Set<Compression.Algorithm> codecs, ColumnFamilyDescriptor... families) {
    return new TuneReport("S.T", "S:T", 1_000, StorageSetting.of(families, codecs))
        .text(Help.defaultColorScheme(Ansi.OFF))
        .lines()
        .toList();
  }

  @Test
  public void isEmptyIfAllSettingsAreGood() {
    assertThat(
            report(
                family("0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.ZSTD),
                family("L#0", DataBlockEncoding.FAST_DIFF, Compression.Algorithm.ZSTD)))
        .containsExactly(
            "S.T, 1,000 regions",
            "  family  setting              now           recommended",
            "  0       DATA_BLOCK_ENCODING  ROW_INDEX_V1  as it is",
            "  0       COMPRESSION          ZSTD          as it is",
            "  0       BLOCKCACHE           true          as it is",
            "  L#0     DATA_BLOCK_ENCODING  FAST_DIFF     as it is",
            "  L#0     COMPRESSION          ZSTD          as it is",
            "  L#0     BLOCKCACHE           true          as it is",
            "",
            "Nothing to change.");
  }

  @Test
  public void leavesOtherFastCodecs() {
    assertThat(report(family("0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.SNAPPY)))
        .contains("Nothing to change.");
    assertThat(report(family("0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.LZ4)))
        .contains("Nothing to change.");
  }

  @Test
  public void changesDataFamiliesInSqlAndIndexesInTheShell() {
    assertThat(
            report(
                family("0", DataBlockEncoding.FAST_DIFF, Compression.Algorithm.ZSTD),
                family("f", DataBlockEncoding.NONE, Compression.Algorithm.GZ),
                family("L#0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.NONE)))
        .containsSequence(
            "-- Nothing was changed. To make the changes, run:",
            "ALTER TABLE S.T SET \"0\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1';",
            "ALTER TABLE S.T SET \"f\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1';",
            "ALTER TABLE S.T SET \"f\".COMPRESSION = 'ZSTD';",
            "-- SQL cannot set the family of local indexes or compact. In HBase's shell:",
            "-- alter 'S:T', {NAME => 'L#0', DATA_BLOCK_ENCODING => 'FAST_DIFF', COMPRESSION => 'ZSTD'}",
            "-- major_compact 'S:T'");
  }

  @Test
  public void namesNoFamilyIfThereIsOneDataFamily() {
    assertThat(
            report(
                family("0", DataBlockEncoding.FAST_DIFF, Compression.Algorithm.ZSTD),
                family("L#0", DataBlockEncoding.FAST_DIFF, Compression.Algorithm.ZSTD)))
        .contains("ALTER TABLE S.T SET DATA_BLOCK_ENCODING = 'ROW_INDEX_V1';");
  }

  @Test
  public void leavesAnotherFamilyAsItIs() {
    assertThat(
            report(
                family("0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.NONE),
                family("f", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.SNAPPY)))
        .contains("  f       COMPRESSION          SNAPPY        as it is")
        .filteredOn(line -> line.startsWith("ALTER"))
        .containsExactly("ALTER TABLE S.T SET \"0\".COMPRESSION = 'ZSTD';");
  }

  @Test
  public void recommendsNoCodecThatServersMayLack() {
    List<String> report =
        report(
            EnumSet.of(Compression.Algorithm.GZ),
            family("0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.NONE),
            family("L#0", DataBlockEncoding.FAST_DIFF, Compression.Algorithm.GZ));
    assertThat(report)
        .contains("  0       COMPRESSION          NONE          as it is", "Nothing to change.")
        .noneMatch(line -> line.startsWith("ALTER"))
        .endsWith(
            "-- COMPRESSION = 'ZSTD' would make files smaller, but no table of this cluster uses it,"
                + " so its",
            "-- codec may be missing. Check each server: hbase"
                + " org.apache.hadoop.hbase.util.CompressionTest");
  }

  @Test
  public void explainsWhyACacheIsNeeded() {
    ColumnFamilyDescriptor uncached =
        ColumnFamilyDescriptorBuilder.newBuilder(
                family("0", DataBlockEncoding.ROW_INDEX_V1, Compression.Algorithm.ZSTD))
            .setBlockCacheEnabled(false)
            .build();
    assertThat(report(uncached))
        .contains("  0       BLOCKCACHE           false         true")
        .contains(
            "  BLOCKCACHE of 0: without the block cache, each lookup reads its blocks from files")
        .contains("ALTER TABLE S.T SET BLOCKCACHE = 'true';");
  }
}
