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

import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.phoenix.util.PropertiesUtil;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * What {@link PropertiesUtil#cloneConfig} makes of a configuration, copied on write: it keeps what
 * was set in it, and reads one {@link ConfigurationCopy} with all others of the same content in
 * which the same was set. It becomes a copy of its own when anything else is asked of it, such as
 * to unset an entry, to read a resource, or all of its entries for Hadoop's own copy.
 *
 * <p>Phoenix makes four copies for each region that opens, reads the files of Hadoop's defaults for
 * each, and keeps them as long as the region is open.
 */
public final class SharedConfiguration extends Configuration {

  private final ConfigurationContent content;

  /** What was set while it is not a copy of its own; null after that. */
  private Properties changes = new Properties();

  /** What is read; null if that is not known yet since the last change, or not to be shared. */
  private ConfigurationCopy copy;

  private boolean isSetting;

  /** Whether resources were added or read again: only a copy of its own has what they say. */
  private boolean hasOwnResources;

  private SharedConfiguration(ConfigurationContent content) {
    this.content = content;
  }

  /** A copy of {@code configuration} as it is now. */
  public static SharedConfiguration copyOf(Configuration configuration) {
    return new SharedConfiguration(
        configuration instanceof SharedConfiguration
                && ((SharedConfiguration) configuration).isUnchanged()
            ? ((SharedConfiguration) configuration).content
            : ConfigurationContent.of(configuration));
  }

  /** A copy of what this is a copy of, without what was set in this. */
  public SharedConfiguration original() {
    return new SharedConfiguration(content);
  }

  private synchronized boolean isUnchanged() {
    return isShared() && changes.isEmpty();
  }

  /** All entries, the same object for all that share theirs. */
  public ReadOnlyProps properties() {
    ConfigurationCopy shared = shared();
    return shared == null ? new ReadOnlyProps(super.iterator()) : shared.properties();
  }

  /** Null if this is, or has to become, a copy of its own. */
  private ConfigurationCopy shared() {
    Map<String, String> changed = new HashMap<>();
    synchronized (this) {
      if (!isShared()) {
        return null;
      }
      if (copy != null) {
        return copy;
      }
      changes.stringPropertyNames().forEach(name -> changed.put(name, changes.getProperty(name)));
    }
    // Without the lock of this: the constructor of Configuration takes the one that Hadoop has when
    // it tells all configurations to read their resources again.
    ConfigurationCopy found = content.copyWith(Collections.unmodifiableMap(changed));
    synchronized (this) {
      if (isShared() && changed.equals(changes)) {
        copy = found;
      }
    }
    return found;
  }

  /** Whether it reads entries that others read, too. */
  synchronized boolean isShared() {
    return changes != null && !hasOwnResources;
  }

  @Override
  public String get(String name) {
    ConfigurationCopy shared = shared();
    return shared == null ? super.get(name) : shared.configuration().get(name);
  }

  @Override
  public String get(String name, String defaultValue) {
    ConfigurationCopy shared = shared();
    return shared == null
        ? super.get(name, defaultValue)
        : shared.configuration().get(name, defaultValue);
  }

  @Override
  public String getRaw(String name) {
    ConfigurationCopy shared = shared();
    return shared == null ? super.getRaw(name) : shared.configuration().getRaw(name);
  }

  @Override
  public Iterator<Map.Entry<String, String>> iterator() {
    ConfigurationCopy shared = shared();
    return shared == null ? super.iterator() : shared.configuration().iterator();
  }

  @Override
  public void set(String name, String value, String source) {
    synchronized (this) {
      if (changes != null) {
        copy = null;
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
      copy = null;
      content.entries().forEach(this::set);
      later.stringPropertyNames().forEach(name -> set(name, later.getProperty(name)));
    }
    return super.getProps();
  }

  @Override
  public synchronized void unset(String name) {
    getProps();
    super.unset(name);
  }

  @Override
  public synchronized void setIfUnset(String name, String value) {
    getProps();
    super.setIfUnset(name, value);
  }

  @Override
  public Set<String> getFinalParameters() {
    getProps();
    return super.getFinalParameters();
  }

  /** Reads nothing yet: Hadoop calls it for all configurations when it gets new defaults. */
  @Override
  public synchronized void reloadConfiguration() {
    readOwnResources();
    super.reloadConfiguration();
  }

  private synchronized void readOwnResources() {
    hasOwnResources = true;
    copy = null;
  }

  @Override
  public void addResource(String name) {
    readOwnResources();
    super.addResource(name);
  }

  @Override
  public void addResource(String name, boolean restricted) {
    readOwnResources();
    super.addResource(name, restricted);
  }

  @Override
  public void addResource(URL url) {
    readOwnResources();
    super.addResource(url);
  }

  @Override
  public void addResource(URL url, boolean restricted) {
    readOwnResources();
    super.addResource(url, restricted);
  }

  @Override
  public void addResource(Path file) {
    readOwnResources();
    super.addResource(file);
  }

  @Override
  public void addResource(Path file, boolean restricted) {
    readOwnResources();
    super.addResource(file, restricted);
  }

  @Override
  public void addResource(InputStream in) {
    readOwnResources();
    super.addResource(in);
  }

  @Override
  public void addResource(InputStream in, boolean restricted) {
    readOwnResources();
    super.addResource(in, restricted);
  }

  @Override
  public void addResource(InputStream in, String name) {
    readOwnResources();
    super.addResource(in, name);
  }

  @Override
  public void addResource(InputStream in, String name, boolean restricted) {
    readOwnResources();
    super.addResource(in, name, restricted);
  }

  @Override
  public void addResource(Configuration other) {
    readOwnResources();
    super.addResource(other);
  }
}
