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

import io.phoenixpruning.cli.RefusedException;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * What a query along a local index takes, by the number of regions: fitted to a run of {@code bench
 * fanout}, in which all processes shared one machine, and taken to a cluster.
 *
 * <p>A query of n scans takes {@code fixed + n * work / cores}, where all the machine's cores work
 * for it. On a cluster, a share of the work is the client's, and the rest is spread over the
 * servers; with a network, each scan waits for a round trip, too, and so many are under way at a
 * time. The longest of these three is the time.
 */
final class FanOutModel {

  /** How much of the work of a scan is the client's: not known from times of one machine. */
  private static final double CLIENT_SHARE = 0.5;

  /** Lookups of stock's client that has forgotten where a region is: of its start, and its end. */
  private static final int LOOKUPS_OF_REGION = 2;

  /** Where all are needed, our client reads as many rows of hbase:meta at a time. */
  private static final int REGIONS_OF_LOOKUP = 100;

  /** How many requests of stock's client, and of ours, are under way at a time by default. */
  private static final int STOCK_IN_FLIGHT = 128;

  private static final int IN_FLIGHT = 64;

  /**
   * A cluster.
   *
   * @param servers region servers
   * @param regions of the table, spread evenly
   * @param roundTripMillis of a request
   * @param serverCores of each server
   * @param clientCores of the client
   */
  record Cluster(
      int servers, int regions, double roundTripMillis, int serverCores, int clientCores) {}

  /**
   * A line through measured medians.
   *
   * @param fixedMillis where it begins
   * @param microsOfRegion for each region
   * @param errorMicros the standard error of that
   * @param determination from 0 to 1, how much of the differences it explains
   */
  record Line(double fixedMillis, double microsOfRegion, double errorMicros, double determination) {

    double millis(long regions) {
      return fixedMillis + regions * microsOfRegion / 1e3;
    }
  }

  private final List<Result> results;
  private final int cores;

  /**
   * A model of a run.
   *
   * @param cores of its machine
   */
  FanOutModel(List<Result> results, int cores) {
    this.results = List.copyOf(results);
    this.cores = cores;
  }

  /** Through the times of queries that any region may have a row of, of a warm client. */
  Line all(Way way) {
    return line(Map.of("condition", "all regions", "locations", "warm"), way);
  }

  /** Through the times of a point query of a client that has forgotten where regions are. */
  Line coldPoint(Way way) {
    return line(Map.of("condition", "point", "locations", "cold"), way);
  }

  private Line line(Map<String, String> at, Way way) {
    SimpleRegression regression = new SimpleRegression();
    results.stream()
        .filter(result -> result.measure().equals("latency"))
        .filter(result -> result.at().get("layout").equals("natural"))
        .filter(result -> result.at().get("way").equals(way.title()))
        .filter(result -> result.at().entrySet().containsAll(at.entrySet()))
        .forEach(
            result ->
                regression.addData(
                    Integer.parseInt(result.at().get("regions")), result.summary().median()));
    if (regression.getN() < 3) {
      throw new RefusedException(
          "the run has %d numbers of regions for %s in the natural layout, but a line needs 3 at least: run 'bench fanout' with more --regions"
              .formatted(regression.getN(), way.title()));
    }
    return new Line(
        Math.max(0, regression.getIntercept()),
        Math.max(0, regression.getSlope() * 1e3),
        regression.getSlopeStdErr() * 1e3,
        regression.getRSquare());
  }

  /** The scan RPCs of a query that any region may have a row of; probes if nobody has one. */
  static long rpcs(Way way, Cluster cluster, int chunk) {
    return way == Way.PROBE
        ? (long) cluster.servers * ceil(cluster.regions, (long) cluster.servers * chunk)
        : cluster.regions;
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** Milliseconds of such a query. */
  double millis(Way way, Cluster cluster, int chunk) {
    Line line = all(way);
    double work = line.microsOfRegion / 1e3 * cores;
    double ofClient = cluster.regions * work * CLIENT_SHARE / cluster.clientCores;
    double ofServers =
        cluster.regions
            * work
            * (1 - CLIENT_SHARE)
            / ((double) cluster.servers * cluster.serverCores);
    long rpcs = rpcs(way, cluster, chunk);
    double ofRequest = (double) cluster.regions / rpcs * work * (1 - CLIENT_SHARE);
    double ofNetwork =
        (double) ceil(rpcs, way == Way.STOCK ? STOCK_IN_FLIGHT : IN_FLIGHT)
            * (cluster.roundTripMillis + ofRequest);
    return line.fixedMillis + Math.max(ofClient, Math.max(ofServers, ofNetwork));
  }

  /**
   * Milliseconds of a point query of a client that has forgotten where regions are. Stock's looks
   * up all of them, one after the other; without pruning all of them are scanned, too.
   */
  double coldPointMillis(Way way, Cluster cluster, int chunk) {
    return switch (way) {
      case NONE ->
          millis(way, cluster, chunk)
              + ceil(cluster.regions, REGIONS_OF_LOOKUP) * cluster.roundTripMillis;
      case STOCK ->
          coldPoint(way).millis(cluster.regions)
              + (double) LOOKUPS_OF_REGION * cluster.regions * cluster.roundTripMillis;
      case EXACT, PROBE -> coldPoint(way).millis(0) + LOOKUPS_OF_REGION * cluster.roundTripMillis;
    };
  }
}
