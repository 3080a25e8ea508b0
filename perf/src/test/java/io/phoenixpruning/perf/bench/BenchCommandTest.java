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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tests runs of a benchmark whose results the test controls. */
public class BenchCommandTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private final StringWriter out = new StringWriter();
  private final Steps steps = new Steps();
  private final CommandLine command = new CommandLine(new BenchCommand());
  private Exception refusal;
  private Path folder;

  /** Measures 100, 500 and 2,000 regions, or fails after {@link #failsAt} of them. */
  @Command(name = "steps", mixinStandardHelpOptions = true)
  private static final class Steps extends Benchmark {

    @CommandLine.Option(names = "--rounds", defaultValue = "1")
    private int rounds;

    private int measured;
    private int failsAt = Integer.MAX_VALUE;

    @Override
    public List<String> dimensions() {
      return List.of("regions", "way");
    }

    @Override
    public List<View> views() {
      return List.of(View.of("RPCs", "rpcs", "way", "regions").linesBy("regions"));
    }

    @Override
    protected void check() {
      requireRange("--rounds", rounds, 1, 10);
    }

    @Override
    protected void measure(Run run) throws Exception {
      for (int regions : new int[] {100, 500, 2000}) {
        Map<String, String> at = new LinkedHashMap<>();
        at.put("regions", Integer.toString(regions));
        if (!run.results().has(at)) {
          if (measured == failsAt) {
            throw new IllegalStateException("as the test wants it");
          }
          measured++;
          at.put("way", "exact");
          run.results().add(List.of(new Result(at, "rpcs", "RPCs", Summary.of(regions / 100))));
        }
      }
    }
  }

  @Before
  public void addSteps() {
    command.addSubcommand(steps);
    command
        .setOut(new PrintWriter(out, true))
        .setExecutionExceptionHandler(
            (failure, failed, parsed) -> {
              refusal = failure;
              return failure instanceof RefusedException ? 2 : 1;
            });
    folder = temporary.getRoot().toPath().resolve("run");
  }

  private int run(String... arguments) {
    return command.execute(arguments);
  }

  @Test
  public void writesAllFilesAndPrintsTheTables() {
    assertThat(run("steps", "--out", folder.toString())).isZero();
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder(
            "run.json", "results.csv", "results.json", "report.md", "report.html");
    assertThat(out.toString()).contains("| 2000 | 20 |").contains("are in " + folder);
  }

  @Test
  public void continuesAnInterruptedRun() throws Exception {
    steps.failsAt = 2;
    assertThat(run("steps", "--out", folder.toString())).isEqualTo(1);
    assertThat(refusal).hasMessageContaining("as the test wants it");
    assertThat(Files.readAllLines(folder.resolve("results.csv"))).hasSize(3);
    String started = Files.readString(folder.resolve("run.json"));

    steps.failsAt = Integer.MAX_VALUE;
    assertThat(run("steps", "--out", folder.toString())).isZero();
    assertThat(steps.measured).isEqualTo(3);
    assertThat(Files.readAllLines(folder.resolve("results.csv"))).hasSize(4);
    assertThat(folder.resolve("run.json")).hasContent(started);
  }

  @Test
  public void doesNotMixRuns() {
    assertThat(run("steps", "--out", folder.toString())).isZero();
    assertThat(run("steps", "--out", folder.toString(), "--rounds", "2")).isEqualTo(2);
    assertThat(refusal)
        .hasMessageContaining("rounds=1")
        .hasMessageContaining("rounds=2")
        .hasMessageContaining("--out");
    assertThat(run("steps", "--out", folder.toString(), "--seed", "2")).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("seed 2 and");
  }

  @Test
  public void doesNotGoOnWithAnotherVersion() throws Exception {
    assertThat(run("steps", "--out", folder.toString())).isZero();
    Path json = folder.resolve("run.json");
    Files.writeString(json, Files.readString(json).replace("\"2.6.", "\"2.5."));
    assertThat(run("steps", "--out", folder.toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("HBase=2.5.").hasMessageContaining("HBase=2.6.");
  }

  @Test
  public void leavesFoldersOfOthersAlone() throws Exception {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("mine"), "text");
    assertThat(run("steps", "--out", folder.toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("is not empty");
    assertThat(run("steps", "--out", folder.resolve("mine").toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("cannot create the folder");
    assertThat(folder.toFile().list()).containsExactly("mine");
  }

  @Test
  public void refusesBadOptionsBeforeItWrites() {
    assertThat(run("steps", "--out", folder.toString(), "--rounds", "0")).isEqualTo(2);
    assertThat(refusal).hasMessage("--rounds is 0. Expected 1 to 10");
    assertRefuses("--regions is 99. Expected 100 to 100000", "fanout", "--regions=99");
    assertRefuses("--rows is 1001. Expected 1 to 1000", "fanout", "--rows=1001");
    assertRefuses("--servers is 0. Expected 1 to 64", "fanout", "--servers=0");
    assertRefuses("--heap is 'many'. Expected a number with m or g", "fanout", "--heap=many");
    assertRefuses("Expected at least 2.7 GiB for 5,000 regions", "fanout", "--servers=2");
    assertRefuses("64 region servers of 999g and the", "fanout", "--servers=64", "--heap=999g");
    assertRefuses("--regions is 10. Expected 100 to 100000", "planning", "--regions=10");
    assertRefuses("--rows is 1. Expected 1000 to", "writes", "--rows=1");
    assertRefuses(
        "the run writes 45.5 TiB, but",
        "writes",
        "--rows=100000000",
        "--rounds=99",
        "--servers=1",
        "--heap=512m");
    assertRefuses("--forks is 0. Expected 1 to 100", "compiling", "--forks=0");
    assertRefuses("--regions is 99. Expected 100 to 100000", "statements", "--regions=99");
    assertRefuses("--rounds is 0. Expected 1 to 1000", "statements", "--rounds=0");
    assertRefuses("--workloads is [X]. Expected any of [BOTH_LAYOUTS,", "choice", "--workloads=X");
    assertRefuses("--warmups is -1. Expected 0 to 1000", "choice", "--warmups=-1");
    assertRefuses("--rows is 999. Expected 1000 to", "loosescan", "--rows=999");
    assertRefuses("--regions is 99. Expected 100 to 100000", "regionopen", "--regions=99");
    assertRefuses("Expected at least 14.6 GiB for 30,000 regions", "regionopen", "--regions=10000");
    assertRefuses("--rows is 9999. Expected 10000 to", "plain", "--rows=9999");
    assertRefuses("--rounds is 0. Expected 1 to 1000", "plain", "--rounds=0");
    assertRefuses("--rows is 999. Expected", "encodings", "--salted", "false", "--rows", "999");
    assertRefuses("--original and --rows both set", "encodings", "--original", "--rows=1000");
    assertRefuses(
        "[AIRCOMPRESSOR] supports none of [GZ, LZMA]. Add SNAPPY",
        "encodings",
        "--classes=AIRCOMPRESSOR",
        "--compressions=GZ,LZMA");
    assertRefuses("10,000,000 rows take 2.3 GiB in the block", "encodings", "--rows=10000000");
    assertRefuses(
        "3,600 s has 360,000,000 queries of one", "load", "--points=100000", "--seconds=3600");
    assertRefuses("--threads is 17. Expected 1 to 16", "bandwidth", "--threads=1,17");
    assertRefuses("--cache-mb is 63. Expected 64 to", "blockcache", "--cache-mb=63");
    assertRefuses("is more than 0.4 of the heap", "blockcache", "--cache-mb=1000");
    assertRefuses("--fields is 0. Expected 1 to 1000", "packed", "--fields=8,0");
    String[] running = {"--url=jdbc:phoenix:localhost:2181", "--heap=1g"};
    assertRefuses(
        "--heap is for servers that the benchmark starts. --url names a", "packed", running);
    running[1] = "--deleted=false";
    assertRefuses("--deleted is for servers that the benchmark starts", "encodings", running);
    assertRefuses("--quick sets its own sizes. Omit --rows", "writes", "--quick", "--rows=1000");
    assertThat(folder).doesNotExist();
  }

  /** Tests a path that HBase would interpret as another path, which it would create. */
  @Test
  public void refusesATemporaryFolderThatHBaseDoesNotAccept() throws Exception {
    Path blank = temporary.newFolder("a b").toPath().toRealPath();
    Path link = Files.createSymbolicLink(temporary.getRoot().toPath().resolve("link"), blank);
    String before = System.getProperty("java.io.tmpdir");
    try {
      for (Path given : List.of(blank, link)) {
        System.setProperty("java.io.tmpdir", given.toString());
        assertRefuses(
            "TMPDIR is "
                + blank
                + ", which has a character that HBase does not accept, such as a blank. Expected",
            "fanout");
      }
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
    assertThat(folder).doesNotExist();
    assertThat(blank).isEmptyDirectory();
  }

  private void assertRefuses(String why, String benchmark, String... arguments) {
    refusal = null;
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(0, benchmark);
    all.add("--out=" + folder);
    String what = String.join(" ", all) + ", in " + System.getProperty("java.io.tmpdir");
    assertThat(run(all.toArray(String[]::new))).as(what).isEqualTo(2);
    assertThat(refusal).as(what).hasMessageContaining(why);
  }

  @Test
  public void writesReportsAgain() throws Exception {
    assertThat(run("steps", "--out", folder.toString())).isZero();
    String report = Files.readString(folder.resolve("report.md"));
    Files.delete(folder.resolve("report.md"));
    assertThat(run("report", folder.toString())).isZero();
    assertThat(folder.resolve("report.md")).hasContent(report);
    assertThat(steps.measured).isEqualTo(3);

    Path charts = temporary.getRoot().toPath().resolve("charts");
    assertThat(run("report", folder.toString(), "--charts", charts.toString())).isZero();
    assertThat(charts.toFile().list()).containsExactly("rpcs-rpcs.svg");
    assertThat(charts.resolve("rpcs-rpcs.svg")).content().contains("<svg ", "exact</text>");

    assertThat(run("report", temporary.getRoot().toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("is missing");
    Path results = Files.move(folder.resolve("results.csv"), folder.resolve("elsewhere.csv"));
    assertThat(run("report", folder.toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("there are no results to report");
    Files.move(results, folder.resolve("results.csv"));
    Path json = folder.resolve("run.json");
    Files.writeString(json, Files.readString(json).replace("\"steps\"", "\"walks\""));
    assertThat(run("report", folder.toString())).isEqualTo(2);
    assertThat(refusal)
        .hasMessageContaining("'walks'. Expected one of: planning, compiling, fanout");
    Files.writeString(json, "{");
    assertThat(run("report", folder.toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("cannot be read");
  }

  @Test
  public void modelsOnlyFanOuts() {
    assertThat(run("steps", "--out", folder.toString())).isZero();
    assertThat(run("model", folder.toString())).isEqualTo(2);
    assertThat(refusal).hasMessageContaining("'steps'. Expected 'fanout'");
    assertThat(run("model", folder.toString(), "--servers", "0")).isEqualTo(2);
    assertThat(refusal).hasMessage("--servers is 0. Expected 1 to 100000");
    assertThat(run("model", folder.toString(), "--round-trip-ms", "-1")).isEqualTo(2);
    assertThat(refusal).hasMessage("--round-trip-ms is -1.0. Expected 0 to 1000");
  }

  @Test
  public void modelAcceptsTheFormerNameOfBatch() {
    String fanOut = Path.of("..", "docs", "benchmarks", "fanout").toString();
    assertThat(run("model", fanOut, "--batch", "100")).isZero();
    String predicted = out.toString();
    assertThat(predicted).contains("| probe | 1,000 |");
    out.getBuffer().setLength(0);
    assertThat(run("model", fanOut, "--chunk", "100")).isZero();
    assertThat(out).hasToString(predicted);
    assertThat(run("model", fanOut, "--chunk", "1")).isEqualTo(2);
    assertThat(refusal).hasMessage("--batch is 1. Expected 2 to 100000");
    out.getBuffer().setLength(0);
    assertThat(run("model", "--help")).isZero();
    assertThat(out.toString()).contains("--batch").doesNotContain("--chunk");
  }

  /** Compares the output for the committed run with the text of docs/benchmarks.md. */
  @Test
  public void predictionsEqualTheDocumentation() throws Exception {
    Path docs = Path.of("..", "docs");
    assertThat(run("model", docs.resolve("benchmarks/fanout").toString())).isZero();
    assertThat(Files.readString(docs.resolve("benchmarks.md"))).contains(out.toString());
  }
}
