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
package org.apache.phoenix.pruning.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.when;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.ProbeOptions;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.probe.ExclusionCheck;
import org.apache.phoenix.pruning.probe.RegionProbe;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.apache.phoenix.pruning.region.RegionWalk;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.mockito.MockedStatic;
import org.mockito.stubbing.Answer;

/** Tests that a failure in pruning keeps all regions and logs one warning. */
public class FailSafeTest {

  private static final int REGIONS = 4;
  private static final String SQL =
      "SELECT /*+ INDEX(F FI) */ V FROM F WHERE V = 5 AND K = 25 AND V <> K";

  /** Collects the warnings that {@link Fallbacks} logs. */
  private static final class Warnings extends AbstractAppender {

    private final List<String> messages = new ArrayList<>();

    Warnings() {
      super("warnings", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      assertThat(event.getLevel()).isEqualTo(Level.WARN);
      messages.add(event.getMessage().getFormattedMessage());
    }
  }

  private final Logger logger = (Logger) LogManager.getLogger(Fallbacks.class);
  private final Warnings warnings = new Warnings();
  private Connectionless driver;

  @Before
  public void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute("CREATE TABLE F (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (10, 20, 30)");
    driver.execute("CREATE LOCAL INDEX FI ON F (V)");
    warnings.start();
    logger.addAppender(warnings);
  }

  @After
  public void dropTable() throws SQLException {
    logger.removeAppender(warnings);
    driver.execute("DROP TABLE F");
    driver.close();
  }

  /**
   * Returns the number of regions planned for {@link #SQL} with additional {@code conditions} in
   * its WHERE. Conditions may be mocks.
   */
  private int planned(Expression... conditions) throws SQLException {
    try (PreparedStatement statement = driver.connection().prepareStatement(SQL)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      BoundWhere.Holder holder = (BoundWhere.Holder) (Object) plan.getContext();
      BoundWhere where = holder.getBoundWhere();
      List<Expression> all = new ArrayList<>(where.expression().getChildren());
      all.addAll(Arrays.asList(conditions));
      holder.setBoundWhere(new BoundWhere(where.table(), new AndExpression(all)));
      return plan.getExplainPlan().getPlanStepsAsAttributes().getRegionsPlanned();
    }
  }

  /** Returns the column K in the WHERE of {@link #SQL}. */
  private Expression column() throws SQLException {
    try (PreparedStatement statement = driver.connection().prepareStatement(SQL)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      return ((BoundWhere.Holder) (Object) plan.getContext())
          .getBoundWhere().expression().getChildren().stream()
              .map(condition -> condition.getChildren().get(0))
              .filter(term -> term.toString().contains("K"))
              .findFirst()
              .orElseThrow(AssertionError::new);
    }
  }

  @Test
  public void aConditionThatFailsPrunesNothingItself() throws SQLException {
    ComparisonExpression failing = mock(ComparisonExpression.class);
    when(failing.getDeterminism()).thenReturn(Determinism.ALWAYS);
    when(failing.getChildren()).thenReturn(Arrays.asList(column(), column()));
    when(failing.getFilterOp()).thenThrow(new IllegalStateException("no operator"));
    long before = Fallbacks.GLOBAL.failures();

    assertThat(planned(failing)).as("K = 25 is understood").isEqualTo(1);
    assertThat(planned(failing)).isEqualTo(1);

    assertThat(Fallbacks.GLOBAL.failures()).isGreaterThanOrEqualTo(before + 2);
    assertThat(warnings.messages)
        .singleElement()
        .asString()
        .startsWith("Cannot prune regions by ComparisonExpression")
        .contains("\"K\" INTEGER")
        .endsWith("The query may scan more regions than necessary");
  }

  @Test
  public void logsAnUnsupportedConditionOnce() throws SQLException {
    String sql = "SELECT /*+ INDEX(F FI) */ V FROM F WHERE V = 5 AND K % 7 = 2";
    long before = Fallbacks.GLOBAL.unsupportedConditions();
    assertThat(driver.explain(sql).getRegionsPlanned()).isEqualTo(REGIONS);
    assertThat(driver.explain(sql).getRegionsPlanned()).isEqualTo(REGIONS);
    assertThat(Fallbacks.GLOBAL.unsupportedConditions()).isGreaterThanOrEqualTo(before + 2);
    assertThat(warnings.messages)
        .singleElement()
        .asString()
        .startsWith("Regions that hold several keys are not pruned by ModulusExpression")
        .contains("\"K\" INTEGER")
        .endsWith(": this expression is not supported");
  }

