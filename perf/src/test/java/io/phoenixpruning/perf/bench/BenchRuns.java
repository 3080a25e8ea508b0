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

import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.ClusterBenchmark;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Results;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;

/** Runs small benchmarks and reads figures from their results. */
public abstract class BenchRuns {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  /** Runs a benchmark on {@code cluster}, instead of a cluster that the benchmark starts. */
  protected final List<Result> run(SharedCluster cluster, ClusterBenchmark benchmark, String name)
      throws Exception {
    benchmark.useSharedCluster(cluster);
    return run(benchmark, name);
  }

  protected final List<Result> run(Benchmark benchmark, String name, String... options)
      throws Exception {
    Path folder = temporary.getRoot().toPath().resolve(name);
    StringWriter out = new StringWriter();
    List<Exception> failures = new ArrayList<>();
    int exit =
        new CommandLine(new BenchCommand(), factory(benchmark))
            .setOut(new PrintWriter(out, true))
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  failures.add(failure);
                  return CommandLine.ExitCode.SOFTWARE;
                })
            .execute(
                Stream.concat(
                        Stream.of(name, "--quick", "--out", folder.toString()), Stream.of(options))
                    .toArray(String[]::new));
    for (Exception failure : failures) {
      throw failure;
    }
    assertThat(exit).as(out.toString()).isZero();
    return Results.open(folder.resolve(Benchmark.RESULTS), benchmark.dimensions()).all();
  }

  /** Returns a factory that uses {@code benchmark} for the command of its class. */
  private static CommandLine.IFactory factory(Benchmark benchmark) {
    CommandLine.IFactory others = CommandLine.defaultFactory();
    return new CommandLine.IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        return type == benchmark.getClass() ? type.cast(benchmark) : others.create(type);
      }
    };
  }

  protected static double figure(List<Result> results, String measure, Map<String, String> at) {
    return result(results, measure, at).summary().median();
  }

  /** Returns the only result of {@code measure} that has the given dimensions. */
  protected static Result result(List<Result> results, String measure, Map<String, String> at) {
    List<Result> found =
        results.stream()
            .filter(
                result ->
                    result.measure().equals(measure)
                        && result.at().entrySet().containsAll(at.entrySet()))
            .toList();
    assertThat(found).as("%s at %s of %s", measure, at, results).hasSize(1);
    return found.get(0);
  }

  protected static Map<String, String> with(
      Map<String, String> at, String dimension, String value) {
    Map<String, String> all = new HashMap<>(at);
    all.put(dimension, value);
    return all;
  }
}
