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
import org.apache.phoenix.query.ConfigurationFactory;
import org.apache.phoenix.util.InstanceResolver;

/**
 * Gives Phoenix's clients in this JVM the settings of an embedded cluster. Some settings, such as
 * the length of the queue of scans, belong to the driver. Connection properties cannot set them.
 */
final class EmbeddedConfigurationFactory implements ConfigurationFactory {

  private final ConfigurationFactory defaults = new ConfigurationFactoryImpl();
  private final Map<String, String> settings;

  private EmbeddedConfigurationFactory(Map<String, String> settings) {
    this.settings = settings;
  }

  /**
   * Installs {@code settings} for this JVM.
   *
   * @throws IllegalStateException if this JVM has already used Phoenix with other settings
   */
  static void install(Map<String, String> settings) {
    ConfigurationFactory installed =
        InstanceResolver.getSingleton(
            ConfigurationFactory.class, new EmbeddedConfigurationFactory(settings));
    if (!(installed instanceof EmbeddedConfigurationFactory embedded)
        || !embedded.settings.equals(settings)) {
      throw new IllegalStateException("Phoenix is already configured by " + installed);
    }
  }

  @Override
  public Configuration getConfiguration() {
    return set(defaults.getConfiguration());
  }

  @Override
  public Configuration getConfiguration(Configuration configuration) {
    return set(defaults.getConfiguration(configuration));
  }

  private Configuration set(Configuration configuration) {
    settings.forEach(configuration::set);
    return configuration;
  }
}
