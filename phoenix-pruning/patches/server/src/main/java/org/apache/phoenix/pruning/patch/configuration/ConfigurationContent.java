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

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.thirdparty.com.google.common.collect.Interner;
import org.apache.phoenix.thirdparty.com.google.common.collect.Interners;
import org.apache.phoenix.thirdparty.com.google.common.collect.MapMaker;
import org.jspecify.annotations.Nullable;

/**
 * All entries of a configuration at one point in time, and the copies made from them. Copies with
 * changes are kept only as long as other objects refer to them. Immutable and interned: contents
 * with equal entries are the same object.
 */
final class ConfigurationContent {

  private static final Interner<ConfigurationContent> CONTENTS = Interners.newWeakInterner();

  private final Map<String, String> entries;
  private final int hash;
  private final ConcurrentMap<List<String>, ConfigurationCopy> copies =
      new MapMaker().weakValues().makeMap();

  /**
   * Copy without changes. Each region reads this copy when the region opens, but does not keep it.
   */
  private @Nullable ConfigurationCopy original;

  private ConfigurationContent(Map<String, String> entries) {
    this.entries = Collections.unmodifiableMap(entries);
    this.hash = entries.hashCode();
  }

  /** Returns the current content of {@code configuration}. */
  static ConfigurationContent of(Configuration configuration) {
    // Keeps the order of the entries because some names are aliases of others.
    Map<String, String> entries = new LinkedHashMap<>();
    configuration.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return CONTENTS.intern(new ConfigurationContent(entries));
  }

  Map<String, String> entries() {
    return entries;
  }

  /**
   * Returns the copy to which {@code settings} were applied. The caller must not change the list
   * later.
   */
  ConfigurationCopy copyWith(List<String> settings) {
    return settings.isEmpty()
        ? original()
        : copies.computeIfAbsent(settings, all -> new ConfigurationCopy(original(), all));
  }

  private synchronized ConfigurationCopy original() {
    if (original == null) {
      original = new ConfigurationCopy(entries);
    }
    return original;
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
    return entries.size() + " entries, " + copies.size() + " copies";
  }
}
