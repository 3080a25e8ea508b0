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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.query.HBaseFactoryProvider;
import org.apache.phoenix.util.QueryUtil;
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
   * Maximum number of regions that a scan of a query reads; 1 or more, unlimited by default. A
   * query that would read more regions is refused before it reads any.
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
   * Setting of a region server: maximum time to read the rows of one region for an answer to a
   * probe, in milliseconds; at least 1.
   */
  public static final String SERVER_PROBE_PAGE_MS = "phoenix.pruning.probe.page.ms";

  private static final Setting<PruningMode> MODE_SETTING =
      Setting.oneOf(MODE, PruningMode.EXACT, PruningMode.values());

  private static final Setting<PatchSet> PATCHES_SETTING =
      Setting.of(PATCHES, PatchSet.ALL, PatchSet.allowed(), PatchSet::parse)
          .withLenientSiteParser(PatchSet::parseUsable, PruningOptions::explain);

  private static final Setting<Boolean> VERIFY_SETTING = Setting.trueOrFalse(VERIFY, false);

  private static final Setting<Boolean> EXPLAIN_CANDIDATES_SETTING =
      Setting.trueOrFalse(EXPLAIN_CANDIDATES, false);

  private static final Setting<Boolean> EXPLAIN_REGIONS_SETTING =
      Setting.trueOrFalse(EXPLAIN_REGIONS, true);

  private static final Setting<Integer> MAX_REGIONS_SETTING =
      Setting.wholeNumber(MAX_REGIONS, 1, Integer.MAX_VALUE);

  private static final Setting<Boolean> PROBE_SETTING = Setting.trueOrFalse(PROBE, true);

  private static final Setting<Integer> PROBE_MIN_REGIONS_SETTING =
      Setting.wholeNumber(PROBE_MIN_REGIONS, 2, 64);

  private static final Setting<Integer> PROBE_BATCH_REGIONS_SETTING =
      Setting.wholeNumber(PROBE_BATCH_REGIONS, 2, 500)
          .withFormerName("phoenix.pruning.probe.chunk.regions");

  private static final Setting<Integer> PROBE_ROWS_KB_SETTING =
      Setting.wholeNumber(PROBE_ROWS_KB, 0, 512);

  private static final Setting<Integer> PROBE_DEADLINE_MS_SETTING =
      Setting.wholeNumber(PROBE_DEADLINE_MS, 1, 500);

  private static final Setting<Integer> SCAN_CONCURRENCY_SETTING =
      Setting.wholeNumber(SCAN_CONCURRENCY, 1, 64).withFormerName("phoenix.pruning.fanout.tasks");

  private static final List<Setting<?>> SETTINGS =
      Collections.unmodifiableList(
          Arrays.asList(
              MODE_SETTING,
              PATCHES_SETTING,
              VERIFY_SETTING,
              EXPLAIN_CANDIDATES_SETTING,
              EXPLAIN_REGIONS_SETTING,
              MAX_REGIONS_SETTING,
              PROBE_SETTING,
              PROBE_MIN_REGIONS_SETTING,
              PROBE_BATCH_REGIONS_SETTING,
              PROBE_ROWS_KB_SETTING,
              PROBE_DEADLINE_MS_SETTING,
              SCAN_CONCURRENCY_SETTING));

  /** Names of the settings that only region servers read. */
  private static final List<String> SERVER_SETTINGS =
      Collections.unmodifiableList(
          Arrays.asList(SERVER_CHECK_CONCURRENCY, SERVER_PROBE_SHARE, SERVER_PROBE_PAGE_MS));

  private static final Set<String> KNOWN_NAMES = new TreeSet<>(SERVER_SETTINGS);

  static {
    for (Setting<?> setting : SETTINGS) {
      KNOWN_NAMES.addAll(setting.names());
    }
  }

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
  private static final class Site {
    static final Configuration CONFIGURATION =
        HBaseFactoryProvider.getConfigurationFactory().getConfiguration();
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
    mode = source.read(MODE_SETTING);
    PatchSet configured = source.read(PATCHES_SETTING);
    if (mode != PruningMode.STOCK && source.isSetByCaller(PATCHES_SETTING)) {
      checkJvmPatches(configured);
    }
    patches = mode == PruningMode.STOCK ? PatchSet.NONE : configured.usable();
    verify = source.read(VERIFY_SETTING);
    explainCandidates = source.read(EXPLAIN_CANDIDATES_SETTING);
    explainRegions = source.read(EXPLAIN_REGIONS_SETTING);
    maxRegions = source.read(MAX_REGIONS_SETTING);
    probe =
        new ProbeOptions(
            source.read(PROBE_SETTING),
            source.read(PROBE_MIN_REGIONS_SETTING),
            source.read(PROBE_BATCH_REGIONS_SETTING),
            source.read(PROBE_ROWS_KB_SETTING),
            source.read(PROBE_DEADLINE_MS_SETTING));
    scanConcurrency = source.read(SCAN_CONCURRENCY_SETTING);
  }

  /** Explains why a value is not allowed: unknown patches, and patches that need another one. */
  private static String explain(String value) {
    List<String> ids = Arrays.stream(Patch.values()).map(Patch::id).collect(Collectors.toList());
    Stream<String> unknown =
        PatchSet.unknownIds(value).stream()
            .map(
                id ->
                    String.format(
                        "There is no patch '%s'. Did you mean %s?",
                        id, SettingSource.closest(id, ids)));
    PatchSet known = PatchSet.parseKnown(value);
    Stream<String> withoutEffect =
        known == null
            ? Stream.empty()
            : known.patchesWithoutEffect().stream()
                .map(
                    patch ->
                        String.format(
                            "%1$s needs %2$s. Add ,+%2$s to the value.",
                            patch.id(), patch.needs().map(Patch::id).orElse("another patch")));
    return Stream.concat(unknown, withoutEffect).collect(Collectors.joining(" "));
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
    source.checkNames(KNOWN_NAMES);
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
   * Returns the patches for code without a connection, from system properties or hbase-site.xml.
   */
  public static PatchSet jvmPatches() {
    return jvmPatches(Site.CONFIGURATION);
  }

  static PatchSet jvmPatches(Configuration site) {
    SettingSource source = SettingSource.ofJvm(site);
    return source.readShared(MODE_SETTING) == PruningMode.STOCK
        ? PatchSet.NONE
        : source.readShared(PATCHES_SETTING);
  }

  /**
   * Returns the patches that clients may request of a region. An invalid value causes one WARN.
   *
   * @param regionConfiguration the configuration of the region: its table's values and the server's
   *     site file
   */
  public static PatchSet patchesAllowedBy(Configuration regionConfiguration) {
    return SettingSource.read(
        PATCHES_SETTING, regionConfiguration.get(PATCHES), "the configuration of a region");
  }

  /** Returns the mode in hbase-site.xml of a server. An invalid value causes one WARN. */
  static PruningMode modeOfServer(Configuration site) {
    return SettingSource.read(MODE_SETTING, site.get(MODE), "hbase-site.xml on the class path");
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

  /**
   * Removes settings from {@code merged} that would be refused, unless the caller set them. Logs
   * one WARN for each.
   *
   * @param merged the properties {@code own}, and settings that Phoenix added from a configuration
   * @param own the properties that the caller set
   */
  public static void dropRefused(Properties merged, Properties own) {
    dropRefused(merged, own, Site.CONFIGURATION);
  }

  static void dropRefused(Properties merged, Properties own, Configuration site) {
    SettingSource.dropFromConfiguration(merged, own, site, SETTINGS, KNOWN_NAMES);
    String configured = merged.getProperty(PATCHES);
    // A value that is not allowed has just been removed.
    PatchSet all = configured == null ? null : PatchSet.parse(configured);
    if (all == null || own.getProperty(PATCHES) != null) {
      return;
    }
    // Opt-in patches change stored bytes. A server's connection writes no user rows, so its setting
    // can be dropped. The setting of a task is kept, because a task must not write other bytes.
    boolean keepsOptIn = !Boolean.parseBoolean(own.getProperty(QueryUtil.IS_SERVER_CONNECTION));
    PatchSet allowed =
        all.limitNamesTo(patch -> isConnectionScoped(patch) || keepsOptIn && patch.isOptIn());
    if (!allowed.equals(all)) {
      merged.setProperty(PATCHES, allowed.toString());
      SettingSource.warn(
          String.format(
              "%s is '%s' in the configuration of a connection. A connection cannot switch patches"
                  + " of the JVM, so '%s' is used. For these patches, use a system property, or"
                  + " hbase-site.xml on the class path",
              PATCHES, configured, allowed));
    }
  }

  private static boolean isConnectionScoped(Patch patch) {
    return patch.scope() == Patch.Scope.CONNECTION;
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
   * Returns how many regions a scan may read, or {@link Integer#MAX_VALUE} if there is no limit.
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
