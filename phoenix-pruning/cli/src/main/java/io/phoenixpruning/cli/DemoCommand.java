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

import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.cli.demo.Demo;
import io.phoenixpruning.cli.demo.DemoReport;
import io.phoenixpruning.cli.tpch.TpchData;
import io.phoenixpruning.testing.EmbeddedCluster;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pruning demo}. */
@Command(
    name = "demo",
    description = {
      "Loads the LINEITEM table of TPC-H into an embedded cluster and runs queries along its local"
          + " indexes. Each query runs without pruning (mode none), in mode stock, and with exact"
          + " pruning. Shows the rows and the cost of each mode."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  /** Disk space in bytes of a cluster without rows. */
  private static final long DISK = 128L << 20;

  /**
   * Disk space in bytes of TPC-H's LINEITEM at scale 1, with its indexes and the write-ahead log.
   */
  private static final long DISK_OF_SCALE_1 = 8L << 30;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "200",
      description = "Number of regions of LINEITEM. Default: ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--scale",
      paramLabel = "S",
      defaultValue = "0.01",
      description =
          "TPC-H scale factor; 1 is 6,000,000 rows. Default: ${DEFAULT-VALUE} (60,000 rows).")
  private double scale;

  @Option(
      names = "--keep",
      description = "Keeps the cluster running at the end, until Ctrl-C, and prints its JDBC URL.")
  private boolean keep;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    checkScale(scale);
    checkRegions(regions, scale, HeapBudget.ofThisJvm());
    TemporaryFolder folder = new TemporaryFolder("pruning-demo-");
    try (Cleanup cleanup =
        new Cleanup(
            spec.qualifiedName(),
            () ->
                folder
                    .path()
                    .map(path -> "stopped the cluster and deleted " + path)
                    .orElse("nothing was started"),
            Terminal.ERR)) {
      cleanup.add(folder::delete);
      Path path = folder.create();
      if (!PlainPath.isPlain(path)) {
        throw new RefusedException(
            "TMPDIR is "
                + path.getParent()
                + ", which has a character that HBase does not accept, such as a blank. Expected"
                + " ASCII letters, digits and signs. Set TMPDIR to another folder");
      }
      DiskSpace disk =
          new DiskSpace(
              Objects.requireNonNull(path.getParent()), "set TMPDIR to a folder on a larger disk");
      disk.require(DISK + Math.round(scale * DISK_OF_SCALE_1));
      return LoggedException.callAndNameLog(
          () -> LoggedException.copyLog(Libraries.log(path), "pruning-demo-"),
          () -> disk.interruptIfFull(() -> run(cleanup, path)));
    }
  }

  private int run(Cleanup cleanup, Path folder) throws Exception {
    Libraries.write(folder);
    Progress progress = new Progress(Terminal.ERR, Terminal.isInteractive());
    EmbeddedCluster cluster = new EmbeddedCluster(folder);
    cleanup.add(cluster::abort);
    progress.perform(
        "Start HBase and Phoenix",
        -1,
        done -> {
          cluster.start();
          cluster.connect(Map.of()).close();
        });
    DemoReport report = new Demo(cluster, progress, regions, new TpchData(scale)).run();
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.println(report.table(spec.commandLine().getColorScheme()));
    out.println(report.summary());
    out.flush();
    if (keep) {
      out.println();
      out.println(
          "The cluster runs until Ctrl-C. To connect: ./pruning sql --url " + cluster.url());
      out.flush();
      new CountDownLatch(1).await();
    }
    return report.isExactCorrect() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void checkScale(double scale) {
    if (!(scale >= 0.0001 && scale <= 1)) {
      throw new RefusedException(
          "--scale is " + scale + ". Expected 0.0001 (150 orders) to 1 (1,500,000 orders)");
    }
  }

  static void checkRegions(int regions, double scale, HeapBudget heap) {
    int orders = TpchData.orders(scale);
    int most = Math.min(orders, heap.maxRegions());
    if (most == 0) {
      throw new RefusedException(
          String.format(
              "the heap of %d MB is too small for a cluster. Set PRUNING_OPTS=-Xmx%dm",
              heap.heapMb(), heap.neededMb(Math.max(1, Math.min(regions, orders)))));
    }
    if (regions < 1) {
      throw new RefusedException("--regions is " + regions + ". Expected 1 to " + most);
    }
    if (regions > orders) {
      throw new RefusedException(
          String.format(
              "--regions is %d, but there are only %d orders at --scale %s%s. Choose at most %d%s",
              regions,
              orders,
              scale,
              most < orders ? ", and a heap of " + heap.heapMb() + " MB has room for " + most : "",
              most,
              most < orders || scale == 1 ? "" : ", or a larger --scale"));
    }
    if (regions > most) {
      throw new RefusedException(
          String.format(
              "--regions is %d, but a heap of %d MB has room for %d. Choose fewer, or set"
                  + " PRUNING_OPTS=-Xmx%dm",
              regions, heap.heapMb(), most, heap.neededMb(regions)));
    }
  }
}
