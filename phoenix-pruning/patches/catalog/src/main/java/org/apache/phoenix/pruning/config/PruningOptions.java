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
package org.apache.phoenix.pruning.config;

import java.sql.Connection;
import java.sql.SQLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.query.HBaseFactoryProvider;
import org.jspecify.annotations.Nullable;

/**
 * Options of a connection, which come from its properties, its URL, system properties,
 * hbase-site.xml, or the defaults, in this order.
 */
public final class PruningOptions {

  /**
   * Pruning mode: {@code exact} (default), {@code stock} or {@code none}. See {@link PruningMode}.
   */
  public static final String MODE = "phoenix.pruning.mode";

  /**
   * Switch for verification, {@code false} by default. If {@code true}, a statement also searches
   * the regions that are not planned, and fails if one of them holds a matching row.
   */
  public static final String VERIFY = "phoenix.pruning.verify";

  /** Switch that makes EXPLAIN list the compared plans, {@code false} by default. */
  public static final String EXPLAIN_CANDIDATES = "phoenix.pruning.explain.candidates";

  /**
   * Switch for the lines about regions in EXPLAIN, {@code true} by default. If {@code false},
   * EXPLAIN prints the text of Phoenix.
   */
  public static final String EXPLAIN_REGIONS = "phoenix.pruning.explain.regions";

  /**
   * Maximum number of regions that a query may scan in each table or index; 1 or more, unlimited by
   * default. A query that would scan more regions is refused before its first scan.
   */
  public static final String MAX_REGIONS = "phoenix.pruning.max.regions";

  /**
   * Switch for server probes, {@code true} by default. If many regions of a local index are
   * planned, the client asks each server which of its regions can have a row. Only these regions
   * are then scanned. If {@code false}, all planned regions are scanned.
   */
  public static final String PROBE = "phoenix.pruning.probe.enabled";

  /** Minimum number of planned scans before servers are probed; 2 or more, 64 by default. */
  public static final String PROBE_MIN_REGIONS = "phoenix.pruning.probe.min.regions";

  /** Maximum number of regions in a request to a server; 2 or more, 500 by default. */
  public static final String PROBE_BATCH_REGIONS = "phoenix.pruning.probe.batch.regions";

  /**
   * Maximum size of the rows in all probe answers for a statement, in kilobytes; 512 by default, 0
   * for no rows. A region whose rows are in an answer is not scanned.
   */
  public static final String PROBE_ROWS_KB = "phoenix.pruning.probe.rows.kb";

  /**
   * Time in milliseconds that a statement waits until a probe can be sent, and then again for its
   * answer; 1 or more, 500 by default.
   */
  public static final String PROBE_DEADLINE_MS = "phoenix.pruning.probe.deadline.ms";

  /**
   * Maximum number of scans of one statement that run at a time; 1 or more, 64 by default. The
   * number never exceeds half of the threads that all statements share.
   */
  public static final String SCAN_CONCURRENCY = "phoenix.pruning.scan.concurrency";

  /**
   * Defects of Phoenix to fix: {@code all} (default), {@code local-index} or {@code none}. {@code
   * all,-key-order} leaves one patch out, and {@code none,+key-order} adds one. See {@link
   * PatchSet}.
   */
  public static final String PATCHES = "phoenix.pruning.patches";

  /**
   * Setting of a region server: maximum number of checks of local indexes at a time; 0 for none.
   */
  public static final String SERVER_CHECK_CONCURRENCY = "phoenix.pruning.check.concurrency";

  /** Setting of a region server: share of its scan handlers for probes, from 0 (none) to 1. */
  public static final String SERVER_PROBE_SHARE = "phoenix.pruning.probe.handlers.share";

  /**
   * Setting of a region server: maximum time in milliseconds, at least 1, of each of the two steps
   * of a probe. The server checks one region, and then reads its rows.
   */
  public static final String SERVER_PROBE_PAGE_MS = "phoenix.pruning.probe.page.ms";

  /** Stores the options in a connection, so that they are read only once. */
  public interface Holder {

    /** Returns the options, or null if they have not been read yet. */
    @Nullable PruningOptions getPruningOptions();

    void setPruningOptions(PruningOptions options);
  }

  /**
   * Content of hbase-site.xml. The query services of a connection are not used, because they
   * contain the properties of the first connection that used them.
   */
  static final class Site {
    static final Configuration CONFIGURATION =
        withNamesChecked(HBaseFactoryProvider.getConfigurationFactory().getConfiguration());

    /** Logs one WARN for each unknown setting in {@code site}. Returns {@code site}. */
    static Configuration withNamesChecked(Configuration site) {
      SettingSource.warnUnknownNames(site, Settings.NAMES);
      return site;
    }
  }

