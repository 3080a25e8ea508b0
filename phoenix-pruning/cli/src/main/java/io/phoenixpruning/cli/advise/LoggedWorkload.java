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

import io.phoenixpruning.cli.Figures;
import io.phoenixpruning.cli.RefusedException;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.SqlStatement;
import io.phoenixpruning.cli.explain.StatementPlanner;
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

/**
 * Makes a workload of the statements that Phoenix logged: the weight of each is how often it ran.
 */
public final class LoggedWorkload {

  /** More take very long to be planned, and those that are left out ran least. */
  private static final int MOST_STATEMENTS = 1000;

  private final StatementPlanner planner;
  private final CopyableTables copyable;
  private final List<WorkloadQuery> queries = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  /** What is left out. */
  private final List<String> notes = new ArrayList<>();

  /** Statements with parameters for which the log has no values. */
  private int withoutValues;

  /** How many runs are left out, by what they are. */
  private final Map<String, Long> leftOut = new LinkedHashMap<>();

  /**
   * @param database has the tables; each statement is planned, to know whether it can be worked
   *     with
   */
  LoggedWorkload(Database database) {
    this.planner = new StatementPlanner(database);
    this.copyable = new CopyableTables(database.connection());
  }

  /**
   * Reads a log.
   *
   * @throws RefusedException if it cannot be read, or has no statement that can be a part of a
   *     workload
   */
  public static Workload read(QueryLog log, Database database) throws SQLException {
    LoggedWorkload logged = new LoggedWorkload(database);
    logged.leaveOut("of tenants", log.runsOfTenants());
    List<QueryLog.Entry> entries = log.mostFrequent(MOST_STATEMENTS + 1);
    for (QueryLog.Entry entry : entries.subList(0, Math.min(entries.size(), MOST_STATEMENTS))) {
      logged.add(entry);
    }
    if (entries.size() > MOST_STATEMENTS) {
      logged.notes.add(
          "all statements but the " + Figures.number(MOST_STATEMENTS) + " that ran most often");
    }
    return logged.workload(log.toString());
  }

  /** Adds the runs of a statement. */
  void add(QueryLog.Entry entry) throws SQLException {
    try {
      BindableStatement parsed =
          planner.plan(
              entry.sql(), (connection, sql, binds) -> new SQLParser(sql).parseStatement());
      if (!readsRows(parsed)) {
        leaveOut("of statements other than SELECT, DELETE and UPSERT SELECT", entry.runs());
        return;
      }
      Object[] binds = binds(entry, parsed);
      PlanSummary plan = planner.plan(entry.sql(), PlanSummary::of, binds);
      if (plan.scans().stream().map(ScanSummary::table).allMatch(LoggedWorkload::isOfPhoenix)) {
        leaveOut("that read no tables but Phoenix's own", entry.runs());
        return;
      }
      copyable.check(plan, entry.sql());
      queries.add(
          new WorkloadQuery(queries.size() + 1, QueryLog.NAME, entry.sql(), binds, entry.runs()));
      if (binds.length > 0 && entry.binds().isEmpty()) {
        withoutValues++;
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

  private Object[] binds(QueryLog.Entry entry, BindableStatement statement) {
    if (statement.getBindCount() == 0) {
      return new Object[0];
    }
    if (entry.binds().isEmpty()) {
      return samples(entry.sql(), statement);
    }
    List<PDataType<?>> types = planner.plan(entry.sql(), LoggedBinds::types);
    return LoggedBinds.parse(entry.binds().get(), types);
  }

  /** Returns values with which Phoenix can plan a statement, if there are any. */
  private Object[] samples(String sql, BindableStatement statement) {
    List<PDataType<?>> types;
    try {
      types = planner.plan(sql, LoggedBinds::types);
    } catch (RefusedException e) {
      // Phoenix cannot plan some statements without values.
      types = Collections.nCopies(statement.getBindCount(), null);
    }
    if (types.contains(null)) {
      for (PDataType<?> guess : LoggedBinds.GUESSES) {
        Object[] samples = LoggedBinds.samples(types, guess, statement);
        if (canBePlanned(sql, samples)) {
          return samples;
        }
      }
    }
    return LoggedBinds.samples(types, null, statement);
  }

  private boolean canBePlanned(String sql, Object[] binds) {
    try {
      planner.plan(sql, PlanSummary::of, binds);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  private static boolean isOfPhoenix(String table) {
    return SchemaUtil.getSchemaNameFromFullName(table).equals(QueryConstants.SYSTEM_SCHEMA_NAME);
  }

  private void leaveOut(String runs, long count) {
    if (count > 0) {
      leftOut.merge(runs, count, Long::sum);
    }
  }

  /**
   * All that was added.
   *
   * @param source what it was read from
   * @throws RefusedException if nothing was
   */
  Workload workload(String source) {
    leftOut.forEach((runs, count) -> notes.add(Figures.plural(count, "run") + " " + runs));
    if (queries.isEmpty() && problems.isEmpty()) {
      throw new RefusedException(
          "--log finds no statements to plan in "
              + source
              + (notes.isEmpty() ? "" : ", only " + String.join(", ", notes))
              + ": let clients connect with phoenix.log.level=INFO, or TRACE if statements have"
              + " parameters, and with phoenix.audit.log.level=INFO for DELETE and UPSERT SELECT");
    }
    List<String> sentences = new ArrayList<>();
    notes.forEach(note -> sentences.add("Of the log, left out: " + note));
    if (withoutValues > 0) {
      sentences.add(
          Figures.plural(withoutValues, "statement")
              + " of the log with parameters but without their values: planned with a sample value"
              + " for each parameter, so a range may read more; clients log values with"
              + " phoenix.log.level=TRACE");
    }
    return new Workload(queries, problems, refused, sentences);
  }
}
