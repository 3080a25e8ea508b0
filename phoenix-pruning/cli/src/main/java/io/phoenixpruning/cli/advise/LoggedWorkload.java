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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.SqlStatement;
import io.phoenixpruning.cli.explain.StatementPlanner;
import io.phoenixpruning.report.format.Figures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.UpsertStatement;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.pruning.explain.ScanSummary;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Creates a workload from the statements that Phoenix logged. The weight of a statement is the
 * number of its runs.
 */
public final class LoggedWorkload {

  /**
   * Maximum number of statements, because planning more takes very long. The most frequent
   * statements are kept.
   */
  private static final int MAX_STATEMENTS = 1000;

  private final StatementPlanner planner;
  private final CopyableTables copyable;
  private final List<WorkloadQuery> queries = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  /** Descriptions of the parts of the log that are left out. */
  private final List<String> notes = new ArrayList<>();

  /** Number of statements with parameters but without logged values. */
  private int statementsWithoutValues;

  /** Number of runs that are left out, by a description of the runs. */
  private final Map<String, Long> omittedRuns = new LinkedHashMap<>();

  /**
   * @param database database with the tables; each statement is planned in the database, to find
   *     statements that Phoenix refuses
   */
  LoggedWorkload(Database database) {
    this.planner = new StatementPlanner(database);
    this.copyable = new CopyableTables(database.connection());
  }

  /**
   * Reads a log and creates its workload.
   *
   * @throws RefusedException if the log cannot be read, or has no statement to plan
   */
  public static Workload read(QueryLog log, Database database) throws SQLException {
    LoggedWorkload logged = new LoggedWorkload(database);
    logged.omit("of tenants", log.runsOfTenants());
    List<QueryLog.Entry> entries = log.mostFrequent(MAX_STATEMENTS + 1);
    for (QueryLog.Entry entry : entries.subList(0, Math.min(entries.size(), MAX_STATEMENTS))) {
      logged.add(entry);
    }
    if (entries.size() > MAX_STATEMENTS) {
      logged.notes.add(
          "all statements except the " + Figures.number(MAX_STATEMENTS) + " that ran most often");
    }
    return logged.workload(log.toString());
  }

  /** Adds a statement with its number of runs. */
  void add(QueryLog.Entry entry) throws SQLException {
    try {
      BindableStatement parsed =
          planner.plan(
              entry.sql(), (connection, sql, binds) -> new SQLParser(sql).parseStatement());
      if (!readsRows(parsed)) {
        omit("of statements other than SELECT, DELETE and UPSERT SELECT", entry.runs());
        return;
      }
      Object[] binds = binds(entry, parsed);
      PlanSummary plan = planner.plan(entry.sql(), PlanSummary::of, binds);
      if (plan.scans().stream().map(ScanSummary::table).allMatch(LoggedWorkload::isSystemTable)) {
        omit("of statements on Phoenix's own tables", entry.runs());
        return;
      }
      copyable.check(plan, entry.sql());
      queries.add(
          new WorkloadQuery(queries.size() + 1, QueryLog.NAME, entry.sql(), binds, entry.runs()));
      if (binds.length > 0 && entry.binds().isEmpty()) {
        statementsWithoutValues++;
      }
    } catch (RefusedException e) {
      problems.add(QueryLog.NAME + ": " + SqlStatement.title(entry.sql()) + ": " + e.getMessage());
      refused.add(entry.sql());
    }
  }

  private static boolean readsRows(BindableStatement statement) {
    return statement instanceof SelectStatement
        || statement instanceof DeleteStatement
        || (statement instanceof UpsertStatement upsert && upsert.getSelect() != null);
  }

  private @Nullable Object[] binds(QueryLog.Entry entry, BindableStatement statement) {
    if (statement.getBindCount() == 0) {
      return new Object[0];
    }
    if (entry.binds().isEmpty()) {
      return samples(entry.sql(), statement);
    }
    List<@Nullable PDataType<?>> types = planner.plan(entry.sql(), LoggedBinds::types);
    return LoggedBinds.parse(entry.binds().get(), types);
  }

  /**
   * Returns sample values for the parameters of a statement. If Phoenix does not know a type, tries
   * the types of {@link LoggedBinds#GUESSES}. If the statement cannot be planned with any of these
   * types, parameters of unknown type get null.
   */
  private @Nullable Object[] samples(String sql, BindableStatement statement) {
    List<@Nullable PDataType<?>> types;
    try {
      types = planner.plan(sql, LoggedBinds::types);
    } catch (RefusedException e) {
      // Phoenix cannot plan some statements without values.
      types = Collections.nCopies(statement.getBindCount(), null);
    }
    if (types.contains(null)) {
      for (PDataType<?> guess : LoggedBinds.GUESSES) {
        @Nullable Object[] samples = LoggedBinds.samples(types, guess, statement);
        if (canBePlanned(sql, samples)) {
          return samples;
        }
      }
    }
    return LoggedBinds.samples(types, null, statement);
  }

  private boolean canBePlanned(String sql, @Nullable Object[] binds) {
    try {
      planner.plan(sql, PlanSummary::of, binds);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  private static boolean isSystemTable(String table) {
    return SchemaUtil.getSchemaNameFromFullName(table).equals(QueryConstants.SYSTEM_SCHEMA_NAME);
  }

  private void omit(String runs, long count) {
    if (count > 0) {
      omittedRuns.merge(runs, count, Long::sum);
    }
  }

  /**
   * Returns the workload of all added statements.
   *
   * @param source description of the log, for messages
   * @throws RefusedException if there was no statement to plan
   */
  Workload workload(String source) {
    omittedRuns.forEach((runs, count) -> notes.add(Figures.plural(count, "run") + " " + runs));
    if (queries.isEmpty() && problems.isEmpty()) {
      throw new RefusedException(
          "--log finds no statements to plan in "
              + source
              + (notes.isEmpty() ? "" : ", only " + String.join(", ", notes))
              + ". Let clients connect with phoenix.log.level=INFO (TRACE for statements with"
              + " parameters), and with phoenix.audit.log.level=INFO for DELETE and UPSERT SELECT");
    }
    List<String> sentences = new ArrayList<>();
    notes.forEach(note -> sentences.add("Left out of the log: " + note));
    if (statementsWithoutValues > 0) {
      sentences.add(
          Figures.plural(
                  statementsWithoutValues, "statement of the log has", "statements of the log have")
              + " no values for parameters. Sample values were used, so a range may read more."
              + " Clients log values with phoenix.log.level=TRACE");
    }
    return new Workload(queries, problems, refused, sentences);
  }
}
