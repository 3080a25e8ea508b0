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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.probe.ProbeOptions;
import org.junit.Test;

/** Where the options come from, and which values they may have. */
public class PruningOptionsTest {

  private static final String URL = "jdbc:phoenix:none";
  private static final String[] NO_MODES = {
    "", " ", "fast", "exact,stock", "exactly", "true", "e\u0445act", "null", "${mode}"
  };

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
  public void takeTheConnectionBeforeTheUrlBeforeTheSite() throws SQLException {
    Configuration site = site(PruningOptions.MODE, "stock", PruningOptions.VERIFY, "true");
    String url = URL + ";" + PruningOptions.MODE + "=none";
    Properties properties = properties(PruningOptions.MODE, "exact");
    assertThat(options(URL, properties(), site).mode()).isEqualTo(PruningMode.STOCK);
    assertThat(options(URL, properties(), site).verify()).isTrue();
    assertThat(options(url, properties(), site).mode()).isEqualTo(PruningMode.NONE);
    assertThat(options(url, properties, site).mode()).isEqualTo(PruningMode.EXACT);
    assertThat(options(url, properties(PruningOptions.VERIFY, "false"), site).verify()).isFalse();
  }

  @Test
  public void mayBeInAnyCaseAndBetweenBlanks() throws SQLException {
    for (String none : new String[] {"none", "NONE", "None", " none", "none\t", "\n none \r"}) {
      Configuration site = site(PruningOptions.MODE, none, PruningOptions.VERIFY, " TRUE ");
      assertThat(options(URL, properties(), site).mode()).as(none).isEqualTo(PruningMode.NONE);
      assertThat(options(URL, properties(), site).verify()).isTrue();
      assertThat(options(URL, properties(PruningOptions.MODE, none), site()).mode())
          .as(none)
          .isEqualTo(PruningMode.NONE);
    }
  }

