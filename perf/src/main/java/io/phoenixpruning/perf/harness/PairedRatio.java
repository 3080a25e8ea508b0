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
package io.phoenixpruning.perf.harness;

import java.util.Arrays;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * The median of paired ratios, with its 95 % confidence interval. The bounds of the interval are
 * two of the sorted ratios (order statistics), so nothing is assumed about the distribution. With
 * fewer than six ratios, the interval is the whole range of the ratios.
 */
public record PairedRatio(double median, double lower, double upper) {

  private static final double OUTSIDE = 0.05;

  /** Computes the median of {@code ours[i] / base[i]}. */
  public static PairedRatio of(double[] ours, double[] base) {
    if (ours.length == 0 || ours.length != base.length) {
      throw new IllegalArgumentException(
          "Expected pairs of values. Ours: " + ours.length + ", base: " + base.length);
    }
    double[] ratios = new double[ours.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours[i] / base[i];
    }
    Arrays.sort(ratios);
    int count = ratios.length;
    BinomialDistribution below = new BinomialDistribution(null, count, 0.5);
    int skipped = 0;
    while (2 * below.cumulativeProbability(skipped) <= OUTSIDE) {
      skipped++;
    }
    int first = Math.max(0, skipped - 1);
    return new PairedRatio(
        (ratios[(count - 1) / 2] + ratios[count / 2]) / 2,
        ratios[first],
        ratios[count - 1 - first]);
  }
}
