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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.util.PropertiesUtil;
import org.junit.Test;

/** Copies are compared with those that stock makes of the same configuration. */
public class SharedConfigurationTest {

  private static final String OF_TABLE = "of.the.table";

  private final Configuration server = HBaseConfiguration.create();

  private static final List<Consumer<Configuration>> CHANGES =
      List.of(
          copy -> {},
          copy -> copy.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3),
          copy -> copy.setClass("of.a.class", Map.class, Object.class),
          // The name of before, which Hadoop still knows.
          copy -> copy.set("fs.default.name", "file:///elsewhere"),
          copy -> copy.set("io.file.buffer.size", "${hadoop.tmp.dir}"),
          copy -> copy.setIfUnset("of.nobody", "unset"),
          copy -> copy.unset(OF_TABLE),
          copy -> copy.addResource("hbase-default.xml"),
          copy -> copy.reloadConfiguration(),
          copy -> {
            copy.set("hbase.client.pause", "8");
            copy.addResource("hbase-default.xml");
          },
          copy -> {
            copy.set(OF_TABLE, "first");
            copy.set(OF_TABLE, "second");
          },
          copy -> {
            copy.get(OF_TABLE);
            copy.set(OF_TABLE, "read before");
          });

  private static Bytes bytes(String text) {
    return new Bytes(Bytes.toBytes(text));
  }

  private Configuration ofRegion() {
    server.set("of.the.server", "${java.io.tmpdir}/x");
    server.set("hbase.client.pause", "7");
    server.unset("io.seqfile.local.dir");
    return new CompoundConfiguration()
        .add(server)
        .addBytesMap(Map.of(bytes(OF_TABLE), bytes("value")));
  }

  private static Map<String, String> entries(Configuration configuration) {
    Map<String, String> entries = new TreeMap<>();
    Iterator<Map.Entry<String, String>> all = configuration.iterator();
    all.forEachRemaining(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  @Test
  public void hasWhatACopyOfPhoenixHas() {
    for (int i = 0; i < CHANGES.size(); i++) {
      Configuration right = PropertiesUtil.cloneConfig(ofRegion());
      CHANGES.get(i).accept(right);
      SharedConfiguration copy = SharedConfiguration.copyOf(ofRegion());
      CHANGES.get(i).accept(copy);
      String as = "change " + i;
      assertThat(entries(copy)).as(as).isEqualTo(entries(right)).hasSizeGreaterThan(500);
      assertThat(entries(new Configuration(copy))).as(as).isEqualTo(entries(right));
      assertThat(entries(HBaseConfiguration.create(copy)))
          .as(as)
          .isEqualTo(entries(HBaseConfiguration.create(right)));
      for (String name : entries(right).keySet()) {
        assertThat(copy.get(name)).as("%s: %s", as, name).isEqualTo(right.get(name));
      }
      assertThat(entries(copy)).as(as).isEqualTo(entries(right));
      assertThat(copy.size()).as(as).isEqualTo(right.size());
    }
  }

  @Test
  public void isAsTheConfigurationWas() {
    Configuration region = ofRegion();
    SharedConfiguration copy = SharedConfiguration.copyOf(region);
    server.set("of.the.server", "later");
    assertThat(copy.get("of.the.server")).isEqualTo(System.getProperty("java.io.tmpdir") + "/x");
    assertThat(SharedConfiguration.copyOf(region).get("of.the.server")).isEqualTo("later");
  }

  @Test
  public void sharesItsEntriesUntilOneIsRead() {
    SharedConfiguration copy = SharedConfiguration.copyOf(ofRegion());
    SharedConfiguration other = SharedConfiguration.copyOf(ofRegion());
    copy.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    entries(copy);
    assertThat(copy.isShared()).isTrue();

    assertThat(copy.getInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0)).isEqualTo(3);
    assertThat(copy.isShared()).isFalse();
    copy.set(OF_TABLE, "mine");
    assertThat(other.get(OF_TABLE)).isEqualTo("value");
    assertThat(SharedConfiguration.copyOf(ofRegion()).get(OF_TABLE)).isEqualTo("value");
  }
}
