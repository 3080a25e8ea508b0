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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;

/** Tests that the name and the format of the attribute that is sent with scans never change. */
public class PlanStampTest {

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  private Connectionless driver;

  @Before
  public void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute("CREATE TABLE S (K INTEGER PRIMARY KEY, V INTEGER, X VARCHAR, Y VARCHAR)");
    driver.execute("CREATE LOCAL INDEX S_V ON S (V)");
  }

  @After
  public void dropTable() throws SQLException {
    driver.execute("DROP TABLE S");
    driver.close();
  }

  private QueryPlan plan(String query) throws SQLException {
    try (PreparedStatement statement = driver.connection().prepareStatement(query)) {
      return statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
    }
  }

  private PlanStamp stamp(String query) throws SQLException {
    return PlanStamp.of(plan(query));
  }

  private static byte[] bytes(PlanStamp stamp) {
    Scan scan = new Scan();
    stamp.mark(scan);
    return scan.getAttribute("_PhoenixPruningPlan");
  }

  @Test
  public void travelsInItsFormat() throws SQLException {
    QueryPlan plan = plan("SELECT /*+ INDEX(S S_V) */ K FROM S WHERE V = 1");
    PTable index = plan.getTableRef().getTable();
    PlanStamp stamp = PlanStamp.of(plan);
    byte[] bytes = bytes(stamp);
    byte[] start =
        ByteBuffer.allocate(14)
            .put((byte) 1)
            .putShort((short) 3)
            .put("S_V".getBytes(UTF_8))
            .putLong(index.getViewIndexId())
            .array();
    assertThat(bytes).startsWith(start).hasSize(14 + 16);
    Scan scan = new Scan();
    scan.setAttribute(PlanStamp.ATTRIBUTE, bytes.clone());
    assertThat(PlanStamp.of(scan)).isEqualTo(stamp).hasSameHashCodeAs(stamp);
    assertThat(PlanStamp.of(scan).isOf(index)).isTrue();
    assertThat(PlanStamp.of(new Scan())).isNull();
  }

  @Test
  public void marksAllScansWithOneArray() throws SQLException {
    PlanStamp stamp = stamp("SELECT K FROM S WHERE V = 1");
    assertThat(bytes(stamp)).isSameAs(bytes(stamp));
  }

  @Test
  public void differsWhereRowsAreDecodedOtherwise() throws SQLException {
    String index = "SELECT /*+ INDEX(S S_V) */ ";
    PlanStamp stamp = stamp(index + "K FROM S WHERE V = 1");
    assertThat(stamp(index + "V, K FROM S WHERE V > 7 AND K < 9")).isEqualTo(stamp);
    assertThat(stamp("SELECT /*+ NO_INDEX */ K FROM S WHERE V = 1")).isNotEqualTo(stamp);
    assertThat(stamp(index + "COUNT(*) FROM S WHERE V = 1")).isNotEqualTo(stamp);
    assertThat(stamp(index + "V FROM S GROUP BY V")).isNotEqualTo(stamp);
    assertThat(stamp(index + "X, Y FROM S WHERE V = 1"))
        .isNotEqualTo(stamp)
        .isNotEqualTo(stamp(index + "Y, X FROM S WHERE V = 1"));
  }

  @Test
  public void refusesTruncatedStampsAndUnknownVersions() throws SQLException {
    byte[] bytes = bytes(stamp("SELECT K FROM S WHERE V = 1"));
    Scan scan = new Scan();
    for (int length = 0; length < bytes.length; length++) {
      scan.setAttribute(PlanStamp.ATTRIBUTE, Arrays.copyOf(bytes, length));
      int given = length;
      softly
          .assertThatThrownBy(() -> PlanStamp.of(scan))
          .as("%s bytes", length)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("its length is " + given + ", which is too short");
    }
    bytes = bytes.clone();
    bytes[0] = 2;
    scan.setAttribute(PlanStamp.ATTRIBUTE, bytes);
    assertThatThrownBy(() -> PlanStamp.of(scan))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("its version is 2. Expected 1")
        .hasMessageContaining("Use the same version of the client jar");
  }
}
