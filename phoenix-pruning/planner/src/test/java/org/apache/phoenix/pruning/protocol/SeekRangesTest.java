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
package org.apache.phoenix.pruning.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.pruning.scan.LooseIndexScanPlanner;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;

/**
 * Tests that a server can read, or refuse, the bytes of any client.
 *
 * <p>{@code -Dtests.cases=} sets the number of random cases above 20,000.
 */
public class SeekRangesTest {

  private static final int CASES = Math.max(20_000, Integer.getInteger("tests.cases", 0));

  private static byte[] serialized;

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  /** Serializes ranges over columns of fixed and of variable width, and of both sort orders. */
  @BeforeClass
  public static void serialize() throws IOException, SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute(
          """
          CREATE TABLE T (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, K3 INTEGER NOT NULL, W INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2, K3))""");
      driver.execute("CREATE LOCAL INDEX I ON T (K1, K2, W DESC)");
      try (PreparedStatement statement =
          driver
              .connection()
              .prepareStatement("SELECT /*+ INDEX(T I) */ K1 FROM T WHERE W IN (5, 7)")) {
        QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
        serialized = LooseIndexScanPlanner.plan(plan).orElseThrow().filter().toByteArray();
      }
      driver.execute("DROP TABLE T");
    }
  }

  @Test
  public void readsRanges() throws IOException {
    assertThat(SeekRanges.read(serialized).toByteArray()).isEqualTo(serialized);
  }

  @Test
  public void rejectsTruncatedRanges() {
    for (int length = 0; length < serialized.length - 1; length++) {
      byte[] truncated = Arrays.copyOf(serialized, length);
      softly
          .assertThatThrownBy(() -> SeekRanges.read(truncated))
          .as("%s bytes", length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  public void readsOrRejectsChangedBytes() {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      byte[] changed = serialized.clone();
      for (int i = random.nextInt(3); i >= 0; i--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try {
        SeekRanges.read(changed);
      } catch (IOException e) {
        assertThat(e).as("seed %s", seed).hasMessageMatching("(?s).*\\S.*");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ": " + Bytes.toStringBinary(changed), e);
      }
    }
  }
}
