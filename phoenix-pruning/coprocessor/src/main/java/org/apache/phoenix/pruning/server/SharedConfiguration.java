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

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.thirdparty.com.google.common.collect.Interner;
import org.apache.phoenix.thirdparty.com.google.common.collect.Interners;
import org.apache.phoenix.util.PropertiesUtil;

/**
 * What {@link PropertiesUtil#cloneConfig} makes of a configuration, but only when an entry is first
 * asked for. Until then, copies of configurations with the same entries share these, and each has
 * only what was set in it.
 *
 * <p>Phoenix makes three copies for each region that opens, and reads the files of Hadoop's
 * defaults for each. Few are ever asked for an entry: they are for statements that write on the
 * server.
 */
public final class SharedConfiguration extends Configuration {

  private static final Interner<ConfigurationContent> CONTENTS = Interners.newWeakInterner();

  private final ConfigurationContent content;

  /** What was set before an entry was asked for; null after that. */
  private Properties changes = new Properties();

  private boolean isSetting;

  private SharedConfiguration(ConfigurationContent content) {
    this.content = content;
  }

  /** A copy of {@code configuration} as it is now. */
  public static SharedConfiguration copyOf(Configuration configuration) {
    return new SharedConfiguration(CONTENTS.intern(new ConfigurationContent(configuration)));
  }

  @Override
  public void set(String name, String value, String source) {
    synchronized (this) {
      if (changes != null) {
        isSetting = true;
        try {
          super.set(name, value, source);
        } finally {
          isSetting = false;
        }
        return;
      }
    }
    super.set(name, value, source);
  }

  /** Where Hadoop finds the entries, and puts what is set, also under other names that it has. */
  @Override
  protected synchronized Properties getProps() {
    if (isSetting) {
      return changes;
    }
    if (changes != null) {
      Properties later = changes;
      changes = null;
      content.entries().forEach(this::set);
      later.stringPropertyNames().forEach(name -> set(name, later.getProperty(name)));
    }
    return super.getProps();
  }

  /** Goes through all entries, which stay shared. */
  @Override
  public synchronized Iterator<Map.Entry<String, String>> iterator() {
    if (changes == null) {
      return super.iterator();
    }
    Map<String, String> entries = new HashMap<>(content.copied());
    changes.stringPropertyNames().forEach(name -> entries.put(name, changes.getProperty(name)));
    return entries.entrySet().iterator();
  }

  /** Whether no entry has been asked for. */
  synchronized boolean isShared() {
    return changes != null;
  }
}
