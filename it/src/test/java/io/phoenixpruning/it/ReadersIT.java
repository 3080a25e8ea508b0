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

import io.phoenixpruning.testing.ScanRpcCounts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.db.DBInputFormat.NullDBWritable;
import org.apache.phoenix.mapreduce.PhoenixInputFormat;
import org.apache.phoenix.mapreduce.index.IndexScrutinyTool;
import org.apache.phoenix.mapreduce.index.IndexTool;
import org.apache.phoenix.mapreduce.index.PhoenixScrutinyJobCounters;
import org.apache.phoenix.mapreduce.util.PhoenixMapReduceUtil;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Checks that statements and readers of every kind read the regions of a local index that can
 * match, and no others.
 */
public class ReadersIT extends ClusterTest {

  private static final int REGIONS = JoinsIT.REGIONS + 2;
  private static final String SELECT = "SELECT /*+ INDEX(T T_V2) */ ";
  private static final String WHERE = " FROM T WHERE V2 = 1 AND PK1 = 7";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @BeforeClass
  public static void createTables() throws SQLException {
    JoinsIT.createTables();
  }

  /** Returns the rows of a query, and checks the number of regions that were read. */
  private static List<List<Object>> rowsOf(Connection connection, int regions, String query)
      throws SQLException {
    ScanRpcCounts before = scanRpcs("T");
    List<List<Object>> rows = rows(connection, query);
    assertThat(scanRpcs("T").minus(before).regions()).as(query).hasSize(regions);
    return rows;
  }

  private static void assertExplained(Connection connection, int regions, String statement)
      throws SQLException {
    assertThat(explain(connection, statement))
        .as("%s, auto-commit: %s", statement, connection.getAutoCommit())
        .anyMatch(step -> step.contains("REGIONS PLANNED " + regions + " OF " + REGIONS));
  }

