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

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.util.ReadOnlyProps;
import org.jspecify.annotations.Nullable;

/**
 * Copy of a configuration, read by many {@link SharedConfiguration}s. No other code has a reference
 * to the configuration, so the entries never change.
 */
final class ConfigurationCopy {

  /**
   * Hadoop's defaults. Copying them takes less time than reading their files. Hadoop reads the
   * files again when another default file is added. Until then, a property that was deleted from
   * one of the files keeps its value.
   */
  private static final Configuration DEFAULTS = new Configuration();

  static {
    // Outlives the thread that loads this class and the jar of a table's coprocessor.
    DEFAULTS.setClassLoader(Configuration.class.getClassLoader());
  }

  private final Configuration configuration;
  private @Nullable ReadOnlyProps properties;

  /** Creates a copy as Phoenix does: from Hadoop's defaults, then {@code entries}. */
  ConfigurationCopy(Map<String, String> entries) {
    this.configuration = new Configuration(DEFAULTS);
    entries.forEach(configuration::set);
  }

  /** Creates a copy of {@code original} with {@code settings}. */
  ConfigurationCopy(ConfigurationCopy original, List<String> settings) {
    this.configuration = new Configuration(original.configuration);
    set(settings, configuration);
  }

  /**
   * Repeats calls of {@code set}.
   *
   * @param settings name, value and source of each call
   */
  static void set(List<String> settings, Configuration configuration) {
    for (int i = 0; i < settings.size(); i += 3) {
      configuration.set(settings.get(i), settings.get(i + 1), settings.get(i + 2));
    }
  }

  /** Returns the configuration. The caller must not change it. */
  Configuration configuration() {
    return configuration;
  }

  /** Returns all entries. All callers get the same object. */
  synchronized ReadOnlyProps properties() {
    if (properties == null) {
      properties = new ReadOnlyProps(configuration.iterator());
    }
    return properties;
  }
}
