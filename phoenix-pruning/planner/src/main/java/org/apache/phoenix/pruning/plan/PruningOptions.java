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
package org.apache.phoenix.pruning.plan;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.probe.ProbeOptions;
import org.apache.phoenix.query.HBaseFactoryProvider;
import org.apache.phoenix.util.JDBCUtil;

/** What the user chose: by URL or connection property, else by hbase-site.xml, else the default. */
public final class PruningOptions {

  /** {@code exact} (the default), {@code stock} or {@code none}: see {@link PruningMode}. */
  public static final String MODE = "phoenix.pruning.mode";

  /**
   * {@code true}: look for matching rows in the regions that are not planned, and fail if there is
   * one. {@code false}, the default: do not.
   */
  public static final String VERIFY = "phoenix.pruning.verify";

  /**
   * {@code true}: EXPLAIN says which plans were weighed. {@code false}, the default: it does not.
   */
  public static final String EXPLAIN_CANDIDATES = "phoenix.pruning.explain.candidates";

  /**
   * How many regions a scan of a query may read, from 1 on; any number by default. A query that
   * would read more is refused before it reads the first one.
   */
  public static final String MAX_REGIONS = "phoenix.pruning.max.regions";

  /**
   * {@code true}, the default: where many regions of a local index are planned, ask each server
   * which of them can have a row, and scan only those. {@code false}: scan them all.
   */
  public static final String PROBE = "phoenix.pruning.probe.enabled";

  /** From how many planned scans on servers are asked, from 2 on; 64 by default. */
  public static final String PROBE_MIN_REGIONS = "phoenix.pruning.probe.min.regions";

  /** For how many scans a server is asked at once, from 2 on; 500 by default. */
  public static final String PROBE_CHUNK_REGIONS = "phoenix.pruning.probe.chunk.regions";

  /**
   * How many kilobytes of rows the answers for a statement may carry, so that these need not be
   * scanned; 512 by default, 0 for none.
   */
  public static final String PROBE_ROWS_KB = "phoenix.pruning.probe.rows.kb";

  /** How many milliseconds a statement waits for the answers, from 1 on; 500 by default. */
  public static final String PROBE_DEADLINE_MS = "phoenix.pruning.probe.deadline.ms";

  /**
   * How many scans of one statement may run at a time, from 1 on; 32 by default, and never more
   * than half of the threads that all statements have.
   */
  public static final String FAN_OUT_TASKS = "phoenix.pruning.fanout.tasks";

  /**
   * What hbase-site.xml says. The query services of a connection do not tell: they have taken over
   * the properties of the first connection that used them.
   */
  private static final class Site {
    static final Configuration CONFIGURATION =
        HBaseFactoryProvider.getConfigurationFactory().getConfiguration();
  }

  private final PruningMode mode;
  private final boolean verify;
  private final boolean explainCandidates;
  private final int maxRegions;
  private final ProbeOptions probe;
  private final int fanOutTasks;

  private PruningOptions(
      PruningMode mode,
      boolean verify,
      boolean explainCandidates,
      int maxRegions,
      ProbeOptions probe,
      int fanOutTasks) {
    this.mode = mode;
    this.verify = verify;
    this.explainCandidates = explainCandidates;
    this.maxRegions = maxRegions;
    this.probe = probe;
    this.fanOutTasks = fanOutTasks;
  }

  /**
   * The options of {@code connection}.
   *
   * @throws SQLException if an option has a value that does not exist
   */
  public static PruningOptions of(PhoenixConnection connection) throws SQLException {
    return of(connection, Site.CONFIGURATION);
  }

  /** The options of {@code connection}, where hbase-site.xml says {@code site}. */
  static PruningOptions of(PhoenixConnection connection, Configuration site) throws SQLException {
    return new PruningOptions(
        mode(connection, site),
        isTrue(connection, site, VERIFY, false),
        isTrue(connection, site, EXPLAIN_CANDIDATES, false),
        wholeNumber(connection, site, MAX_REGIONS, 1, Integer.MAX_VALUE),
        new ProbeOptions(
            isTrue(connection, site, PROBE, true),
            wholeNumber(connection, site, PROBE_MIN_REGIONS, 2, 64),
            wholeNumber(connection, site, PROBE_CHUNK_REGIONS, 2, 500),
            wholeNumber(connection, site, PROBE_ROWS_KB, 0, 512),
            wholeNumber(connection, site, PROBE_DEADLINE_MS, 1, 500)),
        wholeNumber(connection, site, FAN_OUT_TASKS, 1, 64));
  }

