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
package io.phoenixpruning.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.ClusterTest;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests the advice of {@code pruning tune}, and that it can be followed. */
public class TuneIT extends ClusterTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A printed command of HBase's shell that changes one family. */
  private static final Pattern ALTER =
      Pattern.compile("-- alter '(\\w+)', \\{NAME => '(L#\\w+)'((?:, \\w+ => '\\w+')+)\\}");

  private static final Pattern SETTING = Pattern.compile(", (\\w+) => '(\\w+)'");

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private static String url() {
    return "jdbc:phoenix:localhost:" + getUtility().getZkCluster().getClientPort();
  }

  private static PruningRun tune(String table) {
    return PruningRun.of("tune", "--url", url(), table);
  }

  @Test
  public void recommendsChangesUntilTheyAreMade() throws Exception {
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, \"f\".X VARCHAR) COMPRESSION = 'GZ', \"f\".BLOCKCACHE = false"
              .formatted(table),
          "CREATE LOCAL INDEX I_%s ON %s (V)".formatted(table, table));
      set(table, "L#0", ", DATA_BLOCK_ENCODING => 'NONE'");
      String before = tune(table).output();
      assertThat(before)
          .startsWith(table + ", 1 region\n")
          .contains("  0       DATA_BLOCK_ENCODING  FAST_DIFF  ROW_INDEX_V1\n")
          .contains("  0       COMPRESSION          GZ         as it is\n")
          .contains("  0       BLOCKCACHE           true       as it is\n")
          .contains("  f       BLOCKCACHE           false      true\n")
          .contains("ALTER TABLE " + table + " SET \"0\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1';\n")
          .contains("-- major_compact '" + table + "'\n")
          .contains("-- COMPRESSION = 'ZSTD' would make files smaller");
      runAsScript(before.substring(before.indexOf("\n-- ")));
      List<String> alter = before.lines().filter(line -> line.startsWith("-- alter ")).toList();
      assertThat(alter).isNotEmpty();
      for (String line : alter) {
        Matcher said = ALTER.matcher(line);
        assertThat(said.matches()).as(line).isTrue();
        assertThat(said.group(1)).as(line).isEqualTo(table);
        set(table, said.group(2), said.group(3));
      }
      assertThat(tune(table).output())
          .contains("  0       DATA_BLOCK_ENCODING  ROW_INDEX_V1  as it is\n")
          .contains("  0       COMPRESSION          GZ            as it is\n")
          .contains("  f       BLOCKCACHE           true          as it is\n")
          .containsPattern("  L#\\S+ +DATA_BLOCK_ENCODING  FAST_DIFF     as it is\n");
    }
  }

  private void runAsScript(String script) throws Exception {
    try (PruningProcess sql =
        PruningProcess.start(
            temporary.getRoot().toPath().resolve("run"), script, "sql", "--url", url())) {
      assertThat(sql.await(LIMIT)).as(sql.err()).isZero();
    }
  }

  private static void set(String table, String family, String settings) throws Exception {
    TableDescriptor descriptor = getUtility().getAdmin().getDescriptor(TableName.valueOf(table));
    ColumnFamilyDescriptorBuilder changed =
        ColumnFamilyDescriptorBuilder.newBuilder(descriptor.getColumnFamily(Bytes.toBytes(family)));
    Matcher setting = SETTING.matcher(settings);
    while (setting.find()) {
      changed.setValue(setting.group(1), setting.group(2));
    }
    getUtility().getAdmin().modifyColumnFamily(TableName.valueOf(table), changed.build());
  }

  @Test
  public void refusesATableWithoutALocalIndex() throws Exception {
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "CREATE TABLE %s (K INTEGER PRIMARY KEY)".formatted(table));
    }
    PruningRun run = tune(table);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("pruning tune: TABLE '" + table + "'");
    assertThat(run.out()).isEmpty();
  }
}
