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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.predicate.DataKey;
import org.apache.phoenix.pruning.predicate.EvaluationBudget;
import org.apache.phoenix.pruning.predicate.NonKeyBounds;
import org.apache.phoenix.pruning.predicate.ResidualCheck;
import org.apache.phoenix.pruning.region.RegionList;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests that many regions are checked with many conditions, exactly and with bounded work. */
public class RegionBisectionTest {

  private static final int REGIONS = 20_000;
  private static final int TERMS = 5_000;

  private Connectionless driver;
  private PTable table;
  private PTable index;

  @Before
  public void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute("CREATE TABLE B (K INTEGER PRIMARY KEY, V INTEGER)");
    driver.execute("CREATE LOCAL INDEX BI ON B (V)");
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    table = connection.getTable(new PTableKey(null, "B"));
    index = connection.getTable(new PTableKey(null, "BI"));
  }

  @After
  public void dropTable() throws SQLException {
    driver.execute("DROP TABLE B");
    driver.close();
  }

  /** Returns a condition on K as it is in the scan of the index. */
  private Expression where(String condition) throws SQLException {
    String query = "SELECT /*+ INDEX(B BI) */ V FROM B WHERE V = 5 AND " + condition;
    try (PreparedStatement statement = driver.connection().prepareStatement(query)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      BoundWhere where = ((BoundWhere.Holder) (Object) plan.getContext()).getBoundWhere();
      assertThat(where.table().getName()).isEqualTo(index.getName());
      List<Expression> ofKey =
          where.expression().getChildren().stream()
              .filter(child -> child.toString().contains("K"))
              .collect(Collectors.toList());
      return ofKey.size() == 1 ? ofKey.get(0) : new AndExpression(ofKey);
    }
  }

  private static Expression compare(Expression left, CompareOperator operator, int right)
      throws SQLException {
    return new ComparisonExpression(
        Arrays.asList(left, LiteralExpression.newConstant(right, PInteger.INSTANCE)), operator);
  }

  /** Returns {@code K + 1 = n OR ...}, which is true if K is one of {@code values}. */
  private Expression anyOf(List<Integer> values) throws SQLException {
    Expression sum = where("K + 1 = 26").getChildren().get(0);
    List<Expression> terms = new ArrayList<>();
    for (int value : values) {
      terms.add(compare(sum, CompareOperator.EQUAL, value + 1));
    }
    return new OrExpression(terms);
  }

  private ResidualCheck check(Expression... conditions) {
    return new ResidualCheck(
        DataKey.of(table),
        column -> column.getPosition() == index.getPKColumns().size() - 1 ? 0 : -1,
        index,
        Arrays.asList(conditions),
        NonKeyBounds.NONE,
        new Fallbacks());
  }

  private static List<HRegionLocation> regions(List<Integer> boundaries) {
    List<HRegionLocation> regions = new ArrayList<>();
    for (int i = 0; i <= boundaries.size(); i++) {
      byte[] start = i == 0 ? new byte[0] : PInteger.INSTANCE.toBytes(boundaries.get(i - 1));
      byte[] end =
          i == boundaries.size() ? new byte[0] : PInteger.INSTANCE.toBytes(boundaries.get(i));
      regions.add(
          new HRegionLocation(
              RegionInfoBuilder.newBuilder(TableName.valueOf("B"))
                  .setStartKey(start)
                  .setEndKey(end)
                  .build(),
              ServerName.valueOf("localhost", 1, 1)));
    }
    return regions;
  }

  /** Returns regions with the boundaries 10, 20 and so on. */
  private static List<HRegionLocation> regions() {
    return regions(IntStream.range(1, REGIONS).mapToObj(i -> 10 * i).collect(Collectors.toList()));
  }

  /** Returns the regions of the locations, because two locations are equal if their servers are. */
  private static List<RegionInfo> infos(List<HRegionLocation> regions) {
    return regions.stream().map(HRegionLocation::getRegion).collect(Collectors.toList());
  }

  private static List<Integer> randomValues(long seed) {
    Random random = new Random(seed);
    return IntStream.range(0, TERMS)
        .mapToObj(i -> random.nextInt(10 * REGIONS))
        .collect(Collectors.toList());
  }

  private static List<RegionInfo> regionsOf(List<Integer> values, List<HRegionLocation> regions) {
    return new TreeSet<>(values.stream().map(value -> value / 10).collect(Collectors.toList()))
        .stream().map(i -> regions.get(i).getRegion()).collect(Collectors.toList());
  }

  @Test
  public void testsManyRegionsWithManyTermsExactly() throws SQLException {
    List<Integer> values = randomValues(31);
    List<HRegionLocation> regions = regions();
    EvaluationBudget budget = new EvaluationBudget(EvaluationBudget.NODES, 60_000);
    assertThat(infos(RegionBisection.remaining(regions, check(anyOf(values)), budget)))
        .isEqualTo(regionsOf(values, regions));
    assertThat(budget.isOver()).isFalse();
    // A term has five nodes. Testing each of the 20,000 regions with each term would evaluate
    // 500,000,000 nodes.
    assertThat(budget.spent()).isBetween(5L * TERMS, EvaluationBudget.NODES / 2);
  }

  @Test
  public void testsAFewSpansForOneKey() throws SQLException {
    List<HRegionLocation> regions = regions();
    EvaluationBudget budget = new EvaluationBudget(EvaluationBudget.NODES, 60_000);
    assertThat(infos(RegionBisection.remaining(regions, check(where("K + 1 = 123457")), budget)))
        .containsExactly(regions.get(12345).getRegion());
    assertThat(budget.spent()).isLessThan(5 * (2 * 15 + 8));
  }

  @Test
  public void doesNotTestRegionsInWhichAllRowsMatch() throws SQLException {
    List<HRegionLocation> regions = regions();
    EvaluationBudget budget = new EvaluationBudget(EvaluationBudget.NODES, 60_000);
    assertThat(infos(RegionBisection.remaining(regions, check(where("K + 1 > 100001")), budget)))
        .isEqualTo(infos(regions.subList(10_000, REGIONS)));
    assertThat(budget.spent()).isLessThan(5 * (2 * 15 + 8));
  }

  @Test
  public void leavesRegionsInWhenItsBudgetIsSpent() throws SQLException {
    List<Integer> values = randomValues(32);
    List<HRegionLocation> regions = regions();
    long before = Fallbacks.GLOBAL.exceededBudgets();
    EvaluationBudget budget = new EvaluationBudget(200_000, 60_000);
    List<RegionInfo> planned = infos(planned(anyOf(values), regions, budget));
    // The regions are compared as sets. AssertJ would compare each region of one list with each
    // region of the other list.
    Set<RegionInfo> missing = new HashSet<>(regionsOf(values, regions));
    missing.removeAll(new HashSet<>(planned));
    assertThat(missing).isEmpty();
    Set<RegionInfo> foreign = new HashSet<>(planned);
    foreign.removeAll(new HashSet<>(infos(regions)));
    assertThat(foreign).isEmpty();
    assertThat(planned).hasSizeBetween(TERMS, REGIONS);
    assertThat(budget.spent()).isEqualTo(200_000);
    assertThat(Fallbacks.GLOBAL.exceededBudgets()).isEqualTo(before + 1);
  }

  @Test
  public void endsAQueryWhoseTimeIsOver() throws SQLException {
    Expression where = anyOf(randomValues(33));
    assertThatThrownBy(
            () -> planned(where, regions(), new EvaluationBudget(EvaluationBudget.NODES, -1)))
        .isInstanceOf(SQLTimeoutException.class)
        .hasMessageContaining("more than its timeout of -1 ms");
  }

  @Test
  public void endsAQueryWhoseThreadIsInterrupted() throws SQLException {
    Expression where = anyOf(randomValues(34));
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> planned(where, regions(), new EvaluationBudget(EvaluationBudget.NODES, 60_000)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).as("left for the caller").isTrue();
  }

  private List<HRegionLocation> planned(
      Expression where, List<HRegionLocation> regions, EvaluationBudget budget)
      throws SQLException {
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    return new KeyConstraints(connection, table, new Fallbacks())
        .of(index, where, Collections.emptyList())
        .regions(new RegionList(regions), budget);
  }

  /** The time to intersect two key spaces grows with the number of their ranges. */
  @Test
  public void intersectsManyConjunctsByHalves() throws SQLException {
    int conjuncts = 20_000;
    Expression column = where("K <> 25").getChildren().get(0);
    List<Expression> conditions = new ArrayList<>();
    for (int i = 0; i < conjuncts; i++) {
      conditions.add(compare(column, CompareOperator.NOT_EQUAL, 100 + i * 7 % conjuncts));
    }
    Expression where = new AndExpression(conditions);
    List<HRegionLocation> regions = regions();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    List<HRegionLocation> left =
        planned(where, regions, new EvaluationBudget(EvaluationBudget.NODES, 60_000));
    // Intersected one after the other, the key spaces would have 200,000,000 ranges in total.
    assertThat(threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
        .isLessThan(500_000_000L);
    List<RegionInfo> expected = infos(regions);
    expected.subList(10, 10 + conjuncts / 10).clear();
    assertThat(infos(left)).isEqualTo(expected);
  }

  /** Tests random conditions. The seed is in the message. */
  @Test
  public void keepsMatchingRegionsAndNoMoreThanTestsOfEachRegion() throws SQLException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<IntPredicate> holds = new ArrayList<>();
      String condition = condition(random, 3, holds);
      List<HRegionLocation> regions =
          regions(
              IntStream.range(1, 1 + random.nextInt(60))
                  .mapToObj(i -> random.nextInt(200))
                  .distinct()
                  .sorted()
                  .collect(Collectors.toList()));
      ResidualCheck check = check(where(condition));
      List<HRegionLocation> left =
          RegionBisection.remaining(
              regions, check, new EvaluationBudget(EvaluationBudget.NODES, 60_000));
      List<HRegionLocation> byRegion =
          regions.stream().filter(region -> canMatch(check, region)).collect(Collectors.toList());
      assertThat(infos(byRegion)).as("seed " + seed + ": " + condition).containsAll(infos(left));
      for (int k = -10; k < 210; k++) {
        if (holds.get(0).test(k)) {
          byte[] row = PInteger.INSTANCE.toBytes(k);
          assertThat(left)
              .as("seed " + seed + ": " + condition + " for " + k)
              .anyMatch(region -> region.getRegion().containsRow(row));
        }
      }
    }
  }

  private static boolean canMatch(ResidualCheck check, HRegionLocation region) {
    return check.isEmpty()
        || check.canMatch(region.getRegion().getStartKey(), region.getRegion().getEndKey());
  }

  private static String condition(Random random, int depth, List<IntPredicate> holds) {
    int kind = depth == 0 ? random.nextInt(5) : random.nextInt(8);
    int a = random.nextInt(200);
    List<IntPredicate> one = new ArrayList<>();
    List<IntPredicate> other = new ArrayList<>();
    switch (kind) {
      case 0:
        holds.add(k -> k + 1 == a);
        return "K + 1 = " + a;
      case 1:
        holds.add(k -> 2 * k > a);
        return "2 * K > " + a;
      case 2:
        holds.add(k -> k - 3 <= a);
        return "K - 3 <= " + a;
      case 3:
        holds.add(k -> k == a);
        return "CASE WHEN K = " + a + " THEN 1 ELSE 0 END = 1";
      case 4:
        holds.add(k -> k + 5 != a);
        return "K + 5 <> " + a;
      case 5:
        String negated = condition(random, depth - 1, one);
        holds.add(one.get(0).negate());
        return "NOT (" + negated + ")";
      default:
        String left = condition(random, depth - 1, one);
        String right = condition(random, depth - 1, other);
        holds.add(kind == 6 ? one.get(0).and(other.get(0)) : one.get(0).or(other.get(0)));
        return "(" + left + (kind == 6 ? " AND " : " OR ") + right + ")";
    }
  }
}
