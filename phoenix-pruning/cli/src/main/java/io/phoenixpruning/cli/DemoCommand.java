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

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import io.phoenixpruning.cli.demo.Demo;
import io.phoenixpruning.cli.demo.DemoReport;
import io.phoenixpruning.cli.demo.LineItems;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pruning demo}. */
@Command(
    name = "demo",
    description = {
      "Loads TPC-H's LINEITEM into a cluster of its own and runs queries on its local indexes in"
          + " three modes: without pruning, pruned by stock Phoenix, and pruned exactly. Shows"
          + " what each returned and what it cost."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "200",
      description = "The number of regions of LINEITEM; by default ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--scale",
      paramLabel = "S",
      defaultValue = "0.01",
      description =
          "TPC-H's scale factor: 1 is 6,000,000 rows; by default ${DEFAULT-VALUE}, 60,000 rows.")
  private double scale;

  @Option(
      names = "--keep",
      description = "Leave the cluster running at the end, until Ctrl-C, and print its JDBC URL.")
  private boolean keep;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    checkScale();
    checkRegions(HeapBudget.ofThisJvm());
    PrintWriter out = spec.commandLine().getOut();
    TemporaryFolder folder = TemporaryFolder.create("pruning-demo-");
    try (Cleanup cleanup =
        new Cleanup(
            () ->
                Terminal.ERR.println(
                    "pruning demo: interrupted; stopped the cluster and deleted "
                        + folder.path()))) {
      cleanup.add(folder::delete);
      Libraries.write(folder.path());
      Progress progress = new Progress(Terminal.ERR, Terminal.isInteractive());
      EmbeddedCluster cluster = new EmbeddedCluster(folder.path());
      cleanup.add(cluster::abort);
      progress.run(
          "Start HBase and Phoenix",
          -1,
          done -> {
            cluster.start();
            cluster.connect(Map.of()).close();
            return null;
          });
      DemoReport report = new Demo(cluster, progress, regions, new LineItems(scale)).run();
      out.println();
      out.println(report.table(spec.commandLine().getColorScheme()));
      out.println(report.summary());
      out.flush();
      if (keep) {
        out.println();
        out.println("Ctrl-C ends the cluster. Until then: ./pruning sql --url " + cluster.url());
        out.flush();
        new CountDownLatch(1).await();
      }
      return report.exactIsRight() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private void checkScale() {
    if (!(scale >= 0.0001 && scale <= 1)) {
      throw new RefusedException(
          "--scale is "
              + scale
              + ", but has to be from 0.0001, 150 orders, to 1, 1,500,000 orders");
    }
  }

  private void checkRegions(HeapBudget heap) {
    int orders = LineItems.orders(scale);
    if (regions < 1) {
      throw new RefusedException(
          "--regions is "
              + regions
              + ", but has to be from 1 to "
              + Math.min(orders, heap.maxRegions()));
    }
    if (regions > orders) {
      throw new RefusedException(
          String.format(
              "--regions is %d, but there are only %d orders at --scale %s: choose at most %d, or a"
                  + " larger --scale",
              regions, orders, scale, orders));
    }
    if (regions > heap.maxRegions()) {
      throw new RefusedException(
          String.format(
              "--regions is %d, but a heap of %d MB has room for %d: choose fewer, or set"
                  + " PRUNING_OPTS=-Xmx%dm",
              regions, heap.heapMb(), heap.maxRegions(), heap.neededMb(regions)));
    }
  }
}
