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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Way;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Predicts the time of a query along a local index on a cluster, by the number of regions. The
 * model is fitted to a run of {@code bench fanout}, in which all processes share one machine.
 *
 * <p>On one machine, a query of n scans takes {@code fixed + n * work / cores}, because all cores
 * work for it. On a cluster, the client does a share of the work, and the servers divide the rest
 * among them. Each scan also waits for a network round trip, and a limited number of scans is in
 * flight at a time. The predicted time is {@code fixed} plus the longest of these three times.
 */
final class FanOutModel {

  /**
   * Share of the work of a scan that the client does. Measurements on one machine cannot show it.
   */
  private static final double CLIENT_SHARE = 0.5;

  /**
   * Lookups per region by stock's client without cached locations: of the region's start and of its
   * end.
   */
  private static final int LOOKUPS_PER_REGION = 2;

  /** Number of rows of hbase:meta that our client reads in a request if it needs all regions. */
  private static final int REGIONS_PER_LOOKUP = 100;

  /** Default numbers of requests in flight, for stock's client and for ours. */
  private static final int MAX_IN_FLIGHT_STOCK = 128;

  private static final int MAX_IN_FLIGHT = 64;

  /**
   * A cluster for which times are predicted.
   *
   * @param servers number of region servers
   * @param regions number of regions of the table, spread evenly over the servers
   * @param roundTripMillis network round trip of a request
   * @param serverCores cores of each server
   * @param clientCores cores of the client
   */
  record Cluster(
      int servers, int regions, double roundTripMillis, int serverCores, int clientCores) {}

  /**
   * A regression line through measured medians.
   *
   * @param fixedMillis intercept
   * @param microsOfRegion slope, for each region
   * @param errorMicros standard error of the slope
   * @param determination coefficient of determination (R²), from 0 to 1
   */
  record Line(double fixedMillis, double microsOfRegion, double errorMicros, double determination) {

    double millis(long regions) {
      return fixedMillis + regions * microsOfRegion / 1e3;
    }
  }

  private final List<Result> results;
  private final int cores;

  /**
   * Creates a model of a run.
   *
   * @param results results of the run
   * @param cores cores of the run's machine
   */
  FanOutModel(List<Result> results, int cores) {
    this.results = List.copyOf(results);
    this.cores = cores;
  }

  /**
   * Returns the line for queries for which any region may have a row, with cached region locations.
   */
  Line warmFanOutLine(Way way) {
    return line(Map.of("condition", "all regions", "locations", "warm"), way);
  }

  /** Returns the line for point queries of a client without cached region locations. */
  Line coldPointLine(Way way) {
    return line(Map.of("condition", "point", "locations", "cold"), way);
  }

  private Line line(Map<String, String> at, Way way) {
    SimpleRegression regression = new SimpleRegression();
    results.stream()
        .filter(result -> result.measure().equals("latency"))
        .filter(result -> "natural".equals(result.at().get("layout")))
        .filter(result -> way.title().equals(result.at().get("way")))
        .filter(result -> result.at().entrySet().containsAll(at.entrySet()))
        .forEach(
            result ->
                regression.addData(
                    Integer.parseInt(result.at().get("regions")), result.summary().median()));
    if (regression.getN() < 3) {
      throw new RefusedException(
          ("numbers of regions that the run measured for %s in the natural layout: %d. Expected at"
                  + " least 3. Run 'bench fanout' with more --regions")
              .formatted(way.title(), regression.getN()));
    }
    return new Line(
        Math.max(0, regression.getIntercept()),
        Math.max(0, regression.getSlope() * 1e3),
        regression.getSlopeStdErr() * 1e3,
        regression.getRSquare());
  }

  /**
   * Returns the number of scan RPCs of a query for which any region may have a row. For {@link
   * Way#PROBE}, returns the number of probes if no region has a row.
   */
  static long rpcs(Way way, Cluster cluster, int batchRegions) {
    return way == Way.PROBE
        ? (long) cluster.servers * ceil(cluster.regions, (long) cluster.servers * batchRegions)
        : cluster.regions;
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** Returns the milliseconds of a query for which any region may have a row. */
  double millis(Way way, Cluster cluster, int batchRegions) {
    Line line = warmFanOutLine(way);
    double work = line.microsOfRegion / 1e3 * cores;
    double clientMillis = cluster.regions * work * CLIENT_SHARE / cluster.clientCores;
    double serverMillis =
        cluster.regions
            * work
            * (1 - CLIENT_SHARE)
            / ((double) cluster.servers * cluster.serverCores);
    long rpcs = rpcs(way, cluster, batchRegions);
    double requestMillis = (double) cluster.regions / rpcs * work * (1 - CLIENT_SHARE);
    double networkMillis =
        (double) ceil(rpcs, way == Way.STOCK ? MAX_IN_FLIGHT_STOCK : MAX_IN_FLIGHT)
            * (cluster.roundTripMillis + requestMillis);
    return line.fixedMillis + Math.max(clientMillis, Math.max(serverMillis, networkMillis));
  }

  /**
   * Returns the milliseconds of a point query of a client without cached region locations. Stock's
   * client looks up all regions, one after the other. Without pruning, all regions are also
   * scanned.
   */
  double coldPointMillis(Way way, Cluster cluster, int batchRegions) {
    return switch (way) {
      case NONE ->
          millis(way, cluster, batchRegions)
              + ceil(cluster.regions, REGIONS_PER_LOOKUP) * cluster.roundTripMillis;
      case STOCK ->
          coldPointLine(way).millis(cluster.regions)
              + (double) LOOKUPS_PER_REGION * cluster.regions * cluster.roundTripMillis;
      case EXACT, PROBE ->
          coldPointLine(way).millis(0) + LOOKUPS_PER_REGION * cluster.roundTripMillis;
    };
  }
}
