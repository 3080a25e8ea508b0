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

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * A copy of a configuration that many {@link SharedConfiguration}s read. Nobody else has the
 * configuration, so nothing is set in it any more.
 */
final class ConfigurationCopy {

  private final Configuration configuration = new Configuration();
  private ReadOnlyProps properties;

  /**
   * Makes a copy as Phoenix does: of Hadoop's defaults and {@code entries}, and then {@code
   * settings}.
   */
  ConfigurationCopy(Map<String, String> entries, List<String> settings) {
    // It outlives the thread that is first to need it, and the jar of a table's coprocessor.
    configuration.setClassLoader(Configuration.class.getClassLoader());
    entries.forEach(configuration::set);
    set(settings, configuration);
  }

  /** Repeats calls of {@code set}: name, value and source of each one. */
  static void set(List<String> settings, Configuration configuration) {
    for (int i = 0; i < settings.size(); i += 3) {
      configuration.set(settings.get(i), settings.get(i + 1), settings.get(i + 2));
    }
  }

  /** To be read only. */
  Configuration configuration() {
    return configuration;
  }

  /** All entries, as one object for all who ask. */
  synchronized ReadOnlyProps properties() {
    if (properties == null) {
      properties = new ReadOnlyProps(configuration.iterator());
    }
    return properties;
  }
}