  private final PruningMode mode;
  private final PatchSet patches;
  private final boolean verify;
  private final boolean explainCandidates;
  private final boolean explainRegions;
  private final int maxRegions;
  private final ProbeOptions probe;
  private final int scanConcurrency;

  private PruningOptions(SettingSource source) throws SQLException {
    mode = source.read(Settings.MODE);
    PatchSet configured = source.read(Settings.PATCHES);
    if (mode != PruningMode.STOCK && source.isSetByCaller(Settings.PATCHES)) {
      checkJvmPatches(configured);
    }
    patches = mode == PruningMode.STOCK ? PatchSet.NONE : configured.usable();
    verify = source.read(Settings.VERIFY);
    explainCandidates = source.read(Settings.EXPLAIN_CANDIDATES);
    explainRegions = source.read(Settings.EXPLAIN_REGIONS);
    maxRegions = source.read(Settings.MAX_REGIONS);
    probe =
        new ProbeOptions(
            source.read(Settings.PROBE),
            source.read(Settings.PROBE_MIN_REGIONS),
            source.read(Settings.PROBE_BATCH_REGIONS),
            source.read(Settings.PROBE_ROWS_KB),
            source.read(Settings.PROBE_DEADLINE_MS));
    scanConcurrency = source.read(Settings.SCAN_CONCURRENCY);
  }

  private static void checkJvmPatches(PatchSet patches) throws SQLException {
    for (Patch patch : Patch.values()) {
      if (patch.scope() == Patch.Scope.JVM
          && patches.isNamed(patch)
          && patches.has(patch) != Patches.isOn(patch)) {
        throw SettingSource.refusal(
            String.format(
                "%s is '%s' for a connection, but %s can only be on or off for the whole JVM. Use a"
                    + " system property, or hbase-site.xml on the class path",
                PATCHES, patches, patch.id()));
      }
    }
  }

  /**
   * Returns the options of {@code connection}. The options are read when the connection opens, or
   * at the first call if the driver did not open the connection.
   *
   * @throws SQLException if an option has an unknown name or an invalid value
   */
  public static PruningOptions of(PhoenixConnection connection) throws SQLException {
    Holder holder = (Holder) connection;
    PruningOptions options = holder.getPruningOptions();
    if (options == null) {
      options = of(connection, Site.CONFIGURATION);
      holder.setPruningOptions(options);
    }
    return options;
  }

  /**
   * Returns the options of {@code connection}, with {@code site} as the content of hbase-site.xml.
   */
  static PruningOptions of(PhoenixConnection connection, Configuration site) throws SQLException {
    SettingSource source = new SettingSource(connection, site);
    source.checkNames(Settings.NAMES);
    return new PruningOptions(source);
  }

  /**
   * Returns the mode of {@code connection}.
   *
   * @throws SQLException if an option has an unknown name or an invalid value
   */
  public static PruningMode modeOf(PhoenixConnection connection) throws SQLException {
    return of(connection).mode;
  }

  /**
   * Checks the options of {@code connection}, and closes the connection if they are refused.
   *
   * @throws SQLException if an option has an unknown name or an invalid value
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

  public PruningMode mode() {
    return mode;
  }

  /** Returns the patches that are on, which are none in mode {@code stock}. */
  public PatchSet patches() {
    return patches;
  }

  public boolean verify() {
    return verify;
  }

  public boolean explainCandidates() {
    return explainCandidates;
  }

  public boolean explainRegions() {
    return explainRegions;
  }

  /**
   * Returns how many regions a query may scan in each table or index, or {@link Integer#MAX_VALUE}
   * if there is no limit.
   */
  public int maxRegions() {
    return maxRegions;
  }

  /** Returns how many scans of one statement may run at a time. */
  public int scanConcurrency() {
    return scanConcurrency;
  }

  /** Returns the options of server probes. */
  public ProbeOptions probe() {
    return probe;
  }

  @Override
  public String toString() {
    return MODE
        + "="
        + mode.configured()
        + ", "
        + PATCHES
        + "="
        + patches
        + ", "
        + VERIFY
        + "="
        + verify
        + ", "
        + EXPLAIN_CANDIDATES
        + "="
        + explainCandidates
        + ", "
        + EXPLAIN_REGIONS
        + "="
        + explainRegions
        + ", "
        + MAX_REGIONS
        + "="
        + maxRegions
        + ", probe "
        + probe
        + ", "
        + SCAN_CONCURRENCY
        + "="
        + scanConcurrency;
  }
}
