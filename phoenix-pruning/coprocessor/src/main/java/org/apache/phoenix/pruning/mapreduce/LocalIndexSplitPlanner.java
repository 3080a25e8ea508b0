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
package org.apache.phoenix.pruning.mapreduce;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionUtils;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.mapreduce.PhoenixInputSplit;
import org.apache.phoenix.mapreduce.util.PhoenixConfigurationUtil;
import org.apache.phoenix.pruning.optimize.PlanStampCheck;
import org.apache.phoenix.pruning.scan.ReaderScans;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the scans of a MapReduce input split again if regions have changed since the driver planned
 * them. The split reads a local index.
 *
 * <p>A reader plans its split for the current regions when it is initialized. If a region changes
 * before the first row, the reader plans again. If a region changes later, the reader fails,
 * because the mapper already has some of the rows. The framework then starts another attempt of the
 * task.
 */
public final class LocalIndexSplitPlanner {

  /** Stores the planner of a record reader's split. */
  public interface Holder {

    /** Returns the planner of the split, or null if Phoenix's own code reads the split. */
    @Nullable LocalIndexSplitPlanner getSplitPlanner();

    void setSplitPlanner(@Nullable LocalIndexSplitPlanner planner);
  }

  private static final Logger LOG = LoggerFactory.getLogger(LocalIndexSplitPlanner.class);

  private final InputSplit split;
  private final ReaderScans scans;
  private final TaskAttemptContext task;
  private int changes;
  private boolean hasReturnedRows;

  private LocalIndexSplitPlanner(InputSplit split, ReaderScans scans, TaskAttemptContext task) {
    this.split = split;
    this.scans = scans;
    this.task = task;
  }

  /**
   * Returns the planner of {@code split}. Returns null in these cases, in which Phoenix's own code
   * reads the split:
   *
   * <ul>
   *   <li>The mode is {@code stock}.
   *   <li>The job reads a snapshot.
   *   <li>The scans were not planned for regions of a local index.
   *   <li>It is not known which part of {@code plan} reads the scans.
   * </ul>
   */
  public static @Nullable LocalIndexSplitPlanner of(
      QueryPlan plan, InputSplit split, TaskAttemptContext task) throws IOException {
    if (!(split instanceof PhoenixInputSplit)
        || task.getConfiguration().get(PhoenixConfigurationUtil.SNAPSHOT_NAME_KEY) != null) {
      return null;
    }
    List<Scan> planned = ((PhoenixInputSplit) split).getScans();
    try {
      QueryPlan reader = PlanStampCheck.readerOf(plan, planned.get(0));
      ReaderScans scans = reader == null ? null : ReaderScans.of(reader, planned);
      return scans == null ? null : new LocalIndexSplitPlanner(split, scans, task);
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  public boolean isOf(InputSplit other) {
    return split == other;
  }

  public InputSplit split() {
    return split;
  }

  public TaskAttemptContext task() {
    return task;
  }

  /**
   * Begins to read the split, and returns a split with scans of the current regions that read the
   * same rows.
   */
  public InputSplit inCurrentRegions() throws IOException {
    hasReturnedRows = false;
    try {
      return new PhoenixInputSplit(scans.inCurrentRegions());
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Records that the mapper has a row of the split. */
  public void recordRow() {
    hasReturnedRows = true;
  }

  /**
   * Waits until the split can be planned again after {@code failure}.
   *
   * @throws IOException if the mapper already has rows, or if regions change too often
   * @throws RuntimeException {@code failure} itself, if no region has changed
   */
  public void prepareToPlanAgain(RuntimeException failure) throws IOException {
    Configuration configuration = task.getConfiguration();
    Throwable change = changeOf(failure);
    if (change == null) {
      throw failure;
    }
    int maximum =
        configuration.getInt(
            HConstants.HBASE_CLIENT_RETRIES_NUMBER, HConstants.DEFAULT_HBASE_CLIENT_RETRIES_NUMBER);
    if (hasReturnedRows) {
      throw failed("after the task had read rows of its split", change);
    }
    if (changes >= maximum) {
      throw failed("again after the split had been planned " + (changes + 1) + " times", change);
    }
    LOG.info("Planning the split for {} again: {}", scans.describeRegions(), change.getMessage());
    long pause =
        configuration.getLong(HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE);
    try {
      Thread.sleep(ConnectionUtils.getPauseTime(pause, changes++));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(e.getMessage()).initCause(e);
    }
  }

  private IOException failed(String when, Throwable change) {
    return new IOException(
        "A region has split, merged or moved "
            + when
            + ". The task reads these regions: "
            + scans.describeRegions()
            + ". This attempt of the task has failed. The next attempt plans the split for the"
            + " current regions",
        change);
  }

  /**
   * Returns the first {@code StaleRegionBoundaryCacheException} among the causes of {@code
   * failure}, or null if there is none.
   */
  private static @Nullable Throwable changeOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StaleRegionBoundaryCacheException) {
        return cause;
      }
    }
    return null;
  }
}
