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

import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.phoenix.util.PropertiesUtil;
import org.apache.phoenix.util.ReadOnlyProps;
import org.jspecify.annotations.Nullable;

/**
 * Copy of a configuration that shares its entries with other copies (copy-on-write), and otherwise
 * behaves like a copy made by {@link PropertiesUtil#cloneConfig}. All copies of the same content
 * with the same changes read one {@link ConfigurationCopy}.
 *
 * <p>Phoenix makes four copies for each region that opens. For each copy, it reads the files of
 * Hadoop's defaults. It keeps the copies as long as the region is open.
 *
 * <p>Only reading and setting entries is shared. Each other method first turns this object into an
 * independent copy, in which all calls of {@code set} are repeated. The method then does what
 * Hadoop does.
 */
public final class SharedConfiguration extends Configuration {

  /**
   * Maximum size of {@link #settings}. A copy with more settings becomes independent, so that it
   * does not have to keep all calls of {@code set}.
   */
  private static final int MAX_SETTINGS = 3 * 100;

  private final ConfigurationContent content;

  /** Name, value and source of each call of {@code set}; null once this is an independent copy. */
  private @Nullable List<String> settings = new ArrayList<>();

  /** Shared entries, or null if they have not been looked up since the last {@code set}. */
  private @Nullable ConfigurationCopy copy;

  /** True if Hadoop has to read its resources again. Entries cannot be shared then. */
  private boolean isReloaded;

  private SharedConfiguration(ConfigurationContent content) {
    this.content = content;
  }

  /** Returns a copy of {@code configuration} in its current state. */
  public static SharedConfiguration copyOf(Configuration configuration) {
    return new SharedConfiguration(
        configuration instanceof SharedConfiguration
                && ((SharedConfiguration) configuration).isUnchanged()
            ? ((SharedConfiguration) configuration).content
            : ConfigurationContent.of(configuration));
  }

  /** Returns a copy without the changes that were made after {@link #copyOf}. */
  public SharedConfiguration original() {
    return new SharedConfiguration(content);
  }

  private synchronized boolean isUnchanged() {
    return settings != null && !isReloaded && settings.isEmpty();
  }

  /** Returns all entries. Copies that share their entries return the same object. */
  public ReadOnlyProps properties() {
    ConfigurationCopy shared = shared();
    return shared == null ? new ReadOnlyProps(super.iterator()) : shared.properties();
  }

  /** Returns the shared entries, or null if this is, or has to become, an independent copy. */
  private @Nullable ConfigurationCopy shared() {
    List<String> set;
    synchronized (this) {
      if (settings == null || isReloaded) {
        return null;
      }
      if (copy != null) {
        return copy;
      }
      set = Collections.unmodifiableList(new ArrayList<>(settings));
    }
    // Does not hold this object's lock here. The constructor of Configuration takes a lock that
    // Hadoop holds while it reloads the resources of all configurations.
    ConfigurationCopy found = content.copyWith(set);
    synchronized (this) {
      if (isShared() && set.equals(settings)) {
        copy = found;
      }
    }
    return found;
  }

  /** Returns whether this object reads shared entries. */
  synchronized boolean isShared() {
    return settings != null && !isReloaded;
  }

  /** Turns this object into an independent copy, as Phoenix would make it. */
  private synchronized void unshare() {
    if (settings != null) {
      List<String> set = settings;
      settings = null;
      copy = null;
      content.entries().forEach(this::set);
      ConfigurationCopy.set(set, this);
    }
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
  public void set(@Nullable String name, @Nullable String value, @Nullable String source) {
    synchronized (this) {
      // Hadoop refuses null.
      if (settings != null && settings.size() < MAX_SETTINGS && name != null && value != null) {
        settings.add(name);
        settings.add(value);
        settings.add(source);
        copy = null;
        return;
      }
    }
    super.set(name, value, source);
  }

  /**
   * Makes this an independent copy first. Hadoop's methods that work with entries call this method,
   * except some that are overridden below.
   */
  @Override
  protected synchronized Properties getProps() {
    unshare();
    return super.getProps();
  }

  /**
   * Reads nothing yet. Hadoop calls this method for all configurations when it gets new defaults.
   */
  @Override
  public synchronized void reloadConfiguration() {
    isReloaded = true;
    copy = null;
    super.reloadConfiguration();
  }

  @Override
  public void setDeprecatedProperties() {
    unshare();
    super.setDeprecatedProperties();
  }

  @Override
  public synchronized void unset(String name) {
    unshare();
    super.unset(name);
  }

  @Override
  public synchronized void setIfUnset(String name, String value) {
    unshare();
    super.setIfUnset(name, value);
  }

  @Override
  public Set<String> getFinalParameters() {
    getProps();
    return super.getFinalParameters();
  }

  @Override
  public synchronized String[] getPropertySources(String name) {
    unshare();
    return super.getPropertySources(name);
  }

  @Override
  public Properties getAllPropertiesByTag(String tag) {
    getProps();
    return super.getAllPropertiesByTag(tag);
  }

  @Override
  public Properties getAllPropertiesByTags(List<String> tags) {
    getProps();
    return super.getAllPropertiesByTags(tags);
  }

  @Override
  public void setRestrictSystemProperties(boolean isRestricted) {
    unshare();
    super.setRestrictSystemProperties(isRestricted);
  }

  @Override
  public void setRestrictSystemProps(boolean isRestricted) {
    unshare();
    super.setRestrictSystemProps(isRestricted);
  }

  @Override
  public void setAllowNullValueProperties(boolean isAllowed) {
    unshare();
    super.setAllowNullValueProperties(isAllowed);
  }

  @Override
  public synchronized void setQuietMode(boolean isQuiet) {
    unshare();
    super.setQuietMode(isQuiet);
  }

  @Override
  public void addResource(String name) {
    unshare();
    super.addResource(name);
  }

  @Override
  public void addResource(String name, boolean isRestricted) {
    unshare();
    super.addResource(name, isRestricted);
  }

  @Override
  public void addResource(URL url) {
    unshare();
    super.addResource(url);
  }

  @Override
  public void addResource(URL url, boolean isRestricted) {
    unshare();
    super.addResource(url, isRestricted);
  }

  @Override
  public void addResource(Path file) {
    unshare();
    super.addResource(file);
  }

  @Override
  public void addResource(Path file, boolean isRestricted) {
    unshare();
    super.addResource(file, isRestricted);
  }

  @Override
  public void addResource(InputStream in) {
    unshare();
    super.addResource(in);
  }

  @Override
  public void addResource(InputStream in, boolean isRestricted) {
    unshare();
    super.addResource(in, isRestricted);
  }

  @Override
  public void addResource(InputStream in, String name) {
    unshare();
    super.addResource(in, name);
  }

  @Override
  public void addResource(InputStream in, String name, boolean isRestricted) {
    unshare();
    super.addResource(in, name, isRestricted);
  }

  @Override
  public void addResource(Configuration other) {
    unshare();
    super.addResource(other);
  }
}
