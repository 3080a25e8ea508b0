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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.perf.harness.JarsBenchmark.Jars;
import io.phoenixpruning.perf.harness.JarsBenchmark.Side;
import io.phoenixpruning.perf.harness.cluster.ClusterProcesses;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/** A cluster with Phoenix's own jars and one with ours, which the tests of a class share. */
final class SharedSides extends ExternalResource {

  private final TemporaryFolder folder = new TemporaryFolder();
  private final List<String> deaths = new CopyOnWriteArrayList<>();
  private final List<ClusterProcesses> clusters = new CopyOnWriteArrayList<>();
  private final Map<Jars, Side> sides = new EnumMap<>(Jars.class);

  @Override
  protected void before() throws Throwable {
    folder.create();
    try {
      for (Jars jars : Jars.values()) {
        sides.put(jars, start(jars));
      }
    } catch (Throwable e) {
      after();
      throw e;
    }
  }

  private Side start(Jars jars) throws Exception {
    ClusterProcesses cluster =
        new ClusterProcesses(
            folder.newFolder(jars.title()).toPath(),
            List.of(Map.of()),
            "512m",
            // Without C2, the allocated bytes do not depend on when methods are compiled.
            new ClusterProcesses.Jvm(jars.classPath(), List.of("-XX:TieredStopAtLevel=1")),
            deaths::add);
    clusters.add(cluster);
    cluster.start();
    return new Side(cluster, cluster.startClient("client", "1g", jars.classPath()), true);
  }

  Map<Jars, Side> get() {
    return sides;
  }

  @Override
  protected void after() {
    clusters.forEach(ClusterProcesses::close);
    folder.delete();
    assertThat(deaths).isEmpty();
  }
}
