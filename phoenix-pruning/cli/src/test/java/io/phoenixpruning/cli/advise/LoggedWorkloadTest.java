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
package io.phoenixpruning.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.DdlDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.phoenix.schema.types.PArrayDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests which statements of a log become a workload, and which are left out. */
public class LoggedWorkloadTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private DdlDatabase database;
  private LoggedWorkload logged;

  @Before
  public void define() throws Exception {
    Path ddl = temporary.newFile("schema.sql").toPath();
    Files.writeString(
        ddl,
        """
        CREATE TABLE T (K INTEGER PRIMARY KEY, V VARCHAR);
        CREATE VIEW TV AS SELECT * FROM T WHERE V = 'v';""");
    database = DdlDatabase.read(ddl);
    logged = new LoggedWorkload(database);
  }

  @After
  public void close() throws SQLException {
    database.close();
  }

  private void add(String sql, long runs) throws SQLException {
    logged.add(new QueryLog.Entry(sql, runs, Optional.empty()));
  }

  private void add(String sql, long runs, String binds) throws SQLException {
    logged.add(new QueryLog.Entry(sql, runs, Optional.of(binds)));
  }

  @Test
  public void runsAreWeights() throws SQLException {
    add("SELECT K FROM T WHERE V = ? -- by value", 30, "v");
    add("DELETE FROM T WHERE V = 'x'", 20);
    add("UPSERT INTO T SELECT K + 1, V FROM T WHERE K > ?", 10, "5");

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.queries())
        .containsExactly(
            new WorkloadQuery(
                1, "SYSTEM.LOG", "SELECT K FROM T WHERE V = ? -- by value", List.of("v"), 30),
            new WorkloadQuery(2, "SYSTEM.LOG", "DELETE FROM T WHERE V = 'x'", List.of(), 20),
            new WorkloadQuery(
                3,
                "SYSTEM.LOG",
                "UPSERT INTO T SELECT K + 1, V FROM T WHERE K > ?",
                List.of(5),
                10));
    assertThat(workload.problems()).isEmpty();
    assertThat(workload.notes()).isEmpty();
  }

  @Test
  public void runsThatReadNoTableOfUsersAreCounted() throws SQLException {
    add("UPSERT INTO T VALUES (?, ?)", 900, "1,v");
    add("CREATE TABLE U (K INTEGER PRIMARY KEY)", 1);
    add("EXPLAIN SELECT K FROM T", 2);
    add("SELECT TABLE_NAME FROM SYSTEM.CATALOG", 7);
    add("SELECT 1", 1);
    add("SELECT K FROM T", 4);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.queries())
        .extracting(WorkloadQuery::sql)
        .containsExactly("SELECT K FROM T");
    assertThat(workload.notes())
        .containsExactly(
            "Left out of the log: 903 runs of statements other than SELECT, DELETE and UPSERT"
                + " SELECT",
            "Left out of the log: 8 runs of statements on Phoenix's own tables");
    assertThat(workload.problems()).isEmpty();
  }

  @Test
  public void parametersWithoutValuesGetSamples() throws SQLException {
    add("SELECT K FROM T WHERE K = ?", 8);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.problems()).isEmpty();
    assertThat(workload.queries()).singleElement().extracting(q -> q.binds().size()).isEqualTo(1);
    assertThat(workload.notes())
        .singleElement()
        .asString()
        .startsWith(
            "1 statement of the log has no values for parameters. Sample values were used, ");
  }

  @Test
  public void samplesMakeARange() throws SQLException {
    add("SELECT K FROM T WHERE K >= ? AND K < ? AND V BETWEEN ? AND ?", 8);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.queries())
        .singleElement()
        .extracting(WorkloadQuery::binds)
        .isEqualTo(List.of(1, 6, "c", "d"));
  }

  @Test
  public void samplesMakeARangeWhoseUpperBoundComesFirst() throws SQLException {
    add("SELECT K FROM T WHERE (K < ? OR ? > V) AND K >= ?", 8);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.queries())
        .singleElement()
        .extracting(WorkloadQuery::binds)
        .isEqualTo(List.of(4, "e", 3));
  }

  @Test
  public void samplesMakeARangeInEverySelect() throws SQLException {
    add("SELECT K FROM (SELECT K FROM T WHERE K < ? AND K >= ?)", 6);
    add("SELECT K FROM (SELECT K FROM T WHERE K < ? AND K >= ? LIMIT 7) WHERE K > 5", 5);
    add("SELECT V FROM T WHERE V IN (SELECT V FROM T WHERE K < ? AND K >= ?)", 4);
    add("SELECT A.V FROM T A JOIN T B ON A.K = B.K AND B.K < ? AND B.K >= ?", 3);
    add("SELECT K FROM T WHERE K = 5 UNION ALL SELECT K FROM T WHERE K < ? AND K >= ?", 2);
    add("UPSERT INTO T SELECT K + 1, V FROM T WHERE K < ? AND K >= ?", 1);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.problems()).isEmpty();
    assertThat(workload.queries())
        .hasSize(6)
        .allSatisfy(query -> assertThat(query.binds()).as(query.sql()).containsExactly(3, 2));
  }

  @Test
  public void samplesMakeARangeOfRows() throws SQLException {
    add("SELECT K FROM T WHERE (K, V) < (?, ?) AND (K, V) >= (?, ?)", 8);

    assertThat(logged.workload("SYSTEM.LOG").queries())
        .singleElement()
        .extracting(WorkloadQuery::binds)
        .isEqualTo(List.of(5, "f", 3, "d"));
  }

  @Test
  public void samplesOfManyParametersMakeARange() throws SQLException {
    add("SELECT K FROM T WHERE V IN (" + parameters(13) + ") OR V >= ? AND V < ?", 8);
    add("SELECT K FROM T WHERE K IN (" + parameters(98) + ") OR K >= ? AND K < ?", 7);

    List<WorkloadQuery> queries = logged.workload("SYSTEM.LOG").queries();

    assertThat(queries).hasSize(2);
    assertThat(queries.get(0).binds()).endsWith("n", "ze").doesNotHaveDuplicates();
    assertThat(queries.get(1).binds()).endsWith(99, 200).doesNotHaveDuplicates();
  }

  private static String parameters(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  @Test
  public void parametersOfUnknownTypeGetAFittingSampleOrNull() throws SQLException {
    add("SELECT K FROM T WHERE K = ? AND (? IS NULL OR V = ?)", 8);
    add("SELECT K FROM T WHERE COALESCE(K, ?) = ?", 7);
    add("SELECT K FROM T WHERE COALESCE(K, ?) = 5 AND COALESCE(V, ?) = 'v'", 6);
    add("SELECT K FROM T WHERE (K, V) IN ((?, ?), (?, ?))", 5);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.problems()).isEmpty();
    assertThat(workload.queries().stream().map(WorkloadQuery::binds).toList())
        .containsExactly(
            List.of(1, "b", "c"),
            List.of(1, 2),
            Arrays.asList(null, null),
            List.of(1, "b", 3, "d"));
    assertThat(workload.notes()).singleElement().asString().startsWith("4 statements of the log ");
  }

  @Test
  public void arraysGetOneSample() throws SQLException {
    add("SELECT K FROM T WHERE V = ANY(?) AND K <> ALL(?)", 8);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.problems()).isEmpty();
    assertThat(workload.queries())
        .singleElement()
        .extracting(WorkloadQuery::binds)
        .isEqualTo(
            List.of(
                PArrayDataType.instantiatePhoenixArray(PVarchar.INSTANCE, new Object[] {"a"}),
                PArrayDataType.instantiatePhoenixArray(PInteger.INSTANCE, new Object[] {2})));
  }

  @Test
  public void oneStatementThatCannotBePlannedDoesNotHideTheOthers() throws SQLException {
    add("SELECT K FROM GONE", 9);
    add("SELECT K FROM T WHERE K = ?", 8);
    add("SELECT K FROM T WHERE K = ? AND V = ?", 7, "1,a,b");
    add("SELECT K FROM TV", 6);
    add("SELECT K FROM T", 5);

    Workload workload = logged.workload("SYSTEM.LOG");

    assertThat(workload.queries()).extracting(WorkloadQuery::weight).containsExactly(8.0, 5.0);
    assertThat(workload.refused())
        .containsExactly(
            "SELECT K FROM GONE", "SELECT K FROM T WHERE K = ? AND V = ?", "SELECT K FROM TV");
    assertThat(workload.problems())
        .hasSize(3)
        .allMatch(problem -> problem.startsWith("SYSTEM.LOG: SELECT K FROM "));
    assertThat(workload.problems().get(0))
        .startsWith("SYSTEM.LOG: SELECT K FROM GONE: ERROR 1012 (42M03): Table undefined.")
        .contains(". Correct the name, or create the table ");
    assertThat(workload.problems().get(1)).contains("3 comma-separated values for 2 parameters");
    assertThat(workload.problems().get(2)).contains("TV is a view. Expected a table");
  }

  @Test
  public void nothingToPlanIsRefused() throws SQLException {
    String remedy =
        ". Let clients connect with phoenix.log.level=INFO (TRACE for statements with parameters),"
            + " and with phoenix.audit.log.level=INFO for DELETE and UPSERT SELECT";
    assertThatThrownBy(() -> logged.workload("SYSTEM.LOG since yesterday"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("--log finds no statements to plan in SYSTEM.LOG since yesterday" + remedy);

    add("SELECT 1", 1);

    assertThatThrownBy(() -> logged.workload("SYSTEM.LOG"))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "--log finds no statements to plan in SYSTEM.LOG, only 1 run of statements on Phoenix's"
                + " own tables"
                + remedy);
  }

  @Test
  public void theLogFollowsTheFiles() throws SQLException {
    add("SELECT K FROM T", 5);
    Workload ofLog = logged.workload("SYSTEM.LOG");
    Workload ofFiles =
        new Workload(
            List.of(new WorkloadQuery(4, "q.sql:9:1", "SELECT V FROM T", List.of(), 2)),
            List.of("q.sql:1:1: this is wrong"),
            List.of("SELEC 1"),
            List.of());

    Workload both = ofFiles.plus(ofLog);

    assertThat(both.queries()).extracting(WorkloadQuery::number).containsExactly(4, 5);
    assertThat(both.queries())
        .extracting(WorkloadQuery::place)
        .containsExactly("q.sql:9:1", "SYSTEM.LOG");
    assertThat(both.problems()).containsExactly("q.sql:1:1: this is wrong");
    assertThat(both.refused()).containsExactly("SELEC 1");
  }
}
