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
package io.phoenixpruning.perf.fanout;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command-line options of {@link FanOutBenchmark}. */
final class FanOutOptions {

  private static final String QUICK = "--quick";

  /** Options that {@link #QUICK} expands to. */
  private static final String[] SMALL = {
    "--regions=20",
    "--servers=2",
    "--heap=512m",
    "--chunk=5",
    "--warm-up=0",
    "--rounds=1",
    "--slice=1",
    "--slices=2",
    "--points=20"
  };

  /** A part of the benchmark. */
  enum Measure {
    WARM,
    COLD,
    MIXED
  }

  @Option(
      names = "--regions",
      defaultValue = "5000",
      description = "Number of regions, at least 10. Default: ${DEFAULT-VALUE}.")
  int regions;

  @Option(
      names = "--servers",
      defaultValue = "4",
      description = "Number of region servers, at least 1. Default: ${DEFAULT-VALUE}.")
  int servers;

  @Option(
      names = "--heap",
      defaultValue = "2g",
      description = "Heap of each region server. Default: ${DEFAULT-VALUE}.")
  String heap;

  @Option(
      names = "--rows",
      defaultValue = "20",
      description =
          "Rows of a region that do not match, at least 2 for each file. Default:"
              + " ${DEFAULT-VALUE}.")
  int rows;

  @Option(
      names = "--files",
      defaultValue = "1",
      description = "Files of each family of a region, at least 1. Default: ${DEFAULT-VALUE}.")
  int files;

  @Option(names = "--compact", description = "Compacts these files into one file.")
  boolean compact;

  @Option(
      names = "--ways",
      split = ",",
      defaultValue = "STOCK,EXACT",
      description = "Ways to measure, any of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  SortedSet<Way> ways = new TreeSet<>();

  @Option(
      names = "--measures",
      split = ",",
      defaultValue = "WARM,COLD,MIXED",
      description = "Parts to run, any of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  SortedSet<Measure> measures = new TreeSet<>();

  @Option(
      names = "--chunk",
      defaultValue = "500",
      description =
          "Maximum number of regions in one probe request, at least 1. Default: ${DEFAULT-VALUE}.")
  int chunk;

  @Option(
      names = "--warm-up",
      defaultValue = "60",
      description = "Seconds of warm-up rounds, at least 0. Default: ${DEFAULT-VALUE}.")
  int warmUp;

  @Option(
      names = "--rounds",
      defaultValue = "11",
      description = "Number of measured rounds, at least 1. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--slice",
      defaultValue = "15",
      description = "Seconds of each slice of mixed load, at least 1. Default: ${DEFAULT-VALUE}.")
  int slice;

  @Option(
      names = "--slices",
      defaultValue = "4",
      description =
          "Slices of mixed load, at least 2. The first slice is not measured. Default:"
              + " ${DEFAULT-VALUE}.")
  int slices;

  @Option(
      names = "--points",
      defaultValue = "100",
      description =
          "Queries of one region per second in the mixed load, at least 1. Default:"
              + " ${DEFAULT-VALUE}.")
  int points;

  @Option(names = QUICK, description = "Makes a small run that only tests the benchmark.")
  boolean quick;

  /**
   * Returns the arguments, with the small options in front if {@code --quick} is given. Later
   * options override earlier ones, so the user's own options win.
   */
  static String[] expand(String... arguments) {
    boolean small = Stream.of(arguments).anyMatch(QUICK::equals);
    return Stream.concat(small ? Stream.of(SMALL) : Stream.empty(), Stream.of(arguments))
        .toArray(String[]::new);
  }

  /**
   * Checks the lower limits of the options.
   *
   * @throws ParameterException if a value is too small
   */
  void check(CommandLine command) {
    atLeast(command, "--regions", regions, 10);
    atLeast(command, "--servers", servers, 1);
    atLeast(command, "--files", files, 1);
    atLeast(command, "--rows", rows, 2 * files);
    atLeast(command, "--chunk", chunk, 1);
    atLeast(command, "--warm-up", warmUp, 0);
    atLeast(command, "--rounds", rounds, 1);
    atLeast(command, "--slice", slice, 1);
    atLeast(command, "--slices", slices, 2);
    atLeast(command, "--points", points, 1);
  }

  private static void atLeast(CommandLine command, String option, int value, int least) {
    if (value < least) {
      throw new ParameterException(
          command, "%s is %d. Expected at least %d".formatted(option, value, least));
    }
  }
}
