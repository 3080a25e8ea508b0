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

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;

public class StartupLogTest {

  private static final int ALL = Patch.values().length;

  private static long count(Predicate<Patch> condition) {
    return Arrays.stream(Patch.values()).filter(condition).count();
  }

  private static boolean isOfJvm(Patch patch) {
    return patch.scope() == Patch.Scope.JVM;
  }

  private static Configuration site(String mode, String patches) {
    Configuration site = new Configuration(false);
    site.set(PruningOptions.MODE, mode);
    site.set(PruningOptions.PATCHES, patches);
    return site;
  }

  @Test
  public void namesTheVersionAndTheDefaults() {
    long on = count(patch -> !patch.isOptIn());
    assertThat(
            StartupLog.message(
                "5.2.1-pruning-0.1.0", new Configuration(false), patch -> !patch.isOptIn()))
        .isEqualTo(
            "Phoenix Pruning 5.2.1-pruning-0.1.0: phoenix.pruning.mode=exact,"
                + " phoenix.pruning.patches=all, %d of %d patches on",
            on, ALL);
  }

  @Test
  public void saysThatNoPatchIsOn() {
    assertThat(StartupLog.message(null, site(" STOCK ", "all"), patch -> false))
        .isEqualTo(
            "Phoenix Pruning: phoenix.pruning.mode=stock, phoenix.pruning.patches=all, 0 of %d"
                + " patches on",
            ALL);
    assertThat(StartupLog.message(null, site("exact", "none"), patch -> false))
        .isEqualTo(
            "Phoenix Pruning: phoenix.pruning.mode=exact, phoenix.pruning.patches=none, 0 of %d"
                + " patches on",
            ALL);
  }

  /** The JVM decides about some patches, and the settings of the server about the others. */
  @Test
  public void countsThePatchesOfTheJvm() {
    assertThat(
            StartupLog.message(null, site("exact", "none,+empty-batch"), StartupLogTest::isOfJvm))
        .endsWith(
            String.format(
                "phoenix.pruning.patches=none,+empty-batch, %d of %d patches on",
                1 + count(StartupLogTest::isOfJvm), ALL));
    assertThat(StartupLog.message(null, site("none", "all,-key-order"), patch -> false))
        .endsWith(
            String.format(
                "phoenix.pruning.mode=none, phoenix.pruning.patches=all,-key-order, %d of %d patches"
                    + " on",
                count(patch -> !isOfJvm(patch) && !patch.isOptIn()) - 1, ALL));
  }

  @Test
  public void logsOnlyTheFirstRegion() throws IOException {
    RegionCoprocessorEnvironment region = mock(RegionCoprocessorEnvironment.class);
    when(region.getConfiguration()).thenReturn(HBaseConfiguration.create());
    List<String> lines = new ArrayList<>();
    Logger logger = (Logger) LogManager.getLogger(StartupLog.class);
    AbstractAppender appender =
        new AbstractAppender("test", null, null, false, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    logger.addAppender(appender);
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    try {
      new UngroupedAggregateRegionObserver().start(region);
      new UngroupedAggregateRegionObserver().start(region);
    } finally {
      logger.removeAppender(appender);
      logger.setLevel(before);
    }
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("INFO Phoenix Pruning: phoenix.pruning.mode=exact,");
  }
}
