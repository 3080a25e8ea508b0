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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.Programs;

/**
 * Answers queries with Calcite, over the rows in memory. Calcite's JDBC driver is not used, because
 * it needs another version of protobuf than HBase.
 */
final class Oracle {

  private static final HepProgram SUBQUERIES_TO_JOINS =
      HepProgram.builder()
          .addRuleInstance(CoreRules.FILTER_SUB_QUERY_TO_CORRELATE)
          .addRuleInstance(CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES)
          .build();

  private final OracleTables tables;
  private final OracleParser parser;
  private final ConditionParser conditions;
  private final PhaseTimes times;

  Oracle(RandomTable table, PhaseTimes times) {
    this.times = times;
    this.tables = new OracleTables(table);
    this.parser = new OracleParser(tables);
    this.conditions =
        new ConditionParser(tables.types(), tables.row(table.columns()), tables.number());
  }

  RelDataTypeFactory types() {
    return tables.types();
  }

  /**
   * Returns the rows of a query.
   *
   * @param sql query in Calcite's dialect, with the names of a {@link RandomTable}
   */
  List<List<Object>> rows(String sql) throws Exception {
    RelNode logical = times.timed("Calcite: parse", () -> parser.query(sql));
    RelNode plan = times.timed("Calcite: plan", () -> executable(logical));
    Bindable<?> compiled =
        times.timed("Calcite: compile", () -> PlanCompiler.compile((EnumerableRel) plan));
    boolean oneColumn = plan.getRowType().getFieldCount() == 1;
    return times.timed("Calcite: run", () -> rows(compiled, oneColumn));
  }

  private List<List<Object>> rows(Bindable<?> compiled, boolean oneColumn) {
    List<List<Object>> rows = new ArrayList<>();
    for (Object row : compiled.bind(tables)) {
      Object[] values = oneColumn ? new Object[] {row} : (Object[]) row;
      rows.add(Arrays.stream(values).map(ValueType::fromJdbc).toList());
    }
    return rows;
  }

  /**
   * Converts a logical plan to an executable one. Subqueries become joins. Nothing else is
   * optimized.
   */
  private static RelNode executable(RelNode logical) {
    HepPlanner subqueries = new HepPlanner(SUBQUERIES_TO_JOINS);
    subqueries.setRoot(logical);
    RelNode correlated = subqueries.findBestExp();
    RelNode joins =
        RelDecorrelator.decorrelateQuery(
            correlated, RelFactories.LOGICAL_BUILDER.create(correlated.getCluster(), null));
    RelOptPlanner planner = logical.getCluster().getPlanner();
    RelTraitSet traits = joins.getTraitSet().replace(EnumerableConvention.INSTANCE).simplify();
    planner.setRoot(planner.changeTraits(joins, traits));
    return Programs.calc(DefaultRelMetadataProvider.INSTANCE)
        .run(planner, planner.findBestExp(), traits, List.of(), List.of());
  }

  /** Returns a condition without subqueries on the columns of the table. */
  RexNode condition(String where) throws Exception {
    return times.timed("Calcite: condition", () -> conditions.parse(where));
  }
}
