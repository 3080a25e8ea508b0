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
package io.phoenixpruning.testing;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.phoenix.query.ConfigurationFactory;
import org.apache.phoenix.util.InstanceResolver;

/**
 * Gives Phoenix's clients in this JVM the settings of a cluster. Some settings, such as the length
 * of the queue of scans, belong to the driver. Connection properties cannot set them.
 *
 * <p>Each configuration is a copy. Phoenix opens a connection for each statement that it compiles,
 * and would parse the XML files of Hadoop and HBase each time.
 */
public final class ParsedConfigurationFactory implements ConfigurationFactory {

  private final Configuration parsed = HBaseConfiguration.create();
  private final Map<String, String> settings;

  private ParsedConfigurationFactory(Map<String, String> settings) {
    this.settings = settings;
    settings.forEach(parsed::set);
  }

  /**
   * Installs {@code settings} for this JVM.
   *
   * @throws IllegalStateException if this JVM has already used Phoenix with other settings
   */
  public static void install(Map<String, String> settings) {
    ConfigurationFactory installed =
        InstanceResolver.getSingleton(
            ConfigurationFactory.class, new ParsedConfigurationFactory(settings));
    if (!(installed instanceof ParsedConfigurationFactory factory)
        || !factory.settings.equals(settings)) {
      throw new IllegalStateException("Phoenix is already configured by " + installed);
    }
  }

  @Override
  public Configuration getConfiguration() {
    return new Configuration(parsed);
  }

  @Override
  public Configuration getConfiguration(Configuration configuration) {
    Configuration merged = getConfiguration();
    HBaseConfiguration.merge(merged, configuration);
    settings.forEach(merged::set);
    return merged;
  }
}
