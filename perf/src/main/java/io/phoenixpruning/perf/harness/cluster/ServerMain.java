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
package io.phoenixpruning.perf.harness.cluster;

import io.phoenixpruning.testing.ClusterConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** Common parts of the main methods of server processes, which a {@link ServerProcess} starts. */
final class ServerMain {

  private ServerMain() {}

  /** Returns the configuration of a server of a cluster that keeps its files in {@code folder}. */
  static Configuration configuration(String folder) {
    Configuration.addDefaultResource("io/phoenixpruning/perf/harness/cluster/codecs.xml");
    Configuration configuration = ClusterConfiguration.in(Path.of(folder));
    configuration.setBoolean(HConstants.CLUSTER_DISTRIBUTED, true);
    return configuration;
  }

  /**
   * Reports to the parent process that the server takes requests, and waits until the server ends,
   * which is a failure. This process ends at once if the parent process ends or closes its end of
   * standard input.
   *
   * @param ready one line, for {@link ServerProcess#awaitReady()}
   */
  static void run(Thread server, String ready) throws InterruptedException {
    reportReady(ready);
    server.join();
    System.err.println(server.getName() + " has ended");
    Runtime.getRuntime().halt(1);
  }

  /**
   * Reports to the parent process that this process, which has no server, is ready. This process
   * ends when the parent process ends.
   */
  static void reportReady(String ready) {
    Thread parent = new Thread(ServerMain::endWithParent, "parent");
    parent.start();
    System.out.println(ready);
  }

  private static void endWithParent() {
    try (InputStream in = System.in) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("Cannot read standard input, so the process ends: " + e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }
}
