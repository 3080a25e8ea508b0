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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.util.PropertiesUtil;
import org.apache.phoenix.util.ReadOnlyProps;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Compares shared copies with the copies that mode stock makes of the same configuration. */
@RunWith(JUnitParamsRunner.class)
public class SharedConfigurationTest {

  private static final String TABLE_SETTING = "of.the.table";

  private final Configuration server = HBaseConfiguration.create();

  private static final Map<String, Consumer<Configuration>> CHANGES = new LinkedHashMap<>();

  static {
    CHANGES.put("nothing", copy -> {});
    CHANGES.put("a setting", copy -> copy.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3));
    CHANGES.put("a class", copy -> copy.setClass("of.a.class", Map.class, Object.class));
    // Hadoop still supports the name.
    CHANGES.put("a deprecated name", copy -> copy.set("fs.default.name", "file:///elsewhere"));
    CHANGES.put("a reference", copy -> copy.set("io.file.buffer.size", "${hadoop.tmp.dir}"));
    CHANGES.put("a setting if unset", copy -> copy.setIfUnset("of.nobody", "unset"));
    CHANGES.put("an unset setting", copy -> copy.unset(TABLE_SETTING));
    CHANGES.put(
        "an unset setting and a reload",
        copy -> {
          copy.unset(TABLE_SETTING);
          copy.reloadConfiguration();
        });
    CHANGES.put("a resource", copy -> copy.addResource("hbase-default.xml"));
    CHANGES.put(
        "a resource with restricted parsing, after a read",
        copy -> {
          copy.get(TABLE_SETTING);
          copy.addResource("hbase-default.xml", true);
        });
    CHANGES.put("a configuration", copy -> copy.addResource(otherConfiguration()));
    CHANGES.put("a stream", copy -> copy.addResource(resource()));
    CHANGES.put("a stream with restricted parsing", copy -> copy.addResource(resource(), true));
    CHANGES.put("a named stream", copy -> copy.addResource(resource(), "resource"));
    CHANGES.put(
        "a named stream with restricted parsing",
        copy -> copy.addResource(resource(), "resource", true));
    CHANGES.put("a reload", copy -> copy.reloadConfiguration());
    CHANGES.put(
        "a cleared configuration",
        copy -> {
          copy.setInt("of.nobody", 1);
          copy.get("of.nobody");
          copy.clear();
        });
    CHANGES.put(
        "a setting and a resource",
        copy -> {
          copy.set("hbase.client.pause", "8");
          copy.addResource("hbase-default.xml");
        });
    CHANGES.put(
        "two values of a setting",
        copy -> {
          copy.set(TABLE_SETTING, "first");
          copy.set(TABLE_SETTING, "second");
        });
    CHANGES.put(
        "a setting that was read before",
        copy -> {
          copy.get(TABLE_SETTING);
          copy.set(TABLE_SETTING, "read before");
        });
  }

  private static Configuration otherConfiguration() {
    Configuration more = new Configuration(false);
    more.set(TABLE_SETTING, "more");
    more.set("of.more", "${of.the.server}");
    return more;
  }

  private static InputStream resource() {
    return new ByteArrayInputStream(
        ("<configuration><property><name>of.resource</name><value>1</value></property>"
                + "<property><name>fixed</name><value>2</value><final>true</final></property>"
                + "</configuration>")
            .getBytes(StandardCharsets.UTF_8));
  }

  private static Bytes bytes(String text) {
    return new Bytes(Bytes.toBytes(text));
  }

  private Configuration regionConfiguration() {
    server.set("of.the.server", "${java.io.tmpdir}/x");
    server.set("hbase.client.pause", "7");
    server.unset("io.seqfile.local.dir");
    return new CompoundConfiguration()
        .add(server)
        .addBytesMap(Map.of(bytes(TABLE_SETTING), bytes("value")));
  }

  private static Map<String, String> entries(Configuration configuration) {
    Map<String, String> entries = new TreeMap<>();
    Iterator<Map.Entry<String, String>> all = configuration.iterator();
    all.forEachRemaining(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  private static Set<String> changes() {
    return CHANGES.keySet();
  }

  private static void assertSameValues(SharedConfiguration copy, Configuration expected) {
    assertThat(entries(expected).keySet())
        .allSatisfy(
            name -> {
              assertThat(copy.get(name)).isEqualTo(expected.get(name));
              assertThat(copy.get(name, "default")).isEqualTo(expected.get(name));
              assertThat(copy.getRaw(name)).isEqualTo(expected.getRaw(name));
            });
  }

  @Test
  @Parameters(method = "changes")
  public void hasTheEntriesOfPhoenixsCopy(String change) {
    Configuration expected = PropertiesUtil.cloneConfig(regionConfiguration());
    CHANGES.get(change).accept(expected);
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    CHANGES.get(change).accept(copy);
    assertThat(entries(copy)).isEqualTo(entries(expected));
    assertSameValues(copy, expected);
    assertThat(copy.get("of.nobody", "default")).isEqualTo(expected.get("of.nobody", "default"));
    assertThat(entries(SharedConfiguration.copyOf(copy)))
        .isEqualTo(entries(PropertiesUtil.cloneConfig(expected)));
    assertThat(copy.properties().asMap()).isEqualTo(entries(expected));
    assertThat(entries(new Configuration(copy))).isEqualTo(entries(expected));
    assertThat(entries(HBaseConfiguration.create(copy)))
        .isEqualTo(entries(HBaseConfiguration.create(expected)));
    assertSameValues(copy, expected);
    assertThat(entries(copy)).isEqualTo(entries(expected));
    assertThat(copy.size()).isEqualTo(expected.size());
    assertThat(copy.getFinalParameters()).isEqualTo(expected.getFinalParameters());
  }

  @Test
  public void keepsValuesThatTheOriginalChangesLater() {
    Configuration region = regionConfiguration();
    SharedConfiguration copy = SharedConfiguration.copyOf(region);
    server.set("of.the.server", "later");
    assertThat(copy.get("of.the.server")).isEqualTo(System.getProperty("java.io.tmpdir") + "/x");
    assertThat(SharedConfiguration.copyOf(region).get("of.the.server")).isEqualTo("later");
  }

  @Test
  public void sharesEntriesWithCopiesThatSetTheSame() {
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    SharedConfiguration other = SharedConfiguration.copyOf(regionConfiguration());
    SharedConfiguration unchanged = SharedConfiguration.copyOf(regionConfiguration());
    for (Configuration each : List.of(copy, other)) {
      each.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    }
    assertThat(copy.getInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0)).isEqualTo(3);
    assertThat(unchanged.getInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0)).isNotEqualTo(3);
    assertThat(copy.properties())
        .isSameAs(other.properties())
        .isNotSameAs(unchanged.properties())
        .isNotSameAs(copy.original().properties());
    assertThat(unchanged.properties()).isSameAs(copy.original().properties());

    copy.set(TABLE_SETTING, "mine");
    assertThat(copy.get(TABLE_SETTING)).isEqualTo("mine");
    assertThat(copy.properties().get(TABLE_SETTING)).isEqualTo("mine");
    assertThat(copy.isShared()).isTrue();
    assertThat(other.get(TABLE_SETTING)).isEqualTo("value");
    assertThat(SharedConfiguration.copyOf(regionConfiguration()).get(TABLE_SETTING))
        .isEqualTo("value");
  }

  @Test
  public void isUnsharedAfterAnEntryIsRemoved() {
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    SharedConfiguration other = SharedConfiguration.copyOf(regionConfiguration());
    assertThat(copy.get(TABLE_SETTING)).isEqualTo("value");
    copy.unset(TABLE_SETTING);
    assertThat(copy.isShared()).isFalse();
    assertThat(copy.get(TABLE_SETTING)).isNull();
    assertThat(other.get(TABLE_SETTING)).isEqualTo("value");
  }

  /**
   * A copy with many settings becomes independent, because a shared copy would have to keep all
   * calls of {@code set}.
   */
  @Test
  public void isUnsharedAfterManySettings() {
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    for (int i = 0; i < 1_000; i++) {
      copy.setInt("of.nobody", i);
    }
    assertThat(copy.isShared()).isFalse();
    assertThat(copy.getInt("of.nobody", -1)).isEqualTo(999);
    assertThat(copy.get(TABLE_SETTING)).isEqualTo("value");
  }

  @Test
  public void tablesHaveTheirOwnEntries() {
    Configuration elsewhere =
        new CompoundConfiguration()
            .add(server)
            .addBytesMap(Map.of(bytes(TABLE_SETTING), bytes("elsewhere")));
    assertThat(SharedConfiguration.copyOf(regionConfiguration()).get(TABLE_SETTING))
        .isEqualTo("value");
    assertThat(SharedConfiguration.copyOf(elsewhere).get(TABLE_SETTING)).isEqualTo("elsewhere");
  }

  /** Threads set entries of a copy while other threads read it. */
  @Test
  public void threadsReadTheirOwnSettings() throws Exception {
    SharedConfiguration together = SharedConfiguration.copyOf(regionConfiguration());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String mine = "of.thread." + i;
        all.add(
            threads.submit(
                () -> {
                  for (int value = 0; value < 5; value++) {
                    together.setInt(mine, value);
                    assertThat(together.getInt(mine, -1)).as(mine).isEqualTo(value);
                    assertThat(together.get(TABLE_SETTING))
                        .as("%s is %s", mine, value)
                        .isEqualTo("value");
                  }
                  if (mine.endsWith("0")) {
                    together.reloadConfiguration();
                  }
                  assertThat(together.getInt(mine, -1)).as(mine).isEqualTo(4);
                }));
      }
      for (Future<?> each : all) {
        each.get(1, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Hadoop adds defaults when a class of another Hadoop module is loaded. */
  @Test
  public void hasDefaultsThatAreAddedLater() {
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    Configuration expected = PropertiesUtil.cloneConfig(regionConfiguration());
    assertThat(copy.get("of.later")).isNull();
    Configuration.addDefaultResource("later-defaults.xml");
    assertThat(expected.get("of.later")).isEqualTo("later");
    assertThat(copy.get("of.later")).isEqualTo("later");
    assertThat(entries(copy)).isEqualTo(entries(expected));
  }

  /**
   * While Hadoop adds defaults, it holds the class lock that constructors of configurations take.
   */
  @Test(timeout = 60_000)
  public void canBeReadWhileDefaultsAreAdded() throws Exception {
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    copy.set(TABLE_SETTING, "while defaults come");
    Thread reader = new Thread(() -> copy.get(TABLE_SETTING));
    synchronized (Configuration.class) {
      reader.start();
      while (!waitsForThisThread(reader)) {
        Thread.onSpinWait();
      }
      copy.reloadConfiguration();
    }
    reader.join();
    assertThat(copy.get(TABLE_SETTING)).isEqualTo("while defaults come");
  }

  private static boolean waitsForThisThread(Thread thread) {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
    return info != null && info.getLockOwnerId() == Thread.currentThread().getId();
  }

  /** The first reader may be a table's coprocessor that has its own jar. */
  @Test
  public void keepsNoClassLoader() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader ofTable = new URLClassLoader(new URL[0], before)) {
      thread.setContextClassLoader(ofTable);
      SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
      copy.set(TABLE_SETTING, "of a class loader");
      assertThat(copy.get(TABLE_SETTING)).isEqualTo("of a class loader");
      assertThat(copy.getClassLoader()).isSameAs(ofTable);
      ConfigurationContent content = ConfigurationContent.of(regionConfiguration());
      assertThat(
              content
                  .copyWith(Arrays.asList(TABLE_SETTING, "of a class loader", null))
                  .configuration()
                  .getClassLoader())
          .isNotSameAs(ofTable);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test(timeout = 60_000)
  public void isCollectedAfterItsLastReader() {
    SharedConfiguration copy = SharedConfiguration.copyOf(regionConfiguration());
    copy.set(TABLE_SETTING, "forgotten");
    WeakReference<ReadOnlyProps> properties = new WeakReference<>(copy.properties());
    assertThat(properties.get().get(TABLE_SETTING)).isEqualTo("forgotten");
    copy.set(TABLE_SETTING, "later");
    while (properties.get() != null) {
      System.gc();
    }
  }
}
