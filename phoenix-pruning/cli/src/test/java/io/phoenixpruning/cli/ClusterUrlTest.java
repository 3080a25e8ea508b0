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
package io.phoenixpruning.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.console.RefusedException;
import java.net.InetSocketAddress;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ClusterUrlTest {

  private static void assertRefused(String url, String why) {
    assertThatThrownBy(() -> ClusterUrl.parse(url))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("--url '" + url + "' " + why + ". Expected jdbc:")
        .hasMessageEndingWith("(ZooKeeper of a running HBase)");
  }

  private static List<String> urlsOfPhoenix() {
    return List.of(
        "jdbc:phoenix:zk1",
        "jdbc:phoenix:zk1:2181",
        "jdbc:phoenix:zk1,zk2,zk3:2181:/hbase",
        "jdbc:phoenix:zk1::/hbase",
        "jdbc:phoenix:zk1:/hbase",
        "jdbc:phoenix:zk1\\:2181,zk2\\:2182",
        "jdbc:phoenix:zk1:2181:/hbase:user@REALM:/etc/user.keytab",
        "jdbc:phoenix:zk1:user@REALM:/etc/user.keytab",
        "jdbc:phoenix+zk:zk1:2181:/hbase",
        "jdbc:phoenix+master:m1,m2:16000",
        "jdbc:phoenix+rpc:m1\\:16000,r1\\:16020",
        "jdbc:phoenix:zk1:2181;phoenix.pruning.mode=STOCK;TenantId=a;phoenix.pruning.verify=true");
  }

  @Test
  @Parameters(method = "urlsOfPhoenix")
  public void urlsOfPhoenixAreTaken(String url) {
    assertThat(ClusterUrl.parse(url)).hasToString(url);
  }

  @Test
  public void theRegistryIsTheServersOfTheUrl() {
    assertThat(ClusterUrl.parse("jdbc:phoenix:zk1,zk2\\:2182:2183:/hbase").registry())
        .containsExactly(
            InetSocketAddress.createUnresolved("zk1", 2183),
            InetSocketAddress.createUnresolved("zk2", 2182));
    assertThat(ClusterUrl.parse("jdbc:phoenix+rpc:m1\\:16000").registry())
        .containsExactly(InetSocketAddress.createUnresolved("m1", 16000));
    assertThat(ClusterUrl.parse("jdbc:phoenix+master:m1:16000").registry())
        .containsExactly(InetSocketAddress.createUnresolved("m1", 16000));
  }

  @Test
  public void otherUrlsAreRefused() {
    assertRefused("", "is not a Phoenix URL");
    assertRefused("localhost:2181", "is not a Phoenix URL");
    assertRefused("jdbc:phoenix", "is not a Phoenix URL");
    assertRefused("jdbc:phoenixes:localhost", "is not a Phoenix URL");
    assertRefused("jdbc:phoenix+tin:localhost", "is not a Phoenix URL");
    assertRefused("jdbc:phoenix:thin:url=http://localhost:8765", "is not a Phoenix URL");
  }

  @Test
  public void aHostIsNeeded() {
    assertRefused("jdbc:phoenix:", "names no host");
    assertRefused("jdbc:phoenix:;phoenix.pruning.mode=stock", "names no host");
    assertRefused("jdbc:phoenix::2181", "names no host");
    assertRefused("jdbc:phoenix:none", "is Phoenix's URL for no cluster");
    assertRefused("jdbc:phoenix://localhost", "has the invalid host '//localhost'");
    assertRefused("jdbc:phoenix:zk1,,zk2", "has the invalid host ''");
  }

  @Test
  public void aPortIsANumberOfTwoBytes() {
    assertRefused("jdbc:phoenix:localhost:0", "has the invalid port '0'");
    assertRefused("jdbc:phoenix:localhost:65536", "has the invalid port '65536'");
    assertRefused("jdbc:phoenix:localhost:-1:/hbase", "has the invalid port '-1'");
    assertRefused("jdbc:phoenix:localhost:21x81", "has the invalid port '21x81'");
    assertRefused("jdbc:phoenix:localhost:99999999999", "has the invalid port '99999999999'");
    assertRefused("jdbc:phoenix:zk1\\:99999,zk2", "has the invalid port '99999'");
  }

  @Test
  public void optionsHaveTheirValues() {
    assertThatThrownBy(() -> ClusterUrl.parse("jdbc:phoenix:h;PHOENIX.pruning.mode=fast"))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "--url sets phoenix.pruning.mode to 'fast'. Expected one of: exact, stock, none");
    assertThatThrownBy(() -> ClusterUrl.parse("jdbc:phoenix:h;a=b;phoenix.pruning.verify="))
        .hasMessage("--url sets phoenix.pruning.verify to ''. Expected one of: true, false");
  }
}
