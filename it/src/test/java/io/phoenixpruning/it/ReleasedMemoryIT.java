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

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests rows that a server keeps after HBase has released the memory of their blocks. The servers
 * of the test overwrite this memory when it is released ({@link OverwritingAllocator}).
 */
@RunWith(JUnitParamsRunner.class)
public class ReleasedMemoryIT extends IndexedTableTest {

  /**
   * Updates rows whose blocks are not cached, and which HBase therefore reads into memory that it
   * reuses. The servers of the test overwrite this memory when it is released.
   */
  @Test
  @Parameters({"true", "false"})
  public void readsCurrentRowsFromMemoryThatIsNotReleased(boolean isPatched) throws Exception {
    String longText = "x".repeat(500);
    if (!isPatched) {
      leaveOut(Patch.RELEASED_MEMORY);
    }
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, S VARCHAR)".formatted(table)
            + " BLOCKCACHE = false",
        "CREATE LOCAL INDEX %1$s ON %2$s (V) INCLUDE (W, S)".formatted(index, table));
    List<List<Object>> right = new ArrayList<>();
    for (int k = 0; k < 30; k++) {
      execute(
          connection,
          "UPSERT INTO %s VALUES (%d, %d, %d, '%s')".formatted(table, k, k, k, longText));
      right.add(row(k, k + 1, k, longText));
    }
    getUtility().flush(TableName.valueOf(table));
    for (int k = 0; k < 30; k++) {
      execute(
          connection,
          k % 2 == 0
              ? "UPSERT INTO %s (K, V) VALUES (%d, %d)".formatted(table, k, k + 1)
              : "UPSERT INTO %s (K) VALUES (%d) ON DUPLICATE KEY UPDATE V = V + 1"
                  .formatted(table, k));
    }
    if (isPatched) {
      assertThat(stored("K, V, W, S")).as("with the patch").hasSameElementsAs(right);
      assertThat(indexed("K, V, W, S"))
          .as("with the patch")
          .hasSameElementsAs(right)
          .hasSameSizeAs(right);
    } else {
      assertThat(new HashSet<>(indexed("K, V, W, S")))
          .as("without the patch")
          .isNotEqualTo(new HashSet<>(right));
    }
  }

  /**
   * Reads rows of a system table that the server sorts or skips. The client needs several requests.
   * The server copies the rows of other tables in any case, because it builds new cells from the
   * requested columns.
   */
  @Test
  @Parameters({"true", "false"})
  public void keepsTheSortedRowsOfSeveralRequests(boolean isPatched) throws Exception {
    if (!isPatched) {
      leaveOut(Patch.RELEASED_MEMORY);
    }
    String columns =
        IntStream.range(2, 300)
            .mapToObj(position -> "C%03d VARCHAR".formatted(position))
            .collect(Collectors.joining(", "));
    execute(connection, "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, " + columns + ")");
    getUtility().flush(TableName.valueOf("SYSTEM.CATALOG"));
    List<List<Object>> right = new ArrayList<>();
    for (int position = 2; position < 300; position++) {
      right.add(row("C%03d".formatted(position), position));
    }
    String sql =
        "SELECT /*+ NO_CACHE */ COLUMN_NAME, ORDINAL_POSITION FROM SYSTEM.CATALOG"
            + " WHERE TABLE_NAME = '%s' AND COLUMN_NAME LIKE 'C%%' ".formatted(table);
    String sorted = sql + "ORDER BY ORDINAL_POSITION";
    assertThat(explain(connection, sorted).toString()).contains("SERVER SORTED BY");
    if (isPatched) {
      assertThat(readFewRowsPerRequest(sorted)).isEqualTo(right);
      assertThat(readFewRowsPerRequest(sql + "LIMIT 150 OFFSET 20"))
          .isEqualTo(right.subList(20, 170));
    } else {
      assertThat(readFewRowsPerRequest(sorted)).isNotEqualTo(right).hasSameSizeAs(right);
    }
  }

  private List<List<Object>> readFewRowsPerRequest(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(5);
      try (ResultSet result = statement.executeQuery()) {
        return rows(result, true);
      }
    }
  }
}
