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
package io.phoenixpruning.it.fuzz;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.base.Throwables;
import io.phoenixpruning.it.fuzz.DeployedTable.Answer;
import io.phoenixpruning.it.fuzz.RandomQuery.Form;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlannedRegion;

/** Runs a statement in each mode and with Calcite, and compares the answers. */
final class AnswerComparison {

  /**
   * Error of a long IN list: Calcite compiles a condition to one Java method, whose size is
   * limited.
   */
  private static final String TOO_LONG = "Code grows beyond 64 KB";

  /** Compares one of this many right answers of mode exact with the answer of the data table. */
  private static final int DATA_EACH = 2;

  /** Compares one of this many right answers of mode exact with the answer of mode stock. */
  private static final int STOCK_EACH = 8;

  private static final Pattern LIMIT = Pattern.compile(" LIMIT (\\d+)(?: OFFSET (\\d+))?$");

  private static final Comparator<List<Object>> BY_TEXT = Comparator.comparing(List::toString);

  private final DeployedTable deployed;
  private final Oracle oracle;
  private final FuzzReport report;
  private List<PlannedRegion> planned;

  AnswerComparison(DeployedTable deployed, Oracle oracle, FuzzReport report) {
    this.deployed = deployed;
    this.oracle = oracle;
    this.report = report;
  }

  /** Returns how the answers differ, or empty if they agree or are allowed to differ. */
  Optional<Disagreement> compare(RandomQuery query) throws Exception {
    Optional<List<List<Object>>> calcite = expected(query);
    if (calcite.isEmpty()) {
      return Optional.empty();
    }
    List<List<Object>> expected = calcite.get();
    Answer exact = answer(PruningMode.EXACT, query, query.hinted());
    boolean exactRight = agrees(query, expected, exact);
    Answer data =
        exactRight && !isOneOf(DATA_EACH, query)
            ? exact
            : answer(PruningMode.NONE, query, query.unindexed());
    if (data.error() != null) {
      report.countRefused(data.error());
      return Optional.empty();
    }
    report.countQuery(query, expected.size());
    planned = exact.planned();
    boolean dataRight = agrees(query, expected, data);
    if (!exactRight && !isOfDataTable(query, expected, data, exact)) {
      Answer none = answer(PruningMode.NONE, query, query.hinted());
      if (!isSame(query, none, exact) && !isBetween(query, expected, exact, none)) {
        return Optional.of(
            new Disagreement(
                "exact differs from none", true, shown(query, none), shown(query, exact)));
      }
    }
    boolean stockRight = false;
    if (!exactRight || isOneOf(STOCK_EACH, query)) {
      Answer stock = answer(PruningMode.STOCK, query, query.hinted());
      stockRight = agrees(query, expected, stock);
      report.countStock(query, stock, exactRight && !stockRight);
    }
    Optional<KnownDefect> known = KnownDefect.of(deployed.table(), query);
    boolean right = exactRight && dataRight;
    if (right || known.isPresent()) {
      report.countKnownDefect(right ? Optional.empty() : known);
      return Optional.empty();
    }
    if (stockRight && !exactRight) {
      return Optional.of(
          new Disagreement(
              "exact is wrong where stock is right",
              false,
              sorted(query, expected),
              shown(query, exact)));
    }
    return Optional.of(
        new Disagreement(
            dataRight ? "the index is wrong in modes exact and none" : "the data table is wrong",
            false,
            sorted(query, expected),
            shown(query, dataRight ? exact : data)));
  }

  /**
   * Returns whether the answer along the index or that of the data table is wrong, or an error. A
   * timeout does not count.
   */
  boolean isWrong(RandomQuery query, List<List<Object>> expected) throws Exception {
    return isWrong(query, expected, answer(PruningMode.EXACT, query, query.hinted()))
        || isWrong(query, expected, answer(PruningMode.NONE, query, query.unindexed()));
  }

  private static boolean isWrong(RandomQuery query, List<List<Object>> expected, Answer answer) {
    return !agrees(query, expected, answer) && !isTimeout(answer.error());
  }

  private static boolean isTimeout(Throwable error) {
    return error instanceof TimeoutException
        || error instanceof SQLException e
            && e.getErrorCode() == SQLExceptionCode.OPERATION_TIMED_OUT.getErrorCode();
  }

  /**
   * Returns the regions that mode exact planned for the last query. Returns null if there was no
   * answer, or if the plan did not use a local index.
   */
  List<PlannedRegion> plannedRegions() {
    return planned;
  }

  /**
   * Returns whether two answers are the same. With LIMIT, only the numbers of rows are compared.
   */
  private static boolean isSame(RandomQuery query, Answer one, Answer other) {
    if (one.error() != null || other.error() != null) {
      return one.error() != null && other.error() != null;
    }
    return query.form() == Form.LIMITED
        ? one.rows().size() == other.rows().size()
        : sorted(query, one.rows()).equals(sorted(query, other.rows()));
  }

