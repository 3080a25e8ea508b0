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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.cli.layout.IndexedTable;
import io.phoenixpruning.cli.layout.TableArgument;
import io.phoenixpruning.cli.tune.StorageSetting;
import io.phoenixpruning.cli.tune.TuneReport;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.phoenix.jdbc.PhoenixConnection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code pruning tune}. */
@Command(
    name = "tune",
    description = {
      "Compares the storage settings of a table with those that make lookups along its local"
          + " indexes fast. Prints the statements that change the settings.",
      "Changes nothing."
    },
    mixinStandardHelpOptions = true)
final class TuneCommand implements Callable<Integer> {

  @Mixin private ClusterOption cluster;

  @Mixin private TableParameter table;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    TableArgument named = table.parse();
    try (Cleanup cleanup =
        new Cleanup(spec.qualifiedName(), () -> "nothing was changed", Terminal.ERR)) {
      PhoenixConnection connection = cluster.open(cleanup);
      IndexedTable indexed = IndexedTable.find(connection, named);
      PrintWriter out = spec.commandLine().getOut();
      out.print(report(indexed, codecs(connection)).text(spec.commandLine().getColorScheme()));
      out.flush();
      return ExitCode.OK;
    }
  }

  /** Returns the compression codecs that the cluster's tables use, and GZ, which every JDK has. */
  private static Set<Compression.Algorithm> codecs(PhoenixConnection connection) throws Exception {
    Set<Compression.Algorithm> codecs = EnumSet.of(Compression.Algorithm.GZ);
    try (Admin admin = connection.getQueryServices().getAdmin()) {
      for (TableDescriptor table : admin.listTableDescriptors()) {
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
          codecs.add(family.getCompressionType());
        }
      }
    }
    return codecs;
  }

  private static TuneReport report(IndexedTable indexed, Set<Compression.Algorithm> codecs)
      throws Exception {
    return new TuneReport(
        indexed.name(),
        indexed.descriptor().getTableName().getNameAsString(),
        indexed.regionCount(),
        StorageSetting.of(indexed.descriptor().getColumnFamilies(), codecs));
  }
}
