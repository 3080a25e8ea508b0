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
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.pruning.plan.PruningMode;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * What stock gets wrong, and mode exact right: wrong literals, and guideposts of pruned regions.
 */
public class StockDefectsIT extends ClusterTest {

  private static final String INDEX = "/*+ INDEX(DEFECTS DEFECTS_V2) */";
  private static final String TABLE = "/*+ NO_INDEX */";

  /** Not *, which stock expands to the columns of the index where a subquery is rewritten. */
  private static final String COLUMNS = " PK1, PK2, V1, V2";

  private static final int REGIONS = 20;

  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE DEFECTS (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V1 INTEGER,"
              + " V2 INTEGER CONSTRAINT PK PRIMARY KEY (PK1, PK2)) SPLIT ON ("
              + splits(REGIONS, 10)
              + ")",
          "CREATE LOCAL INDEX DEFECTS_V2 ON DEFECTS (V2)",
          "CREATE TABLE KEYS (K INTEGER PRIMARY KEY, X INTEGER)",
          "UPSERT INTO KEYS VALUES (25, 1)",
          "UPSERT INTO KEYS VALUES (105, 1)");
      fill(connection);
      connection.commit();
    }
  }

  /** 20 rows a PK1, of which two have each V2. */
  private static void fill(Connection connection) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO DEFECTS VALUES (?, ?, ?, ?)")) {
      for (int pk1 = 0; pk1 < 10 * REGIONS; pk1++) {
        for (int pk2 = 0; pk2 < 20; pk2++) {
          upsert.setInt(1, pk1);
          upsert.setInt(2, pk2);
          upsert.setInt(3, pk2 % 7);
          upsert.setInt(4, pk2 % 10);
          upsert.execute();
        }
        connection.commit();
      }
    }
  }

  private static void assertWrongInStockRightInExact(String select, String where)
      throws SQLException {
    try (Connection exact = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK);
        Connection none = connect(PruningMode.NONE)) {
      String from = " FROM DEFECTS WHERE " + where;
      List<List<Object>> right = rows(stock, "SELECT " + TABLE + select + from);
      assertThat(right).isNotEmpty();
      assertThat(rows(exact, "SELECT " + INDEX + select + from)).isEqualTo(right);
      assertThat(rows(none, "SELECT " + INDEX + select + from)).isEqualTo(right);
      assertThat(rows(stock, "SELECT " + INDEX + select + from))
          .as("stock: %s", where)
          .isNotEqualTo(right);
    }
  }

  @Test
  public void prunesByTheValueOfAScalarSubquery() throws Exception {
    assertWrongInStockRightInExact(COLUMNS, "V2 = 5 AND PK1 = (SELECT MIN(K) FROM KEYS)");
  }

  @Test
  public void prunesByLiteralsBesideAScalarSubquery() throws Exception {
    assertWrongInStockRightInExact(
        COLUMNS, "V2 = 5 AND PK1 = 25 AND V1 < (SELECT MAX(K) FROM KEYS)");
  }

  @Test
  public void prunesByLiteralsBesideAnAnySubquery() throws Exception {
    assertWrongInStockRightInExact(
        COLUMNS, "V2 = 5 AND PK1 = 25 AND PK2 > ANY (SELECT X FROM KEYS)");
  }

  @Test
  public void leavesOutGuidepostsOfPrunedRegions() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "UPDATE STATISTICS DEFECTS");
    }
    assertWrongInStockRightInExact(COLUMNS, "V2 < 5 AND PK1 BETWEEN 95 AND 105");
    assertWrongInStockRightInExact(COLUMNS, "V2 < 5 AND PK1 IN (25, 105, 195)");
    assertWrongInStockRightInExact(" COUNT(*)", "V2 < 5 AND PK1 IN (25, 105, 195)");
  }
}