  /**
   * Returns whether the answer of mode exact is the wrong answer that Phoenix gives on the data
   * table, without pruning. Mode exact may choose this plan although a hint names an index.
   */
  private static boolean isOfDataTable(
      RandomQuery query, List<List<Object>> expected, Answer data, Answer exact) {
    return query.form() != Form.LIMITED
        && !agrees(query, expected, data)
        && isSame(query, data, exact);
  }

  /** Returns whether a query is in the sample of one query of {@code each}, by its hash code. */
  private static boolean isOneOf(int each, RandomQuery query) {
    return Math.floorMod(query.sql().phoenix().hashCode() >> 8, each) == 0;
  }

  /**
   * Returns whether mode exact returns all rows that match, and otherwise only rows that mode none
   * also returns. Phoenix may return rows that do not match. Mode exact may return only some of
   * these rows, because it does not read all regions.
   */
  private static boolean isBetween(
      RandomQuery query, List<List<Object>> expected, Answer exact, Answer none) {
    if (exact.error() != null
        || none.error() != null
        || (query.form() != Form.ROWS && query.form() != Form.ORDERED)) {
      return false;
    }
    List<List<Object>> right = new ArrayList<>(expected);
    List<List<Object>> all = new ArrayList<>(none.rows());
    exact.rows().forEach(right::remove);
    return right.isEmpty() && exact.rows().stream().allMatch(all::remove);
  }

  private static Object shown(RandomQuery query, Answer answer) {
    return answer.error() != null ? answer.error() : sorted(query, answer.rows());
  }

  private Answer answer(PruningMode mode, RandomQuery query, String hint) throws Exception {
    return report
        .times()
        .timed(
            query.form().changesRows()
                ? "changes"
                : mode + (hint.contains("NO_INDEX") ? " data" : ""),
            () ->
                query.form().changesRows()
                    ? deployed.change(mode, query, hint)
                    : deployed.execute(mode, query, hint));
  }

  /** Returns the answer of Calcite, or empty if the statement is too long for Calcite. */
  Optional<List<List<Object>>> expected(RandomQuery query) throws Exception {
    try {
      return Optional.of(calcite(query));
    } catch (RuntimeException e) {
      Throwable cause = Throwables.getRootCause(e);
      if (!String.valueOf(cause.getMessage()).contains(TOO_LONG)) {
        throw e;
      }
      report.countRefused(cause);
      return Optional.empty();
    }
  }

  private List<List<Object>> calcite(RandomQuery query) throws Exception {
    Sql sql = query.sql();
    return switch (query.form()) {
      case DELETE ->
          oracle.rows("SELECT * FROM $T WHERE (" + query.where().sql().calcite() + ") IS NOT TRUE");
      case UPSERT -> updated(query);
      case LIMITED -> oracle.rows(withoutHint(sql.calcite()).replaceFirst(LIMIT.pattern(), ""));
      case ROWS, ORDERED, AGGREGATE, GROUPED, DISTINCT, JOIN, SELF_JOIN, DERIVED, UNION ->
          oracle.rows(withoutHint(sql.calcite()));
    };
  }

  private List<List<Object>> updated(RandomQuery query) throws Exception {
    RandomTable table = deployed.table();
    int keys = table.keys().size();
    List<List<Object>> matching =
        oracle.rows("SELECT * FROM $T WHERE " + query.where().sql().calcite());
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      List<Object> updated = new ArrayList<>(row);
      if (matching.contains(row)) {
        updated.set(keys, ValueType.number(BigDecimal.valueOf(77)));
      }
      rows.add(updated);
    }
    return rows;
  }

  private static String withoutHint(String sql) {
    return sql.replace("%hint ", "");
  }

  private static boolean agrees(RandomQuery query, List<List<Object>> expected, Answer answer) {
    if (answer.error() != null) {
      return false;
    }
    if (query.form() == Form.LIMITED) {
      List<List<Object>> left = new ArrayList<>(expected);
      return answer.rows().size() == limited(query, expected.size())
          && answer.rows().stream().allMatch(left::remove);
    }
    return sorted(query, expected).equals(sorted(query, answer.rows()));
  }

  /** Returns how many of {@code rows} rows the query's LIMIT and OFFSET leave. */
  private static int limited(RandomQuery query, int rows) {
    Matcher matcher = LIMIT.matcher(query.text());
    checkState(matcher.find(), query.text());
    int offset = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
    return Math.min(Integer.parseInt(matcher.group(1)), Math.max(0, rows - offset));
  }

  private static List<List<Object>> sorted(RandomQuery query, List<List<Object>> rows) {
    return query.isOrdered() ? rows : rows.stream().sorted(BY_TEXT).toList();
  }
}
