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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.phoenix.pruning.probe.ProbeAnswer;
import org.apache.phoenix.pruning.probe.ProbeRequest;
import org.apache.phoenix.pruning.probe.ProbedRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the regions of one request, until its deadline. */
final class ProbeAnswering {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeAnswering.class);

  /** After so many ranges whose rows were too many or took too long, no more are read. */
  private static final int MAX_UNREAD = 4;

  private final RegionCoprocessorEnvironment environment;
  private final ProbeRequest request;
  private final int pageMillis;
  private final long deadlineNanos;

  private int remainingBytes;
  private int unread;

  /**
   * The deadline of the request starts now.
   *
   * @param pageMillis for so long the rows of one region may be read
   */
  ProbeAnswering(RegionCoprocessorEnvironment environment, ProbeRequest request, int pageMillis) {
    this.environment = environment;
    this.request = request;
    this.pageMillis = pageMillis;
    // What a client says is bounded as HBase bounds what any scan may take and return at once.
    Configuration configuration = environment.getConfiguration();
    int maxMillis =
        configuration.getInt(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD)
            / 2;
    this.deadlineNanos =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(Math.min(maxMillis, request.deadlineMillis()));
    long maxBytes =
        configuration.getLong(
            HConstants.HBASE_SERVER_SCANNER_MAX_RESULT_SIZE_KEY,
            HConstants.DEFAULT_HBASE_SERVER_SCANNER_MAX_RESULT_SIZE);
    this.remainingBytes = (int) Math.min(maxBytes, request.maxRowBytes());
  }

  ProbeAnswer answer() {
    List<ProbedRange> ranges = request.ranges();
    ProbeAnswer answer = ProbeAnswer.of(ranges.size());
    for (int i = 0; i < ranges.size() && remainingMillis() > 0; i++) {
      try {
        find(ranges.get(i), i, answer);
      } catch (IOException | RuntimeException e) {
        // Whatever it is, the scan itself will meet it, and tell the user.
        LOGGER.debug("{} has to be scanned: looking at it failed", ranges.get(i), e);
      }
    }
    return answer;
  }

  private long remainingMillis() {
    return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
  }

  private void find(ProbedRange range, int index, ProbeAnswer answer) throws IOException {
    HRegion region = region(range);
    if (region == null) {
      return;
    }
    ProbedRegion probed = new ProbedRegion(region, range, request);
    if (probed.isEmpty()) {
      answer.noRow(index);
    } else if (remainingBytes > 0 && unread < MAX_UNREAD) {
      read(probed, index, answer);
    }
  }

  private void read(ProbedRegion probed, int index, ProbeAnswer answer) throws IOException {
    List<Result> rows = probed.rows(remainingBytes, Math.min(pageMillis, remainingMillis()));
    if (rows == null) {
      unread++;
    } else {
      rows.forEach(row -> remainingBytes -= ProbedRegion.size(row));
      answer.rows(index, rows);
    }
  }

  /** Null if the region is not here, or not as a client would read it. */
  private HRegion region(ProbedRange range) {
    Region region = environment.getOnlineRegions().getRegion(range.region());
    if (!(region instanceof HRegion)) {
      return null;
    }
    RegionInfo info = region.getRegionInfo();
    return info.getTable().equals(environment.getRegionInfo().getTable())
            && info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
            && ((HRegion) region).isAvailable()
        ? (HRegion) region
        : null;
  }
}
