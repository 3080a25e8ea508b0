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
package io.phoenixpruning.it.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestWatcher;
import org.junit.runner.Description;

/**
 * The drop-in jars in processes of their own: the servers of a plain HBase, and an application that
 * has nothing of Phoenix, HBase and Hadoop but the client jar.
 */
public class DropInJarsIT {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  @ClassRule public static final HBaseProcesses HBASE = new HBaseProcesses();

  @Rule
  public final TestWatcher printLogs =
      new TestWatcher() {
        @Override
        protected void failed(Throwable e, Description description) {
          HBASE.printLogs();
        }
      };

  @Test
  public void answersRightAndGoesOnAfterARegionServerDies() throws Exception {
    List<Path> classPath = applicationClassPath();
    runSmoke("load", classPath);

    ServerName victim = serverOfARegion();
    HBASE.kill(victim);

    runSmoke("query", classPath);
    assertThat(HBASE.liveServers()).hasSize(1).doesNotContain(victim);
  }

  /**
   * The client jar, the application, and a log backend: Hadoop needs the API of log4j 1, which the
   * client jar, as stock's, leaves to the application.
   */
  private static List<Path> applicationClassPath() throws Exception {
    List<Path> classPath = new ArrayList<>();
    classPath.add(HBaseProcesses.jar("dropin.client.jar"));
    classPath.add(HBASE.classesOf(Smoke.class));
    for (Class<?> log :
        List.of(
            org.apache.logging.log4j.LogManager.class,
            org.apache.logging.log4j.core.LoggerContext.class,
            org.apache.logging.slf4j.Log4jLogger.class,
            org.apache.log4j.AppenderSkeleton.class)) {
      classPath.add(Path.of(log.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    return classPath;
  }

  private static void runSmoke(String what, List<Path> classPath) throws Exception {
    int exitCode = HBASE.run(what, classPath, LIMIT, Smoke.class.getName(), what, HBASE.url());
    assertThat(exitCode).as(HBASE.log(what)).isZero();
  }

  private static ServerName serverOfARegion() throws Exception {
    try (RegionLocator locator = HBASE.connection().getRegionLocator(TableName.valueOf("SMOKE"))) {
      HRegionLocation location = locator.getRegionLocation(new byte[0], true);
      return location.getServerName();
    }
  }
}
