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

/** What to measure, and where. */
final class FanOutOptions {

  private static final String QUICK = "--quick";

  /** What {@link #QUICK} stands for. */
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

  @Option(names = "--regions", defaultValue = "5000", description = "${DEFAULT-VALUE}; from 10 on")
  int regions;

  @Option(
      names = "--servers",
      defaultValue = "4",
      description = "region servers: ${DEFAULT-VALUE}; from 1 on")
  int servers;

  @Option(
      names = "--heap",
      defaultValue = "2g",
      description = "of each region server: ${DEFAULT-VALUE}")
  String heap;

  @Option(
      names = "--rows",
      defaultValue = "20",
      description =
          "in a region, beside those that match: ${DEFAULT-VALUE}; from 2 for each file on")
  int rows;

  @Option(
      names = "--files",
      defaultValue = "1",
      description = "that a family of a region has: ${DEFAULT-VALUE}; from 1 on")
  int files;

  @Option(names = "--compact", description = "make one file of those")
  boolean compact;

  @Option(
      names = "--ways",
      split = ",",
      defaultValue = "STOCK,EXACT",
      description = "of ${COMPLETION-CANDIDATES}: ${DEFAULT-VALUE}")
  SortedSet<Way> ways = new TreeSet<>();

  @Option(
      names = "--measures",
      split = ",",
      defaultValue = "WARM,COLD,MIXED",
      description = "of ${COMPLETION-CANDIDATES}: ${DEFAULT-VALUE}")
  SortedSet<Measure> measures = new TreeSet<>();

  @Option(
      names = "--chunk",
      defaultValue = "500",
      description = "of how many regions a server is asked at a time: ${DEFAULT-VALUE}; from 1 on")
  int chunk;

  @Option(
      names = "--warm-up",
      defaultValue = "60",
      description = "seconds of rounds that do not count: ${DEFAULT-VALUE}; from 0 on")
  int warmUp;

  @Option(names = "--rounds", defaultValue = "11", description = "${DEFAULT-VALUE}; from 1 on")
  int rounds;

  @Option(
      names = "--slice",
      defaultValue = "15",
      description = "seconds of mixed load at a time: ${DEFAULT-VALUE}; from 1 on")
  int slice;

  @Option(
      names = "--slices",
      defaultValue = "4",
      description = "of mixed load, the first of which does not count: ${DEFAULT-VALUE}; from 2 on")
  int slices;

  @Option(
      names = "--points",
      defaultValue = "100",
      description =
          "queries of one region a second, in the mixed load: ${DEFAULT-VALUE}; from 1 on")
  int points;

  @Option(names = QUICK, description = "a small run that measures nothing")
  boolean quick;

  /** The arguments with those in place of {@code --quick} that it stands for; others win. */
  static String[] expand(String... arguments) {
    boolean small = Stream.of(arguments).anyMatch(QUICK::equals);
    return Stream.concat(small ? Stream.of(SMALL) : Stream.empty(), Stream.of(arguments))
        .toArray(String[]::new);
  }

  /**
   * Checks what the types of the options do not say.
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
          command, "%s is %d, but has to be from %d on".formatted(option, value, least));
    }
  }
}
