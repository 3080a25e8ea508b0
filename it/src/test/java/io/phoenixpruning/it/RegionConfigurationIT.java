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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.configuration.SharedConfiguration;
import org.apache.phoenix.util.ReadOnlyProps;
import org.junit.Test;

/** Tests the copies of the configuration that the open regions of a table keep. */
public class RegionConfigurationIT extends IndexedTableTest {

  private static final int REGIONS = 20;

  /** Creates the table, opens its regions again, and returns a copy that each region keeps. */
  private List<Configuration> copies(Patch... leftOut) throws Exception {
    createTable("SPLIT ON (" + splits(REGIONS, 10) + ")");
    for (Patch patch : leftOut) {
      leaveOut(patch);
    }
    execute(connection, "ALTER TABLE " + table + " SET BLOCKCACHE = false");
    Field copy = UngroupedAggregateRegionObserver.class.getDeclaredField("upsertSelectConfig");
    copy.setAccessible(true);
    List<Configuration> copies = new ArrayList<>();
    for (HRegion region : getUtility().getHBaseCluster().getRegions(TableName.valueOf(table))) {
      Object observer =
          region
              .getCoprocessorHost()
              .findCoprocessor(UngroupedAggregateRegionObserver.class.getName());
      copies.add((Configuration) copy.get(observer));
    }
    assertThat(copies).hasSize(REGIONS);
    return copies;
  }

  @Test
  public void regionsOfAServerShareTheirEntries() throws Exception {
    Set<ReadOnlyProps> entries = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Configuration> copies = copies();
    assertThat(copies).hasOnlyElementsOfType(SharedConfiguration.class);
    copies.forEach(copy -> entries.add(((SharedConfiguration) copy).properties()));
    int servers = getUtility().getHBaseCluster().getLiveRegionServerThreads().size();
    assertThat(entries).hasSizeBetween(1, servers).hasSizeLessThan(REGIONS);
  }

  @Test
  public void eachRegionKeepsItsOwnCopyWithoutThePatch() throws Exception {
    assertThat(copies(Patch.SHARED_CONFIGURATION))
        .doesNotHaveDuplicates()
        .noneMatch(copy -> copy instanceof SharedConfiguration);
  }
}
