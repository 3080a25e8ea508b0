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
package io.phoenixpruning.perf.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.perf.bench.BenchRuns;
import io.phoenixpruning.perf.bench.SharedCluster;
import io.phoenixpruning.perf.harness.Result;
import java.util.List;
import java.util.Map;
import org.junit.ClassRule;
import org.junit.Test;

/**
 * Runs each benchmark of storage settings at a small scale. The benchmark of block caches starts
 * servers with different caches. The others share a cluster.
 */
public class StorageBenchIT extends BenchRuns {

  @ClassRule public static final SharedCluster CLUSTER = SharedCluster.rule();

  @Test
  public void reportsSizesOfEachEncoding() throws Exception {
    List<Result> results = run(CLUSTER, new EncodingsBench(), "encodings");
    for (String family : new String[] {"data", "index"}) {
      Map<String, String> plain = Map.of("family", family, "encoding", "NONE", "rows kept", "all");
      double none = size(results, plain, "NONE");
      assertThat(none).as(family).isPositive();
      assertThat(size(results, plain, "ZSTD (zstd-jni)")).as(family).isLessThan(none);
      assertThat(size(results, plain, "LZMA (hadoop-xz)")).as(family).isLessThan(none);
      // ROW_INDEX_V1 also stores where each row of a block begins.
      assertThat(size(results, with(plain, "encoding", "ROW_INDEX_V1"), "NONE"))
          .as(family)
          .isGreaterThan(none);
      // Deleted cells stay in the files, together with their delete markers, until a compaction may
      // drop both.
      assertThat(size(results, with(plain, "rows kept", "0.1 %"), "NONE"))
          .as(family)
          .isGreaterThan(none);
    }
    // With so few rows, looking up all of them may take less than a scan.
    assertThat(results.stream().filter(result -> result.measure().equals("time")))
        .hasSizeBetween((6 + 4 + 2) * 2 * (4 + 1), (6 + 4 + 4) * 2 * (4 + 1));
    assertThat(results.stream().filter(result -> result.measure().equals("lookup"))).hasSize(4 + 1);
  }

  private static double size(List<Result> results, Map<String, String> at, String compression) {
    return figure(results, "size", with(at, "compression", compression));
  }

  @Test
  public void scansWithManyThreads() throws Exception {
    List<Result> results = run(CLUSTER, new BandwidthBench(), "bandwidth");
    for (String threads : new String[] {"1", "2"}) {
      assertThat(figure(results, "memory", Map.of("threads", threads)))
          .as("%s threads", threads)
          .isPositive();
      for (String blocks : new String[] {"blocks", "files"}) {
        Map<String, String> at =
            Map.of("threads", threads, "blocks from", blocks, "encoding", "FAST_DIFF");
        assertThat(figure(results, "stored", at)).as("%s", at).isPositive();
        assertThat(figure(results, "raw", at))
            .as("%s", at)
            .isGreaterThan(figure(results, "stored", at));
      }
    }
  }

  @Test
  public void readsCachedBlocksOfEachCache() throws Exception {
    BlockCacheBench benchmark = new BlockCacheBench();
    benchmark.useSharedServers(
        CLUSTER.processes(),
        CLUSTER.startClient("client", "1g", System.getProperty("java.class.path")));
    List<Result> results = run(benchmark, "blockcache");
    for (String cache : new String[] {"LRU", "BucketCache offheap"}) {
      for (String reads : new String[] {"get", "lookup"}) {
        Map<String, String> at = Map.of("cache", cache, "reads", reads);
        assertThat(figure(results, "latency", at)).as("%s", at).isPositive();
        // All of the data is in the cache.
        assertThat(figure(results, "misses", at)).as("%s of %s", at, results).isLessThan(100);
      }
    }
  }

  @Test
  public void storesFewerBytesInEachPackedFormat() throws Exception {
    List<Result> results = run(CLUSTER, new PackedBench(), "packed");
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
}