  @Test
  public void ofTheSiteAreRefusedIfUnknown() {
    for (String mode : NO_MODES) {
      assertThatThrownBy(() -> options(URL, properties(), site(PruningOptions.MODE, mode)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("phoenix.pruning.mode is '" + mode + "'")
          .hasMessageContaining("one of: exact, stock, none")
          .hasMessageContaining("hbase-site.xml");
    }
    for (String verify : new String[] {"", "yes", "1", "exact", "truely"}) {
      assertThatThrownBy(() -> options(URL, properties(), site(PruningOptions.VERIFY, verify)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("phoenix.pruning.verify is '" + verify + "'")
          .hasMessageContaining("one of: true, false")
          .hasMessageContaining("hbase-site.xml");
    }
  }

  /** When the connection opens. */
  @Test
  public void ofAConnectionAreRefusedIfUnknown() {
    for (String mode : NO_MODES) {
      assertThatThrownBy(
              () -> DriverManager.getConnection(URL, properties(PruningOptions.MODE, mode)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("phoenix.pruning.mode is '" + mode + "'")
          .hasMessageContaining("one of: exact, stock, none")
          .hasMessageContaining("properties or the URL of the connection");
    }
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

  /** A good value of the connection does not hide that the site's is none: it is not asked for. */
  @Test
  public void ofTheSiteAreNotReadWhereTheConnectionHasItsOwn() throws SQLException {
    Configuration site = site(PruningOptions.MODE, "fast");
    assertThat(options(URL, properties(PruningOptions.MODE, "none"), site).mode())
        .isEqualTo(PruningMode.NONE);
  }

  @Test
  public void ofOneConnectionAreNotThoseOfTheNext() throws SQLException {
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
  public void boundTheRegions() throws SQLException {
    assertThat(options(URL, properties(), site()).maxRegions()).isEqualTo(Integer.MAX_VALUE);
    assertThat(options(URL, properties(PruningOptions.MAX_REGIONS, " 20 "), site()).maxRegions())
        .isEqualTo(20);
    assertThat(options(URL, properties(), site(PruningOptions.MAX_REGIONS, "7")).maxRegions())
        .isEqualTo(7);
    for (String regions : new String[] {"", "0", "-1", "many", "1.5", "2147483648"}) {
      assertThatThrownBy(
              () -> options(URL, properties(), site(PruningOptions.MAX_REGIONS, regions)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("phoenix.pruning.max.regions is '" + regions + "'")
          .hasMessageContaining("a whole number from 1 to 2147483647");
    }
  }

  @Test
  public void sayHowServersAreAsked() throws SQLException {
    ProbeOptions byDefault = options(URL, properties(), site()).probe();
    assertThat(byDefault.isFor(63)).isFalse();
    assertThat(byDefault.isFor(64)).isTrue();
    assertThat(byDefault.chunkRegions()).isEqualTo(500);
    assertThat(byDefault.rowsKilobytes()).isEqualTo(512);
    assertThat(byDefault.deadlineMillis()).isEqualTo(500);
    Configuration site =
        site(
            PruningOptions.PROBE,
            "true",
            PruningOptions.PROBE_MIN_REGIONS,
            "2",
            PruningOptions.PROBE_CHUNK_REGIONS,
            "3",
            PruningOptions.PROBE_ROWS_KB,
            "4",
            PruningOptions.PROBE_DEADLINE_MS,
            "5");
    assertThat(options(URL, properties(), site).probe())
        .hasToString("from 2 regions on, 3 at once, with up to 4 KB of rows, within 5 ms");
    ProbeOptions own =
        options(
                URL + ";" + PruningOptions.PROBE_ROWS_KB + "=0",
                properties(PruningOptions.PROBE_MIN_REGIONS, " 7 "),
                site)
            .probe();
    assertThat(own)
        .hasToString("from 7 regions on, 3 at once, with up to 0 KB of rows, within 5 ms");
    ProbeOptions off = options(URL, properties(PruningOptions.PROBE, "False"), site).probe();
    assertThat(off.isFor(Integer.MAX_VALUE)).isFalse();
    assertThat(off).hasToString("off");
  }

  @Test
  public void refuseToAskServersInWaysThatDoNotExist() {
    Map<String, Integer> smallest = new LinkedHashMap<>();
    smallest.put(PruningOptions.PROBE_MIN_REGIONS, 2);
    smallest.put(PruningOptions.PROBE_CHUNK_REGIONS, 2);
    smallest.put(PruningOptions.PROBE_ROWS_KB, 0);
    smallest.put(PruningOptions.PROBE_DEADLINE_MS, 1);
    smallest.forEach(
        (option, least) -> {
          String tooSmall = Integer.toString(least - 1);
          for (String value : new String[] {"", tooSmall, "many", "1.5", "2147483648", "10ms"}) {
            assertThatThrownBy(() -> DriverManager.getConnection(URL, properties(option, value)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(option + " is '" + value + "'")
                .hasMessageContaining("a whole number from " + least + " to 2147483647")
                .hasMessageContaining("properties or the URL of the connection");
          }
        });
    for (String value : new String[] {"", "yes", "1", "exact"}) {
      assertThatThrownBy(() -> options(URL, properties(), site(PruningOptions.PROBE, value)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("phoenix.pruning.probe.enabled is '" + value + "'")
          .hasMessageContaining("one of: true, false")
          .hasMessageContaining("hbase-site.xml");
    }
  }

  @Test
  public void boundTheFanOut() throws SQLException {
    assertThat(options(URL, properties(), site()).fanOutTasks()).isEqualTo(64);
    assertThat(options(URL, properties(PruningOptions.FAN_OUT_TASKS, " 8 "), site()).fanOutTasks())
        .isEqualTo(8);
    assertThat(options(URL, properties(), site(PruningOptions.FAN_OUT_TASKS, "7")).fanOutTasks())
        .isEqualTo(7);
    for (String tasks : new String[] {"", "0", "-1", "all", "1.5", "2147483648"}) {
      assertThatThrownBy(
              () -> options(URL, properties(), site(PruningOptions.FAN_OUT_TASKS, tasks)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("phoenix.pruning.fanout.tasks is '" + tasks + "'")
          .hasMessageContaining("a whole number from 1 to 2147483647");
    }
  }
}
