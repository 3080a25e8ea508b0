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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.util.PropertiesUtil;
import org.apache.phoenix.util.QueryUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests where the options come from, and which values they may have. */
@RunWith(JUnitParamsRunner.class)
public class PruningOptionsTest {

  private static final String URL = "jdbc:phoenix:none";

  private static List<String> invalidModes() {
    return List.of(
        "", " ", "fast", "exact,stock", "exactly", "true", "e\u0445act", "null", "${mode}");
  }

  private static Configuration site(String... options) {
    Configuration site = new Configuration(false);
    for (int i = 0; i < options.length; i += 2) {
      site.set(options[i], options[i + 1]);
    }
    return site;
  }

  private static Properties properties(String... options) {
    Properties properties = new Properties();
    for (int i = 0; i < options.length; i += 2) {
      properties.setProperty(options[i], options[i + 1]);
    }
    return properties;
  }

  private static PruningOptions options(String url, Properties properties, Configuration site)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, properties)) {
      return PruningOptions.of(connection.unwrap(PhoenixConnection.class), site);
    }
  }

  @Test
  public void areExactByDefault() throws SQLException {
    PruningOptions options = options(URL, properties(), site());
    assertThat(options.mode()).isEqualTo(PruningMode.EXACT);
    assertThat(options.verify()).isFalse();
  }

  @Test
  public void preferTheConnectionToTheUrlAndTheUrlToTheSite() throws SQLException {
    Configuration site = site(PruningOptions.MODE, "stock", PruningOptions.VERIFY, "true");
    String url = URL + ";" + PruningOptions.MODE + "=none";
    Properties properties = properties(PruningOptions.MODE, "exact");
    assertThat(options(URL, properties(), site).mode()).isEqualTo(PruningMode.STOCK);
    assertThat(options(URL, properties(), site).verify()).isTrue();
    assertThat(options(url, properties(), site).mode()).isEqualTo(PruningMode.NONE);
    assertThat(options(url, properties, site).mode()).isEqualTo(PruningMode.EXACT);
    assertThat(options(url, properties(PruningOptions.VERIFY, "false"), site).verify()).isFalse();
  }

  private static List<String> spellingsOfNone() {
    return List.of("none", "NONE", "None", " none", "none\t", "\n none \r");
  }

  @Test
  @Parameters(method = "spellingsOfNone")
  public void ignoreCaseAndBlanks(String none) throws SQLException {
    Configuration site = site(PruningOptions.MODE, none, PruningOptions.VERIFY, " TRUE ");
    assertThat(options(URL, properties(), site).mode()).isEqualTo(PruningMode.NONE);
    assertThat(options(URL, properties(), site).verify()).isTrue();
    assertThat(options(URL, properties(PruningOptions.MODE, none), site()).mode())
        .isEqualTo(PruningMode.NONE);
  }

  @Test
  @Parameters(method = "invalidModes")
  public void useTheDefaultModeForAnInvalidSiteValue(String mode) throws SQLException {
    assertThat(options(URL, properties(), site(PruningOptions.MODE, mode)).mode())
        .isEqualTo(PruningMode.EXACT);
    // Phoenix merges the site file into the properties of connections in region servers.
    Configuration site = site(PruningOptions.MODE, mode, "phoenix.pruning.later", "1");
    Properties merged = PropertiesUtil.combineProperties(new Properties(), site);
    assertThat(merged.stringPropertyNames()).isEmpty();
  }

  private static List<String> invalidBooleans() {
    return List.of("", "yes", "1", "exact", "truely");
  }

  @Test
  @Parameters(method = "invalidBooleans")
  public void doNotVerifyForAnInvalidSiteValue(String verify) throws SQLException {
    assertThat(options(URL, properties(), site(PruningOptions.VERIFY, verify)).verify()).isFalse();
  }

  @Test
  public void keepValidSettingsOfAConfiguration() {
    Configuration site = site(PruningOptions.MODE, "none", "other.name", "x");
    Properties merged =
        PropertiesUtil.combineProperties(properties(PruningOptions.VERIFY, "yes"), site);
    assertThat(merged.getProperty(PruningOptions.MODE)).isEqualTo("none");
    assertThat(merged.getProperty("other.name")).isEqualTo("x");
    assertThat(merged.getProperty(PruningOptions.VERIFY)).as("the caller's").isEqualTo("yes");
  }

  /** The options come from a table or a job, and not from the site file of the JVM. */
  @Test
  @Parameters({"true", "false"})
  public void dropJvmPatchesOfAConfiguration(boolean isServer) {
    Properties own =
        isServer ? properties(QueryUtil.IS_SERVER_CONNECTION, "true") : new Properties();
    assertThat(patchesOf("all,-case-reset,-key-order", own)).isEqualTo("all,-key-order");
    assertThat(patchesOf("local-index,-case-reset", own)).isEqualTo("local-index");
    assertThat(patchesOf("none", own)).isEqualTo("none");
  }

  @Test
  public void dropOptInPatchesOfAConfigurationOnServersOnly() {
    Properties server = properties(QueryUtil.IS_SERVER_CONNECTION, "true");
    String otherBytes = "all,+descending-decimal-bytes";
    assertThat(patchesOf(otherBytes, server)).isEqualTo("all");
    Properties ofTask = properties(PruningOptions.PATCHES, patchesOf(otherBytes, new Properties()));
    assertThatThrownBy(() -> options(URL, ofTask, site()))
        .hasMessageContaining("descending-decimal-bytes can only be on or off for the whole JVM");
  }

  private static String patchesOf(String configured, Properties own) {
    return PropertiesUtil.combineProperties(own, site(PruningOptions.PATCHES, configured))
        .getProperty(PruningOptions.PATCHES);
  }

  @Test
  public void preferSystemPropertiesToTheSite() throws SQLException {
    Configuration site = site(PruningOptions.MODE, "stock");
    Properties merged = properties(PruningOptions.MODE, "stock");
    MergedProperties.dropRefused(merged, new Properties(), site);
    System.setProperty(PruningOptions.MODE, "none");
    try {
      assertThat(options(URL, merged, site).mode()).isEqualTo(PruningMode.NONE);
      assertThat(options(URL, properties(PruningOptions.MODE, "stock"), site).mode())
          .as("the caller's")
          .isEqualTo(PruningMode.STOCK);
    } finally {
      System.clearProperty(PruningOptions.MODE);
    }
  }

  @Test
  @Parameters({
    "phoenix.pruning.mod, phoenix.pruning.mode",
    "phoenix.pruning.probe.rows, phoenix.pruning.probe.rows.kb",
    "phoenix.pruning.Mode, phoenix.pruning.mode",
    "phoenix.pruning.scan.concurency, phoenix.pruning.scan.concurrency"
  })
  public void refuseUnknownNames(String name, String closest) {
    assertThatThrownBy(() -> DriverManager.getConnection(URL, properties(name, "stock")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(name + " is not a setting of Phoenix Pruning")
        .hasMessageContaining("Did you mean " + closest + "?");
  }

  @Test
  @Parameters({"phoenix.pruning.probe.handlers.share", "phoenix.pruning.probe.page.ms"})
  public void acceptSettingsOfServers(String name) throws SQLException {
    DriverManager.getConnection(URL, properties(name, "1")).close();
  }

  @Test
  public void refuseUnknownNamesInTheUrl() throws SQLException {
    assertThatThrownBy(() -> DriverManager.getConnection(URL + ";phoenix.pruning.mod=stock"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.mod is not a setting of Phoenix Pruning")
        .hasMessageContaining("Did you mean phoenix.pruning.mode?");
    String inAnyCase = URL + ";PHOENIX.pruning.Mode=none";
    assertThat(options(inAnyCase, properties(), site()).mode()).isEqualTo(PruningMode.NONE);
  }

  @Test
  public void ignoreUnknownNamesThatTheSiteSets() throws SQLException {
    Configuration site = site(PruningOptions.MODE, "fast", "phoenix.pruning.later", "1");
    try (Connection connection = DriverManager.getConnection(URL)) {
      PhoenixConnection opened = connection.unwrap(PhoenixConnection.class);
      Properties merged = properties(PruningOptions.MODE, "fast", "phoenix.pruning.later", "1");
      PhoenixConnection serverConnection = new PhoenixConnection(opened, merged);
      assertThat(PruningOptions.of(serverConnection, site).mode()).isEqualTo(PruningMode.EXACT);
      PhoenixConnection callerConnection =
          new PhoenixConnection(opened, properties("phoenix.pruning.later", "2"));
      assertThatThrownBy(() -> PruningOptions.of(callerConnection, site))
          .hasMessageContaining("phoenix.pruning.later is not a setting");
    }
  }

  @Test
  public void warnOfUnknownNamesInTheSite() {
    Configuration site =
        site(
            "phoenix.pruning.vrify",
            "true",
            "phoenix.pruning.Max.regions",
            "1",
            "other.vrify",
            "1");
    Settings.NAMES.forEach(name -> site.set(name, "1"));
    for (int i = 0; i < 2; i++) {
      List<String> lines =
          warnings(() -> assertThat(PruningOptions.Site.withNamesChecked(site)).isSameAs(site));
      if (i == 0) {
        assertThat(lines)
            .containsExactlyInAnyOrder(
                "phoenix.pruning.vrify in hbase-site.xml is not a setting of this version of Phoenix"
                    + " Pruning. Did you mean phoenix.pruning.verify? The setting is ignored",
                "phoenix.pruning.Max.regions in hbase-site.xml is not a setting of this version of"
                    + " Phoenix Pruning. Did you mean phoenix.pruning.max.regions? The setting is"
                    + " ignored");
      } else {
        assertThat(lines).as("one WARN for each JVM").isEmpty();
      }
    }
  }

  private static List<String> invalidPatches() {
    return List.of("", "some", "all,", "all,skip-scan", "+all", "all none");
  }

  @Test
  @Parameters(method = "invalidPatches")
  public void refuseInvalidPatches(String patches) {
    assertThatThrownBy(
            () -> DriverManager.getConnection(URL, properties(PruningOptions.PATCHES, patches)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.patches is '" + patches + "'")
        .hasMessageContaining(
            "Expected one of: all, local-index, none; optionally followed by ,-ID for each patch"
                + " to leave out, and ,+ID for each patch to add");
  }

  @Test
  public void readPatches() throws SQLException {
    assertThat(options(URL, properties(), site()).patches()).isSameAs(PatchSet.ALL);
    assertThat(options(URL, properties(PruningOptions.PATCHES, " Local-Index "), site()).patches())
        .isSameAs(PatchSet.LOCAL_INDEX);
    assertThat(options(URL, properties(), site(PruningOptions.PATCHES, "none")).patches())
        .isSameAs(PatchSet.NONE);
    assertThat(
            options(
                    URL,
                    properties(PruningOptions.MODE, "stock", PruningOptions.PATCHES, "all"),
                    site())
                .patches())
        .isSameAs(PatchSet.NONE);
    assertThat(
            options(URL, properties(PruningOptions.PATCHES, "none,+key-order"), site()).patches())
        .hasToString("none,+key-order");
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(
                    URL, properties(PruningOptions.PATCHES, "all,+descending-decimal-bytes")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("descending-decimal-bytes can only be on or off for the whole JVM");
    assertThat(options(URL, properties(PruningOptions.PATCHES, "all,-skip-scan"), site()).patches())
        .as("without the patches that need it")
        .hasToString("all,-point-keys,-row-value-ranges,-skip-scan");
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(
                    URL, properties(PruningOptions.PATCHES, "all,-skip-scan,-case-reset")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("case-reset can only be on or off for the whole JVM");
  }

  /** Returns values of the setting, each with a part of the message. */
  private static String[][] refusedPatches() {
    return new String[][] {
      {"all,-key-oder", "There is no patch 'key-oder'. Did you mean key-order? Expected one of"},
      {"none,+SKIPSCAN", "There is no patch 'skipscan'. Did you mean skip-scan? Expected one of"},
      {
        "all,-nul-ranges,+x-order",
        "There is no patch 'nul-ranges'. Did you mean null-ranges?"
            + " There is no patch 'x-order'. Did you mean key-order? Expected one of"
      },
      {
        "none,+row-value-ranges",
        "row-value-ranges needs skip-scan. Add ,+skip-scan to the value. Expected one of"
      },
    };
  }

  @Test
  @Parameters(method = "refusedPatches")
  public void explainWhyPatchesAreRefused(String patches, String message) {
    assertThatThrownBy(
            () -> DriverManager.getConnection(URL, properties(PruningOptions.PATCHES, patches)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.patches is '" + patches + "'")
        .hasMessageContaining(message);
  }

  /** The site file may name patches of another version. */
  @Test
  public void keepKnownPatchesOfTheSite() {
    Configuration site = site(PruningOptions.PATCHES, "local-index,-key-orders,-hinted-index");
    for (int i = 0; i < 2; i++) {
      int read = i;
      List<String> lines =
          warnings(
              () ->
                  assertThat(options(URL, properties(), site).patches())
                      .as("read %s", read)
                      .hasToString("local-index,-hinted-index"));
      assertThat(lines).as("one WARN for each JVM, read %s", i).hasSize(1 - i);
      assertThat(lines)
          .as("read %s", i)
          .allMatch(
              line ->
                  line.startsWith(
                          "phoenix.pruning.patches is 'local-index,-key-orders,-hinted-index' in"
                              + " hbase-site.xml on the class path. There is no patch"
                              + " 'key-orders'. Did you mean key-order?")
                      && line.endsWith("The rest is used: local-index,-hinted-index"));
    }
    assertThat(patchesOf("none,+key-orders,+key-order", new Properties()))
        .isEqualTo("none,+key-order");
    assertThat(patchesOf("none,+key-order,+data-row-lookup", new Properties()))
        .as("without a patch that it needs")
        .isEqualTo("none,+key-order");
    assertThat(
            warnings(
                () ->
                    assertThat(ServerMode.allowedPatches(site(PruningOptions.PATCHES, "every")))
                        .isSameAs(PatchSet.ALL)))
        .singleElement()
        .asString()
        .startsWith("phoenix.pruning.patches is 'every' in the configuration of a region.")
        .endsWith("The default is used: all");
  }

  /** Returns the lines that are logged while {@code code} runs. */
  private static List<String> warnings(ThrowingCallable code) {
    List<String> lines = new ArrayList<>();
    Logger logger = (Logger) LogManager.getLogger(PruningOptions.class);
    AbstractAppender appender =
        new AbstractAppender("test", null, null, false, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    logger.addAppender(appender);
    Level before = logger.getLevel();
    logger.setLevel(Level.WARN);
    try {
      assertThatCode(code).doesNotThrowAnyException();
    } finally {
      logger.removeAppender(appender);
      logger.setLevel(before);
    }
    return lines;
  }

  @Test
  public void readJvmPatchesFromSystemPropertiesAndTheSite() {
    assertThat(Patches.ofJvm(site())).isSameAs(PatchSet.ALL);
    assertThat(Patches.ofJvm(site(PruningOptions.MODE, "stock"))).isSameAs(PatchSet.NONE);
    PatchSet optedIn =
        Patches.ofJvm(site(PruningOptions.PATCHES, "local-index,+descending-decimal-bytes"));
    assertThat(optedIn.has(Patch.DESCENDING_DECIMAL_BYTES)).isTrue();
    assertThat(optedIn.has(Patch.SERVER_CACHE)).isFalse();
    assertThat(optedIn.has(Patch.SKIP_SCAN)).isTrue();
    assertThat(optedIn).hasToString("local-index,+descending-decimal-bytes");
    System.setProperty(PruningOptions.PATCHES, "none");
    try {
      assertThat(Patches.ofJvm(site(PruningOptions.PATCHES, "all"))).isSameAs(PatchSet.NONE);
    } finally {
      System.clearProperty(PruningOptions.PATCHES);
    }
  }

  /** Unknown values are refused when the connection opens. */
  @Test
  @Parameters(method = "invalidModes")
  public void refuseAnInvalidModeOfAConnection(String mode) {
    assertThatThrownBy(
            () -> DriverManager.getConnection(URL, properties(PruningOptions.MODE, mode)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.mode is '" + mode + "'")
        .hasMessageContaining("one of: exact, stock, none")
        .hasMessageContaining("properties or the URL of the connection");
  }

  @Test
  public void refuseInvalidValuesOfAConnection() {
    assertThatThrownBy(
            () -> DriverManager.getConnection(URL, properties(PruningOptions.VERIFY, "yes")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.verify is 'yes'")
        .hasMessageContaining("one of: true, false");
    assertThatThrownBy(() -> DriverManager.getConnection(URL + ";" + PruningOptions.MODE + "=;a=b"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.mode is ''")
        .hasMessageContaining("properties or the URL of the connection");
  }

  /**
   * The site's value is not read if the connection has a value, so an invalid site value is not
   * noticed.
   */
  @Test
  public void ignoreTheSiteIfTheConnectionHasAValue() throws SQLException {
    Configuration site = site(PruningOptions.MODE, "fast");
    assertThat(options(URL, properties(PruningOptions.MODE, "none"), site).mode())
        .isEqualTo(PruningMode.NONE);
  }

  @Test
  public void areSeparateForEachConnection() throws SQLException {
    String url = URL + ";first=true";
    try (Connection first =
            DriverManager.getConnection(url, properties(PruningOptions.MODE, "none"));
        Connection next = DriverManager.getConnection(url)) {
      assertThat(PruningOptions.of(first.unwrap(PhoenixConnection.class)).mode())
          .isEqualTo(PruningMode.NONE);
      assertThat(PruningOptions.of(next.unwrap(PhoenixConnection.class)).mode())
          .isEqualTo(PruningMode.EXACT);
    }
  }

  @Test
  public void areReadOncePerConnection() throws SQLException {
    try (Connection opened = DriverManager.getConnection(URL)) {
      PhoenixConnection connection = opened.unwrap(PhoenixConnection.class);
      assertThat(((PruningOptions.Holder) connection).getPruningOptions())
          .isNotNull()
          .isSameAs(PruningOptions.of(connection));
      PhoenixConnection copy = new PhoenixConnection(connection);
      assertThat(PruningOptions.of(copy)).isSameAs(PruningOptions.of(copy));
    }
  }

  @Test
  public void limitTheRegions() throws SQLException {
    assertThat(options(URL, properties(), site()).maxRegions()).isEqualTo(Integer.MAX_VALUE);
    assertThat(options(URL, properties(PruningOptions.MAX_REGIONS, " 20 "), site()).maxRegions())
        .isEqualTo(20);
    assertThat(options(URL, properties(), site(PruningOptions.MAX_REGIONS, "7")).maxRegions())
        .isEqualTo(7);
  }

  private static List<String> nonPositiveNumbers() {
    return List.of("", "0", "-1", "many", "1.5", "2147483648");
  }

  @Test
  @Parameters(method = "nonPositiveNumbers")
  public void refuseALimitOfRegionsThatIsNotPositive(String regions) {
    assertThatThrownBy(() -> options(URL, properties(PruningOptions.MAX_REGIONS, regions), site()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.max.regions is '" + regions + "'")
        .hasMessageContaining("a whole number from 1 to 2147483647");
  }

  @Test
  public void configureProbes() throws SQLException {
    ProbeOptions byDefault = options(URL, properties(), site()).probe();
    assertThat(byDefault.isEnabledFor(63)).isFalse();
    assertThat(byDefault.isEnabledFor(64)).isTrue();
    assertThat(byDefault.batchRegions()).isEqualTo(500);
    assertThat(byDefault.rowsKilobytes()).isEqualTo(512);
    assertThat(byDefault.deadlineMillis()).isEqualTo(500);
    Configuration site =
        site(
            PruningOptions.PROBE,
            "true",
            PruningOptions.PROBE_MIN_REGIONS,
            "2",
            PruningOptions.PROBE_BATCH_REGIONS,
            "3",
            PruningOptions.PROBE_ROWS_KB,
            "4",
            PruningOptions.PROBE_DEADLINE_MS,
            "5");
    assertThat(options(URL, properties(), site).probe())
        .hasToString(
            "at least 2 regions, at most 3 in a request, with up to 4 KB of rows, within 5 ms");
    ProbeOptions own =
        options(
                URL + ";" + PruningOptions.PROBE_ROWS_KB + "=0",
                properties(PruningOptions.PROBE_MIN_REGIONS, " 7 "),
                site)
            .probe();
    assertThat(own)
        .hasToString(
            "at least 7 regions, at most 3 in a request, with up to 0 KB of rows, within 5 ms");
    ProbeOptions off = options(URL, properties(PruningOptions.PROBE, "False"), site).probe();
    assertThat(off.isEnabledFor(Integer.MAX_VALUE)).isFalse();
    assertThat(off).hasToString("off");
  }

  private static List<Object[]> invalidProbeNumbers() {
    Map<String, Integer> smallest = new LinkedHashMap<>();
    smallest.put(PruningOptions.PROBE_MIN_REGIONS, 2);
    smallest.put(PruningOptions.PROBE_BATCH_REGIONS, 2);
    smallest.put(PruningOptions.PROBE_ROWS_KB, 0);
    smallest.put(PruningOptions.PROBE_DEADLINE_MS, 1);
    List<Object[]> cases = new ArrayList<>();
    smallest.forEach(
        (option, least) -> {
          String tooSmall = Integer.toString(least - 1);
          for (String value : List.of("", tooSmall, "many", "1.5", "2147483648", "10ms")) {
            cases.add(new Object[] {option, value, least});
          }
        });
    return cases;
  }

  @Test
  @Parameters(method = "invalidProbeNumbers")
  public void refuseInvalidNumbersForProbes(String option, String value, int least) {
    assertThatThrownBy(() -> DriverManager.getConnection(URL, properties(option, value)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(option + " is '" + value + "'")
        .hasMessageContaining("a whole number from " + least + " to 2147483647")
        .hasMessageContaining("properties or the URL of the connection");
  }

  @Test
  @Parameters(method = "invalidBooleans")
  public void refuseAnInvalidSwitchForProbes(String value) {
    assertThatThrownBy(() -> options(URL, properties(PruningOptions.PROBE, value), site()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.probe.enabled is '" + value + "'")
        .hasMessageContaining("one of: true, false");
  }

  @Test
  public void areAcceptedUnderFormerNames() throws SQLException {
    String former = "phoenix.pruning.fanout.tasks";

    assertThat(options(URL, properties(former, "8"), site()).scanConcurrency()).isEqualTo(8);
    assertThat(options(URL + ";" + former + "=9", properties(), site()).scanConcurrency())
        .isEqualTo(9);
    assertThat(options(URL, properties(), site(former, "7")).scanConcurrency()).isEqualTo(7);
    Properties both = properties(former, "8");
    both.setProperty(PruningOptions.SCAN_CONCURRENCY, "6");
    assertThat(options(URL, both, site(former, "7")).scanConcurrency()).isEqualTo(6);
    assertThat(
            options(URL, properties("phoenix.pruning.probe.chunk.regions", "5"), site())
                .probe()
                .batchRegions())
        .isEqualTo(5);
    assertThatThrownBy(() -> options(URL, properties(former, "0"), site()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.scan.concurrency is '0'");
  }

  @Test
  public void limitTheScanConcurrency() throws SQLException {
    assertThat(options(URL, properties(), site()).scanConcurrency()).isEqualTo(64);
    assertThat(
            options(URL, properties(PruningOptions.SCAN_CONCURRENCY, " 8 "), site())
                .scanConcurrency())
        .isEqualTo(8);
    assertThat(
            options(URL, properties(), site(PruningOptions.SCAN_CONCURRENCY, "7"))
                .scanConcurrency())
        .isEqualTo(7);
  }

  @Test
  @Parameters(method = "nonPositiveNumbers")
  public void refuseAScanConcurrencyThatIsNotPositive(String tasks) {
    assertThatThrownBy(
            () -> options(URL, properties(PruningOptions.SCAN_CONCURRENCY, tasks), site()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("phoenix.pruning.scan.concurrency is '" + tasks + "'")
        .hasMessageContaining("a whole number from 1 to 2147483647");
  }
}
