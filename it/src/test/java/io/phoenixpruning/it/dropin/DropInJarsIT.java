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

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestRule;

/**
 * The drop-in jars in processes of their own: the servers of a plain HBase, and an application that
 * has nothing of Phoenix, HBase and Hadoop but the client jar. Schemas are mapped to namespaces.
 */
public class DropInJarsIT {

  @ClassRule public static final HBaseProcesses HBASE = new HBaseProcesses("jars", true);

  @Rule public final TestRule logs = HBASE.logsOfFailures();

  @Test
  public void answersRightAndGoesOnAfterARegionServerDies() throws Exception {
    Application application = Application.withClientJar(HBASE, "SHOP.SMOKE");
    application.load();

    Application.Watch watch = application.watch("watch");
    watch.await(1);
    ServerName victim = serverOfARegion();
    HBASE.kill(victim);
    watch.await(2);
    watch.end();

    assertThat(HBASE.liveServers()).hasSize(1).doesNotContain(victim);
  }

  private static ServerName serverOfARegion() throws Exception {
    TableName table = TableName.valueOf("SHOP", "SMOKE");
    try (RegionLocator locator = HBASE.connection().getRegionLocator(table)) {
      HRegionLocation location = locator.getRegionLocation(new byte[0], true);
      return location.getServerName();
    }
  }
}
