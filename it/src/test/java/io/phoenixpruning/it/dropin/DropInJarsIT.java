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
package io.phoenixpruning.it.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.awaitility.Awaitility;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestRule;

/**
 * Tests the drop-in jars in separate processes: the servers of a plain HBase, and an application
 * whose only jar of Phoenix, HBase and Hadoop is the client jar. Schemas are mapped to namespaces.
 * Programs with their own libraries start with the client jar first on their class path.
 */
public class DropInJarsIT {

  @ClassRule public static final HBaseProcesses HBASE = new HBaseProcesses("jars", true, 2);

  @Rule public final TestRule logs = HBASE.logsOfFailures();

  @Test
  public void returnsCorrectRowsAndContinuesAfterARegionServerDies() throws Exception {
    Application application = Application.withClientJar(HBASE, "SHOP.SMOKE");
    application.load();
    assertEachServerHasLoggedItsVersion();

    Application.Watch watch = application.watch("watch");
    watch.await(1);
    ServerName victim = serverOfARegion();
    HBASE.kill(victim);
    watch.await(2);
    watch.end();

    assertThat(HBASE.liveServers()).hasSize(1).doesNotContain(victim);
  }

  @Test
  public void leavesJettyToTheApplication() throws Exception {
    assertThat(new Neighbour(HBASE, "jetty").run(JettyApplication.class)).endsWith("Jetty serves.");
  }

  @Test
  public void leavesJaxbToTheApplication() throws Exception {
    assertThat(new Neighbour(HBASE, "jaxb").run(JaxbApplication.class))
        .endsWith("<greeting><text>JAXB writes.</text></greeting>");
  }

  /**
   * Checks only that the Query Server starts. The Query Server brings another version of Jetty, so
   * it answers no requests if a client jar is first on the class path. The same is true of
   * Phoenix's own client jar.
   */
  @Test
  public void letsTheQueryServerStart() throws Exception {
    int port = HBASE.freePort();
    Process server =
        new Neighbour(HBASE, "queryserver")
            .start(
                HBASE.clientSite(
                    "exact",
                    Map.of(
                        // This servlet does not start with Phoenix's own client jar, either.
                        "phoenix.queryserver.jmxjsonendpoint.disabled",
                        "true",
                        "phoenix.queryserver.http.port",
                        Integer.toString(port))),
                "org.apache.phoenix.queryserver.server.QueryServer");
    try {
      Awaitility.await("the Query Server")
          .atMost(Duration.ofMinutes(2))
          .until(() -> !server.isAlive() || HBaseProcesses.listens(port));
      assertThat(server.isAlive()).as(HBASE.log("queryserver")).isTrue();
    } finally {
      server.destroyForcibly();
    }
  }

  /** The version comes from the manifest of the server jar. */
  private static void assertEachServerHasLoggedItsVersion() throws IOException {
    assertThat(HBASE.serverLogs())
        .hasSize(2)
        .allSatisfy(
            log ->
                assertThat(log.lines().filter(line -> line.contains("Phoenix Pruning ")))
                    .singleElement()
                    .asString()
                    .containsPattern(
                        "INFO .*Phoenix Pruning 5\\.2\\.1-pruning-\\S+: phoenix.pruning.mode=exact,"
                            + " phoenix.pruning.patches=all, \\d+ of \\d+ patches on$"));
  }

  private static ServerName serverOfARegion() throws Exception {
    TableName table = TableName.valueOf("SHOP", "SMOKE");
    try (RegionLocator locator = HBASE.connection().getRegionLocator(table)) {
      HRegionLocation location = locator.getRegionLocation(new byte[0], true);
      return location.getServerName();
    }
  }
}
