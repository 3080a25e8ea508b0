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
package org.apache.phoenix.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.coprocessor.BaseEnvironment;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.configuration.SharedConfiguration;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests the configuration that Phoenix's observer has after its region opened. */
@RunWith(JUnitParamsRunner.class)
public class RegionConfigurationTest {

  /** Configuration that counts how often all of its entries are read. */
  private static final class OfRegion extends Configuration {
    private int reads;

    OfRegion(String mode) {
      super(HBaseConfiguration.create());
      set(PruningOptions.MODE, mode);
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
      reads++;
      return super.iterator();
    }
  }

  private static Configuration upsertSelectConfiguration(Configuration regionConfiguration)
      throws IOException {
    UngroupedAggregateRegionObserver observer = new UngroupedAggregateRegionObserver();
    new BaseEnvironment<>(observer, 0, 0, regionConfiguration).startup();
    return observer.getUpsertSelectConfig();
  }

  private static Map<String, String> entries(Configuration configuration) {
    Map<String, String> entries = new TreeMap<>();
    configuration.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    entries.remove(PruningOptions.MODE);
    return entries;
  }

  @Test
  public void isReadOnceAndShared() throws IOException {
    OfRegion region = new OfRegion("exact");
    Configuration first = upsertSelectConfiguration(region);
    assertThat(region.reads).isEqualTo(1);
    Configuration second = upsertSelectConfiguration(new OfRegion("exact"));
    assertThat(first).isInstanceOf(SharedConfiguration.class).isNotSameAs(second);
    assertThat(((SharedConfiguration) first).properties())
        .isSameAs(((SharedConfiguration) second).properties());
  }

  @Test
  public void isCopiedByPhoenixInModeStock() throws IOException {
    OfRegion region = new OfRegion("stock");
    Configuration stock = upsertSelectConfiguration(region);
    assertThat(stock.getClass()).isEqualTo(Configuration.class);
    assertThat(region.reads).isEqualTo(3);
    Configuration exact = upsertSelectConfiguration(new OfRegion("exact"));
    assertThat(entries(exact)).isEqualTo(entries(stock)).hasSizeGreaterThan(500);
  }

  /**
   * HBase's {@code update_config} reloads the files and notifies the regions. Phoenix's copies do
   * not change. A region that opens later has the new values.
   */
  @Test
  @Parameters({"stock", "exact"})
  public void isUpdatedAsInModeStock(String mode) throws IOException {
    OfRegion server = new OfRegion(mode);
    server.addResource(resource("before"));
    Configuration open = upsertSelectConfiguration(server);
    assertThat(open.get("of.site")).isEqualTo("before");
    server.addResource(resource("after"));
    server.reloadConfiguration();
    assertThat(open.get("of.site")).isEqualTo("before");
    assertThat(upsertSelectConfiguration(server).get("of.site")).isEqualTo("after");
  }

  private static InputStream resource(String value) {
    return new ByteArrayInputStream(
        ("<configuration><property><name>of.site</name><value>"
                + value
                + "</value></property></configuration>")
            .getBytes(StandardCharsets.UTF_8));
  }
}
