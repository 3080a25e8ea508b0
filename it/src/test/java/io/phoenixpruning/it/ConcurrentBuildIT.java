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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.MetaDataClient;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests a commit that begins before a local index is created or enabled, and writes its rows later.
 * The committing client does not know that the index has to be maintained.
 */
public class ConcurrentBuildIT extends IndexedTableTest {

  private static volatile CountDownLatch held = new CountDownLatch(0);
  private static volatile CountDownLatch released = new CountDownLatch(0);

  /** Holds the next batch of a region before Phoenix handles it, until the test releases it. */
  public static final class Hold extends RegionHook {

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        MiniBatchOperationInProgress<Mutation> batch) {
      if (held.getCount() > 0) {
        held.countDown();
        try {
          assertThat(released.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private final ExecutorService writer = Executors.newSingleThreadExecutor();
  private PhoenixTestDriver client;

  @Before
  public void createClient() throws Exception {
    // Phoenix's default is 5,000, and Phoenix's tests use 0.
    client = driver(Map.of(QueryServices.INDEX_POPULATION_SLEEP_TIME, "3000"));
  }

  @After
  public void closeClient() throws SQLException {
    released.countDown();
    writer.shutdownNow();
    client.close();
  }

  @Test
  public void buildsAnIndexWithTheRowsOfAnEarlierCommit() throws Exception {
    createRows();
    changeRowsWhile("CREATE LOCAL INDEX %s ON %s (V) INCLUDE (W)", "all");
    assertThat(stored("K, V, W")).containsExactly(row(1, 10, 0), row(3, 3, 7), row(4, 40, 0));
    assertThat(indexed("K, V, W")).isEqualTo(stored("K, V, W"));
  }

  @Test
  public void losesTheRowsOfAnEarlierCommitWithoutThePatch() throws Exception {
    createRows();
    leaveOut(Patch.VIEW_INDEX_WRITES);
    changeRowsWhile("CREATE LOCAL INDEX %s ON %s (V) INCLUDE (W)", withoutThePatch());
    assertThat(indexed("K, V, W")).containsExactly(row(1, 1, 0), row(2, 2, 0), row(3, 3, 0));
  }

  @Test
  public void enablesAnIndexWithTheRowsOfAnEarlierCommit() throws Exception {
    createRowsWithADisabledIndex();
    changeRowsWhile("ALTER INDEX %s ON %s REBUILD", "all");
    assertThat(indexed("K, V, W")).hasSize(3).isEqualTo(stored("K, V, W"));
  }

  @Test
  public void losesTheRowsOfAnEarlierCommitByARebuildWithoutThePatch() throws Exception {
    createRowsWithADisabledIndex();
    leaveOut(Patch.LOCAL_INDEX_REBUILD, Patch.VIEW_INDEX_WRITES);
    changeRowsWhile("ALTER INDEX %s ON %s REBUILD", withoutThePatch());
    assertThat(indexed("K, V, W")).isNotEqualTo(stored("K, V, W"));
  }

  private void createRowsWithADisabledIndex() throws Exception {
    createRows();
    execute(
        connection,
        "CREATE LOCAL INDEX %s ON %s (V) INCLUDE (W)".formatted(index, table),
        "ALTER INDEX %s ON %s DISABLE".formatted(index, table));
  }

  private static String withoutThePatch() {
    return "all,-" + Patch.CONCURRENT_BUILD.id();
  }

  /**
   * Creates a table that already has an index, so that its regions are not reopened for the new
   * index.
   */
  private void createRows() throws Exception {
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)".formatted(table),
        "CREATE LOCAL INDEX J_%1$s ON %1$s (W)".formatted(table));
    for (int k = 1; k <= 3; k++) {
      execute(connection, "UPSERT INTO %s VALUES (%d, %d, 0)".formatted(table, k, k));
    }
    addObserver(table, Hold.class);
  }

  /**
   * Runs a statement that builds the index while an earlier commit is not complete. The commit
   * writes its rows while Phoenix waits for earlier commits.
   */
  private void changeRowsWhile(String build, String patches) throws Exception {
    held = new CountDownLatch(1);
    released = new CountDownLatch(1);
    Future<?> written = writer.submit(this::changeRows);
    assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
    Properties properties = new Properties();
    properties.setProperty(PruningOptions.PATCHES, patches);
    try (Connection builder = client.connect(getUrl(), properties)) {
      FutureTask<?> built =
          new FutureTask<>(
              () -> {
                execute(builder, build.formatted(index, table));
                return null;
              });
      Thread thread = new Thread(built);
      thread.start();
      Awaitility.await().until(() -> built.isDone() || waitsForCommits(thread));
      released.countDown();
      written.get(1, TimeUnit.MINUTES);
      assertThat(built.isDone()).as("built before the rows were written").isFalse();
      built.get(1, TimeUnit.MINUTES);
    }
  }

  private Void changeRows() throws SQLException {
    try (Connection own = client.connect(getUrl(), new Properties());
        Statement statement = own.createStatement()) {
      for (String change :
          List.of(
              "UPSERT INTO %s (K, V) VALUES (1, 10)",
              "UPSERT INTO %s (K, W) VALUES (3, 7)",
              "UPSERT INTO %s VALUES (4, 40, 0)",
              "DELETE FROM %s WHERE K = 2")) {
        statement.execute(change.formatted(table));
      }
      own.commit();
    }
    return null;
  }

  private static boolean waitsForCommits(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .dropWhile(frame -> frame.getClassName().equals(Thread.class.getName()))
        .limit(1)
        .anyMatch(
            frame ->
                frame.getClassName().equals(MetaDataClient.class.getName())
                    && frame.getMethodName().equals("buildIndex"));
  }
}