  @Test
  public void logsUnsupportedPartsOfAWhere() throws SQLException {
    driver.execute(
        "CREATE TABLE G (D DECIMAL NOT NULL, S VARCHAR NOT NULL, T DATE NOT NULL, I INTEGER NOT NULL,"
            + " V INTEGER, W INTEGER CONSTRAINT PK PRIMARY KEY (D, S, T, I)) SPLIT ON ('b', 'c', 'd')");
    try {
      driver.execute("CREATE LOCAL INDEX GI ON G (V)");
      assertIsLogged("D + 1 = 5", "\"D\" DECIMAL");
      assertIsLogged("CASE WHEN S = 'a' THEN 1 ELSE 0 END = 1", "\"S\" VARCHAR");
      assertIsLogged("T + 1 > TO_DATE('2020-01-01')", "\"T\" DATE");
      assertIsLogged("I + 0.5e0 > 2", "\"I\" INTEGER");
      assertIsLogged("COALESCE(S || 'a', 'b') = 'b'", "\"S\" VARCHAR");
      assertIsLogged("UPPER(S) || I = 'A1' OR I * 2 = 4", "\"S\" VARCHAR");
      long before = Fallbacks.GLOBAL.unsupportedConditions();
      planned("I * 3 = 6 AND (I - 1) * (I + 1) < 9 AND 100 / I = 4 AND NOT (I + W = 5 OR I = 3)");
      assertThat(Fallbacks.GLOBAL.unsupportedConditions() - before).as("of I + W").isEqualTo(1);
    } finally {
      driver.execute("DROP TABLE G");
    }
  }

  private int planned(String condition) throws SQLException {
    return driver
        .explain("SELECT /*+ INDEX(G GI) */ V FROM G WHERE V = 5 AND " + condition)
        .getRegionsPlanned();
  }

  private void assertIsLogged(String condition, String column) throws SQLException {
    int before = warnings.messages.size();
    assertThat(planned(condition)).as(condition).isEqualTo(REGIONS);
    assertThat(warnings.messages.subList(before, warnings.messages.size()))
        .as(condition)
        .singleElement()
        .asString()
        .contains(column)
        .endsWith(": this expression is not supported");
  }

  @Test
  public void aFailureElsewherePlansAllRegions() throws SQLException {
    Expression failing = mock(Expression.class);
    when(failing.getDeterminism()).thenReturn(Determinism.ALWAYS);
    when(failing.getChildren()).thenThrow(new IllegalStateException("no children"));
    long before = Fallbacks.GLOBAL.failures();

    assertThat(planned(failing)).isEqualTo(REGIONS);

    assertThat(Fallbacks.GLOBAL.failures()).isGreaterThan(before);
    assertThat(Fallbacks.GLOBAL.byCause())
        .containsKey("java.lang.IllegalStateException in pruning regions of FI")
        .containsKey("java.lang.IllegalStateException in planning a loose index scan of FI");
    assertThat(warnings.messages).last().asString().contains("of FI");
  }

  @Test
  public void aFailureOfTheWalkPlansAllRegions() throws SQLException {
    AtomicInteger calls = new AtomicInteger();
    Answer<Object> failingOnce =
        call -> {
          if (calls.getAndIncrement() == 0) {
            throw new UnsupportedOperationException("no next key");
          }
          return call.callRealMethod();
        };
    try (MockedStatic<RegionWalk> walk = mockStatic(RegionWalk.class, failingOnce)) {
      assertThat(planned()).isEqualTo(REGIONS);
    }
    assertThat(Fallbacks.GLOBAL.byCause())
        .containsKey("java.lang.UnsupportedOperationException in pruning regions of FI");
  }

  @Test
  public void sendsAllScansIfProbingFails() throws SQLException {
    List<List<Scan>> scans = Arrays.asList(Arrays.asList(new Scan(), new Scan()));
    ServerName server = ServerName.valueOf("host", 1, 1);
    HRegionLocation region =
        new HRegionLocation(RegionInfoBuilder.newBuilder(TableName.valueOf("F")).build(), server);
    ProbedRange range =
        new ProbedRange(region.getRegion().getEncodedName(), new byte[0], new byte[0]);
    long before = Fallbacks.GLOBAL.failures();

    try (PreparedStatement statement = driver.connection().prepareStatement(SQL)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      QueryPlan failing = mock(QueryPlan.class, delegatesTo(plan));
      doThrow(new IllegalStateException("no operation")).when(failing).getOperation();
      RegionProbe probe =
          new RegionProbe(
              failing,
              new ProbeOptions(true, 2, 500, 512, 500),
              Arrays.asList(new PruningCounts()),
              ExclusionCheck.NONE);
      assertThat(
              probe.probe(
                  plan.getContext().getScan(),
                  scans,
                  Arrays.asList(region, region),
                  Arrays.asList(range, range),
                  false))
          .isEqualTo(scans);
    }

    assertThat(Fallbacks.GLOBAL.failures()).isEqualTo(before + 1);
    assertThat(warnings.messages)
        .containsExactly("Cannot probe servers for FI. All planned scans are sent");
  }
}
