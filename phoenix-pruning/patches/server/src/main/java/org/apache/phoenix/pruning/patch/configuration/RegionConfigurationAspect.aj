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
package org.apache.phoenix.pruning.patch.configuration;

import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.PropertiesUtil;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * Lets regions share the configuration copies that Phoenix makes when a region opens. Phoenix's
 * {@code UngroupedAggregateRegionObserver} and {@code IndexRegionObserver} make four copies for
 * each region, and parse Hadoop's default files each time (not reported).
 *
 * <p>Example: {@code ALTER TABLE T SET BLOCKCACHE = false} opens all regions of T again, which uses
 * much CPU.
 */
public privileged aspect RegionConfigurationAspect {

  Configuration around(Configuration configuration) :
      call(static Configuration PropertiesUtil.cloneConfig(Configuration)) && args(configuration) {
    return Patches.isOn(Patch.SHARED_CONFIGURATION) && !ServerMode.isStock(configuration)
        ? SharedConfiguration.copyOf(configuration)
        : proceed(configuration);
  }

  /** Reads the region's configuration only for the first of the observer's three copies. */
  Configuration around(UngroupedAggregateRegionObserver observer) :
      call(Configuration CoprocessorEnvironment.getConfiguration())
      && withincode(void UngroupedAggregateRegionObserver.start(..))
      && this(observer) {
    return observer.upsertSelectConfig instanceof SharedConfiguration
        ? ((SharedConfiguration) observer.upsertSelectConfig).original()
        : proceed(observer);
  }

  ReadOnlyProps around(UngroupedAggregateRegionObserver observer) :
      call(ReadOnlyProps.new(Iterator))
      && withincode(void UngroupedAggregateRegionObserver.start(..))
      && this(observer) {
    return observer.indexWriteConfig instanceof SharedConfiguration
        ? ((SharedConfiguration) observer.indexWriteConfig).properties()
        : proceed(observer);
  }
}
