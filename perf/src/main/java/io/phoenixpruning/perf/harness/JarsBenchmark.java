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
package io.phoenixpruning.perf.harness;

import io.phoenixpruning.perf.harness.cluster.ClusterProcesses;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark that compares Phoenix's own jars with ours. Each kind of jars has its own cluster,
 * with one region server and one client.
 */
public abstract class JarsBenchmark extends ClusterBenchmark {

  /** Jars that are compared. */
  public enum Jars {
    PHOENIX("Phoenix"),
    OURS("ours");

    private final String title;

    Jars(String title) {
      this.title = title;
    }

    /** Returns the name in reports. */
    public String title() {
      return title;
    }

    /** Returns the class path of servers and clients. */
    public String classPath() {
      return this == PHOENIX ? StockJars.serverClassPath() : System.getProperty("java.class.path");
    }
  }

  /**
   * A cluster with one region server, and a client.
   *
   * @param isShared whether other runs use the same cluster
   */
  public record Side(ClusterProcesses cluster, QueryClientMXBean client, boolean isShared) {

    /** Ends the cluster, unless other runs share it. */
    public void close() {
      if (!isShared) {
        cluster.close();
      }
    }
  }

  /** Sides that {@link #useSharedSides} has set, or null. */
  private @Nullable Map<Jars, Side> shared;

  /** Returns 2: one server for each side. */
  @Override
  protected final int servers() {
    return 2;
  }

  @Override
  protected final int clients() {
    return 2;
  }

  @Override
  protected void check() throws IOException {
    super.check();
    StockJars.serverClassPath();
  }

  /** Makes runs use clusters that are already there. Tests share them between benchmarks. */
  public final void useSharedSides(Map<Jars, Side> sides) {
    shared = sides;
  }

  /**
   * Starts a cluster and a client for each side. They end with the run at the latest. If {@link
   * #useSharedSides} has set clusters, this method returns them instead.
   *
   * @param suffix end of the names of the clusters' folders
   * @param options JVM options of all processes
   */
  protected final Map<Jars, Side> startSides(Run run, String suffix, List<String> options)
      throws Exception {
    Map<Jars, Side> sides = new EnumMap<>(Jars.class);
    if (shared != null) {
      sides.putAll(shared);
      return sides;
    }
    run.progress()
        .perform(
            "Start HBase and Phoenix twice",
            -1,
            done -> {
              Map<Jars, CompletableFuture<Side>> starting = new EnumMap<>(Jars.class);
              for (Jars jars : Jars.values()) {
                starting.put(
                    jars, CompletableFuture.supplyAsync(() -> start(run, jars, suffix, options)));
              }
              for (Map.Entry<Jars, CompletableFuture<Side>> side : starting.entrySet()) {
                sides.put(side.getKey(), side.getValue().get());
              }
            });
    return sides;
  }

  private Side start(Run run, Jars jars, String suffix, List<String> options) {
    try {
      String classPath = jars.classPath();
      ClusterProcesses cluster =
          startServers(
              run,
              jars.title() + suffix,
              List.of(Map.of()),
              new ClusterProcesses.Jvm(classPath, options));
      return new Side(cluster, cluster.startClient("client", CLIENT_HEAP, classPath), false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }
}
