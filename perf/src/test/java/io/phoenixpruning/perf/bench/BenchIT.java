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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;

/** Small runs of the benchmarks of {@code pruning bench}, which measure nothing. */
public class BenchIT {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private List<Result> run(Benchmark benchmark, String name) throws Exception {
    Path folder = temporary.getRoot().toPath().resolve(name);
    StringWriter out = new StringWriter();
    int exit =
        new CommandLine(new BenchCommand())
            .setOut(new PrintWriter(out, true))
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  throw failure;
                })
            .execute(name, "--quick", "--out", folder.toString());
    assertThat(exit).as(out.toString()).isZero();
    return Results.open(folder.resolve(Benchmark.RESULTS), benchmark.dimensions()).all();
  }

  private static double figure(List<Result> results, String measure, Map<String, String> at) {
    List<Result> found =
        results.stream()
            .filter(
                result ->
                    result.measure().equals(measure)
                        && result.at().entrySet().containsAll(at.entrySet()))
            .toList();
    assertThat(found).as("%s at %s of %s", measure, at, results).hasSize(1);
    return found.get(0).summary().median();
  }

  @Test
  public void plans() throws Exception {
    List<Result> results = run(new PlanningBench(), "planning");
    assertThat(figure(results, "planned", Map.of("planner", "exact"))).isEqualTo(1);
    assertThat(figure(results, "planned", Map.of("planner", "stock"))).isEqualTo(2);
    assertThat(results).extracting(Result::measure).contains("time", "allocation");
  }

  @Test
  public void fansOut() throws Exception {
    List<Result> results = run(new FanOutBench(), "fanout");
    for (String layout : new String[] {"natural", "rearranged"}) {
      for (String locations : new String[] {"warm", "cold"}) {
        Map<String, String> point =
            Map.of("layout", layout, "condition", "point", "locations", locations);
        assertThat(rpcs(results, point, "none")).isEqualTo(100);
        assertThat(rpcs(results, point, "exact")).isEqualTo(1);
        assertThat(rpcs(results, point, "stock")).isEqualTo(1);
        Map<String, String> all =
            Map.of("layout", layout, "condition", "all regions", "locations", locations);
        // The master reads it now and then, too.
        double lookups = figure(results, "lookups", with(all, "way", "stock"));
        assertThat(lookups >= 100).as("%s lookups", lookups).isEqualTo(locations.equals("cold"));
        assertThat(rpcs(results, all, "none")).isEqualTo(100);
        assertThat(rpcs(results, all, "exact")).isEqualTo(100);
        assertThat(rpcs(results, all, "stock")).isEqualTo(100);
        // Two servers, whose answers carry the rows, if they come in time.
        assertThat(rpcs(results, all, "probe")).isBetween(2.0, 102.0);
      }
    }
    assertThat(results).extracting(Result::measure).contains("creation", "lookups", "latency");
    assertThat(results).extracting(Result::measure).doesNotContain("failures", "wrong rows");
  }

  private static double rpcs(List<Result> results, Map<String, String> at, String way) {
    return figure(results, "rpcs", with(at, "way", way));
  }

  private static Map<String, String> with(Map<String, String> at, String dimension, String value) {
    Map<String, String> all = new HashMap<>(at);
    all.put(dimension, value);
    return all;
  }

  @Test
  public void encodes() throws Exception {
    List<Result> results = run(new EncodingsBench(), "encodings");
    for (String family : new String[] {"data", "index"}) {
      Map<String, String> plain = Map.of("family", family, "encoding", "NONE", "rows kept", "all");
      double none = size(results, plain, "NONE");
      assertThat(none).isPositive();
      assertThat(size(results, plain, "ZSTD (zstd-jni)")).as(family).isLessThan(none);
      // It stores where each row of a block begins.
      assertThat(size(results, with(plain, "encoding", "ROW_INDEX_V1"), "NONE"))
          .as(family)
          .isGreaterThan(none);
      // What is deleted is there until a compaction may leave it out, and what deletes it, too.
      assertThat(size(results, with(plain, "rows kept", "0.1 %"), "NONE"))
          .as(family)
          .isGreaterThan(none);
    }
    assertThat(results.stream().filter(result -> result.measure().equals("time")))
        .hasSize((3 + 9 + 9) * 2 * 4 * 2);
    assertThat(results.stream().filter(result -> result.measure().equals("lookup"))).hasSize(4 * 2);
  }

  private static double size(List<Result> results, Map<String, String> at, String compression) {
    return figure(results, "size", with(at, "compression", compression));
  }

  @Test
  public void writes() throws Exception {
    List<Result> results = run(new WritesBench(), "writes");
    assertThat(results.stream().filter(result -> result.measure().equals("throughput")))
        .hasSize(5 * 2);
    double data = figure(results, "bytes", Map.of("indexes", "none", "part", "data"));
    assertThat(data).isGreaterThan(10);
    assertThat(figure(results, "bytes", Map.of("indexes", "none", "part", "indexes"))).isZero();
    for (String indexes : new String[] {"natural", "rearranged", "two local", "global"}) {
      assertThat(figure(results, "bytes", Map.of("indexes", indexes, "part", "indexes")))
          .as(indexes)
          .isGreaterThan(10);
    }
  }

  @Test
  public void scansWithManyThreads() throws Exception {
    List<Result> results = run(new BandwidthBench(), "bandwidth");
    for (String threads : new String[] {"1", "2"}) {
      assertThat(figure(results, "memory", Map.of("threads", threads))).isPositive();
      for (String blocks : new String[] {"blocks", "files"}) {
        Map<String, String> at =
            Map.of("threads", threads, "blocks from", blocks, "encoding", "FAST_DIFF");
        assertThat(figure(results, "stored", at)).isPositive();
        assertThat(figure(results, "raw", at)).isGreaterThan(figure(results, "stored", at));
      }
    }
  }

  @Test
  public void cachesBlocks() throws Exception {
    List<Result> results = run(new BlockCacheBench(), "blockcache");
    for (String cache : new String[] {"LRU", "BucketCache offheap"}) {
      for (String reads : new String[] {"get", "lookup"}) {
        Map<String, String> at = Map.of("cache", cache, "reads", reads);
        assertThat(figure(results, "latency", at)).isPositive();
        // All of the data is in the cache.
        assertThat(figure(results, "misses", at)).as("%s of %s", at, results).isLessThan(100);
      }
    }
  }

  @Test
  public void packs() throws Exception {
    List<Result> results = run(new PackedBench(), "packed");
    double columns = bytes(results, "columns");
    for (String format : new String[] {"packed", "Avro", "JSON"}) {
      assertThat(bytes(results, format)).as(format).isBetween(1.0, columns);
    }
    assertThat(results.stream().filter(result -> result.measure().equals("latency")))
        .hasSize(3 * 4);
  }

  private static double bytes(List<Result> results, String format) {
    return figure(results, "bytes", Map.of("format", format, "part", "data"));
  }

  @Test
  public void offersLoad() throws Exception {
    List<Result> results = run(new LoadBench(), "load");
    for (String way : new String[] {"stock", "exact", "probe"}) {
      for (String load : new String[] {"points alone", "points beside fan-outs"}) {
        Map<String, String> at = Map.of("way", way, "load", load, "query", "point");
        assertThat(figure(results, "latency", at)).isPositive();
        assertThat(figure(results, "failures", at)).isZero();
      }
      Map<String, String> fanOuts =
          Map.of("way", way, "load", "points beside fan-outs", "query", "fan-out");
      assertThat(figure(results, "latency", fanOuts)).isPositive();
    }
  }
}
