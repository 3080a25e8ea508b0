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
package io.phoenixpruning.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code pruning demo}, from start to end, and ended before. */
public class DemoIT {

  private static final Duration DEMO = Duration.ofMinutes(10);
  private static final Duration ENDING = Duration.ofSeconds(30);

  private static final String[] SMALL = {
    "demo", "--regions", "8", "--scale", "0.001", "--color", "never"
  };

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private PruningProcess start(String... args) throws Exception {
    return PruningProcess.start(temporary.getRoot().toPath().resolve("run"), "", args);
  }

  @Test
  public void showsWhatEachModeReturnsAndCosts() throws Exception {
    try (PruningProcess demo = start(SMALL)) {
      int exitCode = demo.await(DEMO);

      assertThat(demo.err().lines())
          .hasSize(6)
          .allMatch(line -> line.matches(".{44} +\\d+\\.\\d s"), "is a task and its time");
      assertThat(demo.out().lines().map(String::stripTrailing))
          .contains("  Mode        Rows  Regions     RPCs      Median")
          .filteredOn(line -> line.startsWith("  none "))
          .hasSize(10)
          .allMatch(line -> line.matches("  none +\\d+ +8 +\\d+ +[\\d.]+ ms"));
      assertThat(demo.out().lines())
          .filteredOn(line -> line.startsWith("  exact "))
          .hasSize(10)
          .noneMatch(line -> line.contains("WRONG") || line.contains("FAILED"));
      assertThat(demo.out())
          .containsPattern(
              "Exact pruning answered the 10 queries with \\d+ scan RPCs and was always right;"
                  + " stock sent \\d+ \\(\\d+\\.\\d times as many\\), and returned wrong rows for \\d;"
                  + " without pruning it took \\d+ \\(\\d+\\.\\d times as many\\)\\.");
      assertThat(exitCode).isZero();
      assertThat(demo.temporaryFiles()).isEmpty();
    }
  }

  @Test
  public void ctrlCStopsAndDeletesAll() throws Exception {
    try (PruningProcess demo = start(SMALL)) {
      Awaitility.await()
          .atMost(DEMO.toSeconds(), TimeUnit.SECONDS)
          .until(() -> demo.err().contains("Start HBase and Phoenix"));
      Path folder = demo.temporaryFiles().get(0);

      demo.signal(PruningProcess.interruptSignal());

      assertThat(demo.await(ENDING)).isNotZero();
      assertThat(demo.err())
          .endsWith(
              "pruning demo: interrupted; stopped the cluster and deleted "
                  + folder.getParent().toRealPath().resolve(folder.getFileName())
                  + System.lineSeparator());
      assertThat(demo.temporaryFiles()).isEmpty();
    }
  }

  @Test
  public void ctrlCWhileTheClusterStartsDeletesAll() throws Exception {
    try (PruningProcess demo = start(SMALL)) {
      Awaitility.await()
          .atMost(DEMO.toSeconds(), TimeUnit.SECONDS)
          .until(() -> demo.temporaryFiles().stream().anyMatch(this::hasRegions));

      demo.signal(PruningProcess.interruptSignal());

      assertThat(demo.await(ENDING)).isNotZero();
      assertThat(demo.err().lines()).hasSize(1);
      assertThat(demo.temporaryFiles()).isEmpty();
    }
  }

  private boolean hasRegions(Path folder) {
    return Files.exists(folder.resolve("hbase/data/hbase/meta"));
  }

  @Test
  public void temporaryFilesNeedAFolder() throws Exception {
    Path missing = temporary.getRoot().toPath().resolve("missing");
    try (PruningProcess demo =
        PruningProcess.start(temporary.getRoot().toPath(), missing, "", SMALL)) {
      assertThat(demo.await(ENDING)).isNotZero();
      assertThat(demo.err().lines())
          .singleElement()
          .asString()
          .startsWith("pruning demo: no temporary folder can be made in " + missing)
          .endsWith("but a folder that can be written is needed: set TMPDIR to one");
      assertThat(demo.out()).isEmpty();
      assertThat(missing).doesNotExist();
    }
  }
}
