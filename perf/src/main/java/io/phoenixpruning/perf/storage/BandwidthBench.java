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

import io.phoenixpruning.perf.harness.ClusterBenchmark;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.perf.storage.EncodedTable.BlockSource;
import io.phoenixpruning.perf.storage.EncodedTable.IndexFamily;
import io.phoenixpruning.report.format.ByteUnit;
import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench bandwidth}. */
@Command(
    name = "bandwidth",
    description = {
      "Measures the bandwidth of scans on one region server, with one thread and with several."
          + " Counts stored bytes, and raw bytes: without encoding and compression. Also measures"
          + " the bandwidth of the memory."
    },
    mixinStandardHelpOptions = true)
public final class BandwidthBench extends ClusterBenchmark {

  private static final String ENCODING = "encoding";
  private static final String COMPRESSION = "compression";
  private static final String BLOCKS = "blocks from";
  private static final String THREADS = "threads";
  private static final String MEMORY = "memory";

  private static final String SIZE = "size";

  private static final int REGIONS = 16;

  /** Estimated bytes of a row in all files, before and after compaction. */
  private static final long ROW_BYTES = 1_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Rows of the table, 10,000 to 100,000,000. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2,4,8",
      description =
          "Numbers of regions to scan at a time, each 1 to "
              + REGIONS
              + ". Default: ${DEFAULT-VALUE}.")
  private List<Integer> threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs of each scan, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(ENCODING, COMPRESSION, BLOCKS, THREADS);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Memory bandwidth", MEMORY, THREADS, BLOCKS),
        View.of("Scan rate of raw bytes", "raw", THREADS, ENCODING, COMPRESSION, BLOCKS),
        View.of("Scan rate of stored bytes", "stored", THREADS, ENCODING, COMPRESSION, BLOCKS),
        View.of("File size of the family", SIZE, ENCODING, COMPRESSION));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--rows", rows, 10_000, 100_000_000);
    requireRange("--rounds", rounds, 1, 1_000);
    for (int number : threads) {
      requireRange("--threads", number, 1, REGIONS);
    }
    super.check();
  }

  @Override
  protected int servers() {
    return 1;
  }

  @Override
  protected long regions() {
    return isQuick() ? 4 : REGIONS;
  }

  @Override
  protected int clients() {
    return 1;
  }

  @Override
  protected long diskBytes() {
    return ROW_BYTES * rows();
  }

  private int rows() {
    return isQuick() ? 1_000 : rows;
  }

  private int rounds() {
    return isQuick() ? 1 : rounds;
  }

  /** Returns the number of values in memory. Those of a quick run may fit into caches. */
  private int longs() {
    return isQuick() ? 1 << 20 : MemoryBandwidth.LONGS;
  }

  private List<Integer> threads() {
    return isQuick() ? List.of(1, 2) : threads;
  }

  /**
   * Returns the encodings and compressions to measure. The first pair has neither, so its file size
   * is the unencoded size for all other pairs.
   */
  private static List<Map.Entry<DataBlockEncoding, Codec>> settings(boolean isQuick) {
    List<Map.Entry<DataBlockEncoding, Codec>> settings = new ArrayList<>();
    settings.add(Map.entry(DataBlockEncoding.NONE, Codec.NONE));
    settings.add(Map.entry(DataBlockEncoding.FAST_DIFF, Codec.NONE));
    if (!isQuick) {
      settings.add(Map.entry(DataBlockEncoding.ROW_INDEX_V1, Codec.NONE));
      for (Codec codec : Codec.values()) {
        if (codec != Codec.NONE) {
          settings.add(Map.entry(DataBlockEncoding.ROW_INDEX_V1, codec));
        }
      }
    }
    return settings;
  }

  private static Map<String, String> size(DataBlockEncoding encoding, Codec codec) {
    return at(encoding.name(), codec.title(Codec.Classes.NATIVE), "", "");
  }

  private static Map<String, String> at(
      String encoding, String compression, String source, String threads) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(ENCODING, encoding);
    at.put(COMPRESSION, compression);
    at.put(BLOCKS, source);
    at.put(THREADS, threads);
    return at;
  }

  @Override
  protected void measure(Run run) throws Exception {
    for (int number : threads()) {
      Map<String, String> at = at("", "", MEMORY, Integer.toString(number));
      if (!run.results().has(at)) {
        Summary rates =
            run.progress()
                .run(
                    "Read memory, " + Figures.plural(number, "thread"),
                    -1,
                    done -> Summary.of(MemoryBandwidth.measure(longs(), number, rounds())));
        run.results().add(List.of(new Result(at, MEMORY, "MB/s", rates)));
      }
    }
    List<Map.Entry<DataBlockEncoding, Codec>> missing =
        settings(isQuick()).stream()
            .filter(setting -> !run.results().has(size(setting.getKey(), setting.getValue())))
            .toList();
    if (missing.isEmpty()) {
      return;
    }
    MeasuredCluster cluster = start(run);
    QueryClientMXBean client = startOurClient(cluster, "client");
    EncodedTable table = new EncodedTable(cluster, client, "SCANNED");
    client.connect(EncodedTable.CONNECTION, Map.of());
    run.progress()
        .perform(
            "Load " + table.name(),
            -1,
            done -> {
              table.create(" SPLIT ON (%s)".formatted(splits()));
              table.load(rows(), seed());
            });
    for (Map.Entry<DataBlockEncoding, Codec> setting : missing) {
      measure(run, client, table, setting.getKey(), setting.getValue());
    }
  }

  private void measure(
      Run run,
      QueryClientMXBean client,
      EncodedTable table,
      DataBlockEncoding encoding,
      Codec codec)
      throws Exception {
    String compression = codec.title(Codec.Classes.NATIVE);
    String title = "%s, %s".formatted(encoding, compression);
    run.progress()
        .perform("Write " + title, -1, done -> table.set(IndexFamily.DATA, encoding, codec));
    double storedBytes = table.bytes(IndexFamily.DATA).orElseThrow();
    List<Result> results = new ArrayList<>();
    results.add(
        new Result(size(encoding, codec), SIZE, "MiB", Summary.of(ByteUnit.MIB.from(storedBytes))));
    double rawBytes =
        run.results().all().stream()
            .filter(result -> result.measure().equals(SIZE))
            .findFirst()
            .map(first -> ByteUnit.MIB.toBytes(first.summary().median()))
            .orElse(storedBytes);
    for (BlockSource source : BlockSource.values()) {
      for (int number : threads()) {
        client.connect(
            EncodedTable.CONNECTION,
            Map.of(PruningOptions.SCAN_CONCURRENCY, Integer.toString(number)));
        ListStatistics millis =
            run.progress()
                .run(
                    "Scan %s from %s, %s"
                        .formatted(title, source.title(), Figures.plural(number, "thread")),
                    -1,
                    done ->
                        table.times(
                            "SELECT /*+ NO_INDEX */ COUNT(v1) FROM " + table.name(),
                            source,
                            rounds()));
        Map<String, String> at =
            at(encoding.name(), compression, source.title(), Integer.toString(number));
        results.add(new Result(at, "raw", "MB/s", rate(rawBytes, millis)));
        results.add(new Result(at, "stored", "MB/s", rate(storedBytes, millis)));
      }
    }
    run.results().add(results);
  }

  private String splits() {
    return LongStream.range(1, regions())
        .mapToObj(i -> Long.toString(i * rows() / regions()))
        .collect(Collectors.joining(", "));
  }

  private static Summary rate(double bytes, ListStatistics millis) {
    ListStatistics rates = new ListStatistics();
    for (Map.Entry<Double, Long> value : (Iterable<Map.Entry<Double, Long>>) millis::getRawData) {
      for (long i = 0; i < value.getValue(); i++) {
        rates.addValue(bytes / value.getKey() / 1e3);
      }
    }
    return Summary.of(rates);
  }
}
