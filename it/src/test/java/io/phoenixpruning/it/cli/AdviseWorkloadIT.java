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
import static org.junit.Assume.assumeTrue;

import io.phoenixpruning.cli.advise.Advice;
import io.phoenixpruning.cli.advise.AdviceText;
import io.phoenixpruning.cli.advise.Advisor;
import io.phoenixpruning.cli.advise.CopyableTables;
import io.phoenixpruning.cli.advise.MirrorDatabase;
import io.phoenixpruning.cli.advise.QueryAdvice;
import io.phoenixpruning.cli.advise.Workload;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.explain.ClusterDatabase;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.SqlScript;
import io.phoenixpruning.cli.explain.SqlStatement;
import io.phoenixpruning.cli.explain.StatementPlanner;
import io.phoenixpruning.it.ClusterTest;
import io.phoenixpruning.testing.ScanRpcCounts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.junit.Test;
import picocli.CommandLine.Help.Ansi;

/**
 * Compares the work of the 30 queries of a workload before and after the advised indexes are
 * created. The report is written to {@code target/advise/workload.txt}. Runs in profile {@code
 * nightly}.
 */
public class AdviseWorkloadIT extends ClusterTest {

  private static final Path REPORT = Path.of("target", "advise", "workload.txt");

  private static final List<SqlStatement> QUERIES =
      SqlScript.read(TpchWorkload.queries()).statements();

  private static Advice advise(Connection connection) throws Exception {
    Database database = new ClusterDatabase(connection);
    Workload workload =
        Workload.read(
            List.of(TpchWorkload.queries()),
            List.of(),
            new StatementPlanner(database),
            new CopyableTables(database.connection()));
    assertThat(workload.problems()).isEmpty();
    List<MirrorDatabase> copies = new ArrayList<>();
    try {
      return new Advisor(
              database,
              tables -> {
                copies.add(MirrorDatabase.of(database.connection(), tables));
                return copies.get(copies.size() - 1);
              },
              Map.of(),
              new Progress(System.err, false))
          .advise(workload);
    } finally {
      for (MirrorDatabase copy : copies) {
        copy.close();
      }
    }
  }

  @Test
  public void theAdvisedIndexesSaveScanRpcs() throws Exception {
    assumeTrue(ALL_COMBINATIONS);
    assertThat(QUERIES).hasSize(30);
    // Plans state the scans. Probes are off, because they save some of these scans.
    try (Connection connection = connect(Map.of(PruningOptions.PROBE, "false"))) {
      TpchWorkload workload = new TpchWorkload(connection);
      workload.create();
      List<MeasuredQuery> before = run(connection);
      Advice advice = advise(connection);
      workload.change(advice.ddl());
      List<MeasuredQuery> after = run(connection);

      write(new WorkloadReport(QUERIES, before, after), advice);
      for (int i = 0; i < QUERIES.size(); i++) {
        String query = QUERIES.get(i).sql();
        assertThat(before.get(i).rows()).as(query).isNotEmpty();
        assertThat(before.get(i).rows()).as(query).noneMatch(row -> row.contains(null));
        assertThat(after.get(i).rows()).as(query).isEqualTo(before.get(i).rows());
        assertScansAreRpcs(query, before.get(i));
        assertScansAreRpcs(query, after.get(i));
      }
      assertThatItSavesWhatIsPredicted(advice, before, after);
    }
  }

  /**
   * Checks that at least nine tenths of the predicted RPCs are saved. The prediction must be more
   * than a third of all RPCs.
   */
  private static void assertThatItSavesWhatIsPredicted(
      Advice advice, List<MeasuredQuery> before, List<MeasuredQuery> after) {
    double all = 0;
    double predicted = 0;
    double saved = 0;
    for (int i = 0; i < before.size(); i++) {
      QueryAdvice query = advice.queries().get(i);
      all += query.weight() * query.before().rpcs();
      predicted += query.weight() * (query.before().rpcs() - query.after().rpcs());
      saved += query.weight() * (before.get(i).scanRpcs().rpcs() - after.get(i).scanRpcs().rpcs());
    }
    assertThat(saved).isGreaterThanOrEqualTo(0.9 * predicted);
    assertThat(predicted).isGreaterThan(all / 3);
  }

  private static List<MeasuredQuery> run(Connection connection) throws SQLException {
    List<MeasuredQuery> runs = new ArrayList<>();
    for (SqlStatement query : QUERIES) {
      String sql = query.sql() + "\n";
      PlanSummary plan = PlanSummary.of(connection, sql);
      ScanRpcCounts earlier = scanRpcs();
      List<List<Object>> rows = rows(connection, sql);
      runs.add(new MeasuredQuery(plan, rows, scanRpcs().minus(earlier)));
    }
    return runs;
  }

  private static ScanRpcCounts scanRpcs() {
    return TpchWorkload.tables().stream()
        .map(ClusterTest::scanRpcs)
        .reduce(ScanRpcCounts.NONE, ScanRpcCounts::plus);
  }

  /**
   * Checks that each scan takes one RPC. The RPC that opens a scan also returns all its rows,
   * because they are few.
   */
  private static void assertScansAreRpcs(String query, MeasuredQuery run) {
    assertThat(run.scanRpcs().rpcs()).as(query).isEqualTo(run.scanRpcs().opens());
    if (run.isPlannedInFull()) {
      assertThat(run.scanRpcs().rpcs()).as(query).isEqualTo(run.plan().clientScans());
    } else {
      assertThat(run.scanRpcs().rpcs()).as(query).isLessThanOrEqualTo(run.plan().clientScans());
    }
  }

  private static void write(WorkloadReport report, Advice advice) throws IOException {
    Files.createDirectories(REPORT.getParent());
    StringWriter advised = new StringWriter();
    new AdviceText(new PrintWriter(advised, true), Ansi.OFF).print(advice);
    Files.writeString(REPORT, report + "\n" + advised);
  }
}