  /**
   * The mode of {@code connection} alone, which is asked for often.
   *
   * @throws SQLException if it does not exist
   */
  public static PruningMode modeOf(PhoenixConnection connection) throws SQLException {
    return mode(connection, Site.CONFIGURATION);
  }

  /**
   * Closes {@code connection} if its options are refused.
   *
   * @throws SQLException if an option has a value that does not exist
   */
  public static void check(Connection connection) throws SQLException {
    if (connection instanceof PhoenixConnection) {
      try {
        of((PhoenixConnection) connection);
      } catch (SQLException refused) {
        try {
          connection.close();
        } catch (SQLException e) {
          refused.addSuppressed(e);
        }
        throw refused;
      }
    }
  }

  private static PruningMode mode(PhoenixConnection connection, Configuration site)
      throws SQLException {
    String value = value(connection, site, MODE, PruningMode.EXACT.configured());
    for (PruningMode mode : PruningMode.values()) {
      if (mode.configured().equalsIgnoreCase(value.trim())) {
        return mode;
      }
    }
    throw refusal(
        connection,
        MODE,
        value,
        Arrays.stream(PruningMode.values())
            .map(PruningMode::configured)
            .collect(Collectors.joining(", ", "one of: ", "")));
  }

  private static boolean isTrue(
      PhoenixConnection connection, Configuration site, String option, boolean byDefault)
      throws SQLException {
    String value = value(connection, site, option, Boolean.toString(byDefault));
    String trimmed = value.trim();
    if (!trimmed.equalsIgnoreCase("true") && !trimmed.equalsIgnoreCase("false")) {
      throw refusal(connection, option, value, "one of: true, false");
    }
    return trimmed.equalsIgnoreCase("true");
  }

  private static int wholeNumber(
      PhoenixConnection connection, Configuration site, String option, int smallest, int byDefault)
      throws SQLException {
    String value = value(connection, site, option, Integer.toString(byDefault));
    try {
      int number = Integer.parseInt(value.trim());
      if (number >= smallest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused as a number that is too small is.
    }
    throw refusal(
        connection, option, value, "a whole number from " + smallest + " to " + Integer.MAX_VALUE);
  }

  private static String value(
      PhoenixConnection connection, Configuration site, String name, String byDefault)
      throws SQLException {
    String own = ownValue(connection, name);
    return own == null ? site.get(name, byDefault) : own;
  }

  /** Null if neither the properties of {@code connection} nor its URL have it. */
  private static String ownValue(PhoenixConnection connection, String name) throws SQLException {
    return JDBCUtil.findProperty(connection.getURL(), connection.getClientInfo(), name);
  }

  private static SQLException refusal(
      PhoenixConnection connection, String option, String value, String allowed)
      throws SQLException {
    String origin =
        ownValue(connection, option) == null
            ? "hbase-site.xml on the client's class path"
            : "the properties or the URL of the connection";
    return new SQLExceptionInfo.Builder(SQLExceptionCode.ILLEGAL_DATA)
        .setMessage(
            String.format(
                "%s is '%s', but has to be %s. It comes from %s", option, value, allowed, origin))
        .build()
        .buildException();
  }

  public PruningMode mode() {
    return mode;
  }

  public boolean verify() {
    return verify;
  }

  public boolean explainCandidates() {
    return explainCandidates;
  }

  /** How many regions a scan may read; {@link Integer#MAX_VALUE} if any number. */
  public int maxRegions() {
    return maxRegions;
  }

  /** How many scans of one statement may run at a time. */
  public int fanOutTasks() {
    return fanOutTasks;
  }

  /** Whether and how servers are asked before regions are scanned. */
  public ProbeOptions probe() {
    return probe;
  }

  @Override
  public String toString() {
    return MODE
        + "="
        + mode.configured()
        + ", "
        + VERIFY
        + "="
        + verify
        + ", "
        + EXPLAIN_CANDIDATES
        + "="
        + explainCandidates
        + ", "
        + MAX_REGIONS
        + "="
        + maxRegions
        + ", probe "
        + probe
        + ", "
        + FAN_OUT_TASKS
        + "="
        + fanOutTasks;
  }
}
