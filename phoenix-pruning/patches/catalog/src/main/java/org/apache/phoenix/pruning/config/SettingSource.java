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
package org.apache.phoenix.pruning.config;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.util.JDBCUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up settings in the properties of a connection, its URL, the system properties, and the site
 * file, in this order. The site file is hbase-site.xml.
 *
 * <p>An invalid setting of the caller is refused. An invalid setting in the site file only causes
 * one WARN per JVM. Clients and servers of several versions share that file. Phoenix merges all of
 * that file into the properties of connections that region servers and MapReduce jobs open.
 */
final class SettingSource {

  static final String PREFIX = "phoenix.pruning.";

  private static final Logger LOGGER = LoggerFactory.getLogger(PruningOptions.class);

  private static final Set<String> WARNINGS = ConcurrentHashMap.newKeySet();

  private final String url;
  private final Properties properties;
  private final Configuration site;

  SettingSource(PhoenixConnection connection, Configuration site) throws SQLException {
    this(connection.getURL(), connection.getClientInfo(), site);
  }

  private SettingSource(String url, Properties properties, Configuration site) {
    this.url = url;
    this.properties = properties;
    this.site = site;
  }

  /** Returns a source of settings for the whole JVM, without a connection. */
  static SettingSource ofJvm(Configuration site) {
    return new SettingSource("", new Properties(), site);
  }

  /**
   * Returns the value of a setting.
   *
   * @throws SQLException if the caller set a value that is not allowed
   */
  <T> T read(Setting<T> setting) throws SQLException {
    String ownValue = ownValue(setting);
    if (ownValue == null) {
      return readShared(setting);
    }
    T value = setting.parse(ownValue);
    if (value == null && !isSetByCaller(setting)) {
      return readShared(setting);
    }
    if (value == null) {
      throw refusal(
          String.format(
              "%s is '%s'. %s. Correct the value in the properties or the URL of the connection",
              setting.name(), ownValue, setting.problem(ownValue)));
    }
    return value;
  }

  /** Returns whether the caller has set this setting to another value than the site file has. */
  boolean isSetByCaller(Setting<?> setting) throws SQLException {
    String ownValue = ownValue(setting);
    return ownValue != null && !ownValue.equals(valueByAnyName(setting, site::get));
  }

  /**
   * Returns the value of a setting for the whole JVM, or its default if the value is not allowed.
   */
  <T> T readShared(Setting<T> setting) {
    String systemValue = valueByAnyName(setting, System::getProperty);
    return systemValue == null
        ? read(setting, valueByAnyName(setting, site::get), "hbase-site.xml on the class path")
        : read(setting, systemValue, "the system properties");
  }

  /**
   * Returns the value of a setting, or its default if the value is null or not allowed.
   *
   * @param where names the place of the value in a WARN
   */
  static <T> T read(Setting<T> setting, @Nullable String value, String where) {
    if (value == null) {
      return setting.defaultValue();
    }
    T parsed = setting.parse(value);
    if (parsed != null) {
      return parsed;
    }
    @Nullable T allowed = setting.parseLeniently(value);
    T used = allowed == null ? setting.defaultValue() : allowed;
    warn(
        String.format(
            "%s is '%s' in %s. %s. %s is used: %s",
            setting.name(),
            value,
            where,
            setting.problem(value),
            allowed == null ? "The default" : "The rest",
            used.toString().toLowerCase(Locale.ROOT)));
    return used;
  }

  private @Nullable String ownValue(Setting<?> setting) throws SQLException {
    for (String name : setting.names()) {
      String value = ownValue(name);
      if (value != null) {
        warnIfFormer(setting, name);
        return value;
      }
    }
    return null;
  }

  /** Returns the value under the name of a setting, or else under its former name, or null. */
  private static @Nullable String valueByAnyName(Setting<?> setting, UnaryOperator<String> values) {
    for (String name : setting.names()) {
      String value = values.apply(name);
      if (value != null) {
        warnIfFormer(setting, name);
        return value;
      }
    }
    return null;
  }

  private static void warnIfFormer(Setting<?> setting, String name) {
    if (!name.equals(setting.name())) {
      warn(name + " is a former name of a setting. Use " + setting.name());
    }
  }

  /** Returns the value in the properties or the URL, or null if neither has it. */
  private @Nullable String ownValue(String name) throws SQLException {
    return JDBCUtil.findProperty(url, properties, name);
  }

  /**
   * Checks that all names of settings are {@code known}. An unknown name from the site file only
   * causes a WARN.
   *
   * @throws SQLException if the caller set an unknown name
   */
  void checkNames(Set<String> known) throws SQLException {
    for (String name : properties.stringPropertyNames()) {
      if (isUnknown(name, known) && !isSetBySite(name, known)) {
        throw unknown(name, known);
      }
    }
    // Phoenix ignores the case of names in a URL.
    for (String name : namesInUrl()) {
      if (isUnknown(name.toLowerCase(Locale.ROOT), known) && !isSetBySite(name, known)) {
        throw unknown(name, known);
      }
    }
  }

  static boolean isUnknown(String name, Set<String> known) {
    return name.toLowerCase(Locale.ROOT).startsWith(PREFIX) && !known.contains(name);
  }

  private boolean isSetBySite(String name, Set<String> known) throws SQLException {
    String siteValue = site.get(name);
    boolean isSame = siteValue != null && siteValue.equals(ownValue(name));
    if (isSame) {
      warnUnknown(name, known);
    }
    return isSame;
  }

  private List<String> namesInUrl() {
    List<String> names = new ArrayList<>();
    String[] parts = url.split(";");
    for (int i = 1; i < parts.length; i++) {
      int end = parts[i].indexOf('=');
      names.add((end < 0 ? parts[i] : parts[i].substring(0, end)).trim());
    }
    return names;
  }

  private static SQLException unknown(String name, Set<String> known) {
    return refusal(
        String.format(
            "%s is not a setting of Phoenix Pruning. Did you mean %s? Correct the name in the"
                + " properties or the URL of the connection",
            name, closest(name, known)));
  }

  static SQLException refusal(String message) {
    return new SQLExceptionInfo.Builder(SQLExceptionCode.ILLEGAL_DATA)
        .setMessage(message)
        .build()
        .buildException();
  }

  /** Returns the known name that differs from {@code name} in the fewest characters. */
  static String closest(String name, Collection<String> known) {
    return Collections.min(
        known,
        Comparator.<String>comparingInt(other -> distance(name.toLowerCase(Locale.ROOT), other))
            .thenComparing(Comparator.naturalOrder()));
  }

  /** Returns the Levenshtein distance. */
  private static int distance(String one, String other) {
    int[] previous = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] current = new int[other.length() + 1];
      current[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[other.length()];
  }

  /** Logs one WARN for each setting in {@code site} whose name is not {@code known}. */
  static void warnUnknownNames(Configuration site, Set<String> known) {
    for (Map.Entry<String, String> setting : site) {
      if (isUnknown(setting.getKey(), known)) {
        warnUnknown(setting.getKey(), known);
      }
    }
  }

  static void warnUnknown(String name, Set<String> known) {
    warn(
        String.format(
            "%s in hbase-site.xml is not a setting of this version of Phoenix Pruning. Did you mean"
                + " %s? The setting is ignored",
            name, closest(name, known)));
  }

  static void warn(String message) {
    if (WARNINGS.add(message)) {
      LOGGER.warn(message);
    }
  }
}
