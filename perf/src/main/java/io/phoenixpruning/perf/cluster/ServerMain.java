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
package io.phoenixpruning.perf.cluster;

import io.phoenixpruning.cli.cluster.ClusterConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * What the main methods of server processes have in common: the other side of a {@link
 * ServerProcess}.
 */
final class ServerMain {

  private ServerMain() {}

  /** The configuration of a server of a cluster that keeps its files in {@code folder}. */
  static Configuration configuration(String folder) {
    Configuration.addDefaultResource("io/phoenixpruning/perf/cluster/codecs.xml");
    Configuration configuration = ClusterConfiguration.in(Path.of(folder));
    configuration.setBoolean(HConstants.CLUSTER_DISTRIBUTED, true);
    return configuration;
  }

  /**
   * Tells who started this process that the server takes requests, and runs until the server ends,
   * which is a failure. Ends at once when who started it closes the other end of standard input, or
   * ends in any way.
   *
   * @param ready one line, for {@link ServerProcess#awaitReady()}
   */
  static void run(Thread server, String ready) throws InterruptedException {
    ready(ready);
    server.join();
    System.err.println(server.getName() + " has ended");
    Runtime.getRuntime().halt(1);
  }

  /** As {@link #run}, of a process that has no server: it only ends with who started it. */
  static void ready(String ready) {
    Thread parent = new Thread(ServerMain::endWithParent, "parent");
    parent.start();
    System.out.println(ready);
  }

  private static void endWithParent() {
    try (InputStream in = System.in) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("Standard input is broken, so the process ends: " + e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }
}
