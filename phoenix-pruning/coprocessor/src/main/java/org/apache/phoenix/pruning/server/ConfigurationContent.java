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

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** All entries of a configuration at one time. Equal to others with the same. Immutable. */
final class ConfigurationContent {

  private final Map<String, String> entries;
  private final int hash;
  private Map<String, String> copied;

  ConfigurationContent(Configuration configuration) {
    entries = entries(configuration);
    hash = entries.hashCode();
  }

  private static Map<String, String> entries(Configuration configuration) {
    Map<String, String> entries = new HashMap<>();
    configuration.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return Collections.unmodifiableMap(entries);
  }

  Map<String, String> entries() {
    return entries;
  }

  /** The entries of a copy: also those of Hadoop's default files that the configuration lacks. */
  synchronized Map<String, String> copied() {
    if (copied == null) {
      Configuration copy = new Configuration();
      entries.forEach(copy::set);
      copied = entries(copy);
    }
    return copied;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConfigurationContent
        && hash == ((ConfigurationContent) other).hash
        && entries.equals(((ConfigurationContent) other).entries);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return entries.size() + " entries";
  }
}