  @Test
  public void readsPartsOfAUnionAlongTheIndex() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String union =
          SELECT + "PK1, PK2" + WHERE + " UNION ALL " + SELECT + "PK1, PK2" + WHERE + "6";
      assertThat(rowsOf(connection, 2, union)).hasSize(18);
      assertExplained(connection, 1, union);
      String grouped =
          "SELECT P, COUNT(*) FROM (" + union.replace("PK1, PK2", "PK1 AS P") + ") GROUP BY P";
      assertThat(rowsOf(connection, 2, grouped)).hasSize(2);
    }
  }

  @Test
  public void looksUpColumnsThatAreNotInTheIndex() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      assertThat(rowsOf(connection, 1, SELECT + "V1, PK2" + WHERE)).hasSize(9);
      assertThat(rowsOf(connection, 1, SELECT + "*" + WHERE)).hasSize(9);
      assertThat(rowsOf(connection, 1, SELECT + "PK2" + WHERE + " AND V1 > 3")).hasSize(3);
      assertExplained(connection, 1, SELECT + "V1, PK2" + WHERE);
    }
  }

  @Test
  public void readsTheIndexAsATable() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String query = "SELECT \":PK2\" FROM T_V2 WHERE \"0:V2\" = 1 AND \":PK1\" = 7";
      assertThat(rowsOf(connection, 1, query)).hasSize(9);
      assertExplained(connection, 1, query);
      assertThat(rowsOf(connection, REGIONS, "SELECT COUNT(*) FROM T_V2")).hasSize(1);
    }
  }

  @Test
  public void readsByACursor() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT);
        Statement statement = connection.createStatement()) {
      statement.execute("DECLARE C CURSOR FOR " + SELECT + "PK2" + WHERE);
      ScanRpcCounts before = scanRpcs("T");
      statement.execute("OPEN C");
      int rows = 0;
      try (ResultSet result = statement.executeQuery("FETCH NEXT 20 ROWS FROM C")) {
        while (result.next()) {
          rows++;
        }
      }
      statement.execute("CLOSE C");
      assertThat(rows).isEqualTo(9);
      assertThat(scanRpcs("T").minus(before).regions()).hasSize(1);
    }
  }

  @Test
  public void explainsChanges() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      for (boolean autoCommit : List.of(false, true)) {
        connection.setAutoCommit(autoCommit);
        assertExplained(connection, 1, "DELETE /*+ INDEX(T T_V2) */" + WHERE);
        assertExplained(connection, 1, "UPSERT INTO D (K, K2) " + SELECT + "PK1, PK2" + WHERE);
        assertExplained(
            connection, 1, "UPSERT INTO T (PK1, PK2, PK3) " + SELECT + "PK1, PK2, PK3" + WHERE);
      }
    }
  }

  @Test
  public void splitsTheInputOfMapReduce() throws Exception {
    assertThat(splits(SELECT + "PK1, PK2" + WHERE)).isEqualTo(1);
    assertThat(splits(SELECT + "PK1, PK2 FROM T WHERE V2 = 1 AND PK1 IN (7, 76)")).isEqualTo(2);
    assertThat(splits(SELECT + "PK1, PK2" + WHERE + " AND PK1 * 0 = 1")).isZero();
    assertThat(splits(SELECT + "PK1, PK2" + WHERE + " AND PK1 = 8")).isZero();
  }

  private static int splits(String query) throws Exception {
    Job job = Job.getInstance(getUtility().getConfiguration());
    PhoenixMapReduceUtil.setInput(job, NullDBWritable.class, "T", query);
    return new PhoenixInputFormat<NullDBWritable>().getSplits(job).size();
  }

  /**
   * Tests IndexScrutinyTool, which reads one table region by region. The tool looks up the keys of
   * these rows in the same region of the other table.
   */
  @Test
  public void comparesAnIndexWithItsTable() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      assertThat(scrutinize("DATA_TABLE_SOURCE")).isEqualTo(count(connection, "T"));
      assertThat(scrutinize("INDEX_TABLE_SOURCE")).isEqualTo(count(connection, "T_V2"));
    }
  }

  private static long count(Connection connection, String table) throws SQLException {
    String query = "SELECT /*+ NO_INDEX */ COUNT(*) FROM " + table;
    return ((Number) rows(connection, query).get(0).get(0)).longValue();
  }

  /**
   * Runs the tool, checks that no row differs, and returns the number of rows that are equal in
   * both.
   */
  private static long scrutinize(String source) throws Exception {
    IndexScrutinyTool tool = new IndexScrutinyTool();
    tool.setConf(new Configuration(getUtility().getConfiguration()));
    ScanRpcCounts before = scanRpcs("T");
    String now = Long.toString(EnvironmentEdgeManager.currentTimeMillis());
    String[] arguments = {"-dt", "T", "-it", "T_V2", "-src", source, "-t", now, "-runfg"};
    assertThat(tool.run(arguments)).as(source).isZero();
    assertThat(scanRpcs("T").minus(before).opens()).as(source).isEqualTo(2 * REGIONS);
    Counters counters = tool.getJobs().get(0).getCounters();
    assertThat(counters.findCounter(PhoenixScrutinyJobCounters.INVALID_ROW_COUNT).getValue())
        .as(source)
        .isZero();
    return counters.findCounter(PhoenixScrutinyJobCounters.VALID_ROW_COUNT).getValue();
  }

  /**
   * Tests an index that IndexTool fills with a MapReduce job. Otherwise, the client fills an index
   * with an UPSERT SELECT.
   */
  @Test
  public void readsAnIndexThatWasFilledLater() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "CREATE LOCAL INDEX T_LATER ON T (V1) ASYNC");
      IndexTool tool = new IndexTool();
      tool.setConf(new Configuration(getUtility().getConfiguration()));
      String output = folder.newFolder().getPath();
      assertThat(tool.run(new String[] {"-dt", "T", "-it", "T_LATER", "-op", output, "-runfg"}))
          .isZero();
      String where = " PK1, PK2 FROM T WHERE V1 = 1 AND PK1 = 7";
      assertThat(rowsOf(connection, 1, "SELECT /*+ INDEX(T T_LATER) */" + where))
          .isNotEmpty()
          .isEqualTo(rows(connection, "SELECT /*+ NO_INDEX */" + where));
      assertThat(count(connection, "T_LATER")).isEqualTo(count(connection, "T"));
      execute(connection, "DROP INDEX T_LATER ON T");
    }
  }

  /**
   * Checks that statements that define an index of a view scan only the regions of the view's rows.
   */
  @Test
  public void definesTheIndexOfAView() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "CREATE VIEW SEVEN AS SELECT * FROM T WHERE PK1 = 7");
      assertThat(regionsOf(connection, "CREATE LOCAL INDEX SEVEN_V1 ON SEVEN (V1)")).isEqualTo(1);
      assertThat(rowsOf(connection, 1, "SELECT PK2 FROM SEVEN WHERE V1 = 1")).isNotEmpty();
      assertThat(regionsOf(connection, "DROP INDEX SEVEN_V1 ON SEVEN")).isEqualTo(1);
      execute(connection, "DROP VIEW SEVEN");
    }
  }

  private static int regionsOf(Connection connection, String statement) throws SQLException {
    ScanRpcCounts before = scanRpcs("T");
    execute(connection, statement);
    return scanRpcs("T").minus(before).regions().size();
  }

  /**
   * Checks that a compiled statement is planned again for each execution. The client never
   * refreshes the tables' metadata, so Phoenix reuses the compiled plan.
   */
  @Test
  public void plansEachExecutionAnew() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "ALTER TABLE T SET UPDATE_CACHE_FREQUENCY = 'NEVER'",
          "CREATE TABLE WANTED (K INTEGER PRIMARY KEY) UPDATE_CACHE_FREQUENCY = 'NEVER'");
      String bound = SELECT + "PK1, PK2 FROM T WHERE V2 = ? AND PK1 BETWEEN ? AND ?";
      String joined = SELECT + "T.PK1, T.PK2 FROM T JOIN WANTED ON T.PK1 = WANTED.K WHERE V2 = ?";
      try (PreparedStatement query = connection.prepareStatement(bound);
          PreparedStatement join = connection.prepareStatement(joined)) {
        assertExecution(query, 1, 9, 1, 5, 9);
        assertExecution(query, 2, 18, 1, 4, 7);
        assertExecution(query, 4, 54, 1, 73, 88);
        assertExecution(query, 0, 0, 1, 9, 5);
        assertExecution(join, 0, 0, 1);
        setWantedKey(connection, 7);
        assertExecution(join, 1, 9, 1);
        assertExecution(join, 1, 0, 2);
        setWantedKey(connection, 76);
        assertExecution(join, 2, 18, 1);
      }
    }
  }

  private static void setWantedKey(Connection connection, int key) throws SQLException {
    execute(connection, "UPSERT INTO WANTED VALUES (" + key + ")");
    connection.commit();
  }

  private static void assertExecution(
      PreparedStatement query, int regions, int rows, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      query.setObject(i + 1, values[i]);
    }
    ScanRpcCounts before = scanRpcs("T");
    try (ResultSet result = query.executeQuery()) {
      assertThat(rows(result, false)).hasSize(rows);
    }
    assertThat(scanRpcs("T").minus(before).regions()).hasSize(regions);
  }
}
