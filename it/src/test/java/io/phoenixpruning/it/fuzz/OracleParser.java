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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelCollationTraitDef;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Parses queries with Calcite, and converts them to logical plans. */
final class OracleParser {

  private final OracleTables tables;
  private final CalciteCatalogReader catalog;

  OracleParser(OracleTables tables) {
    this.tables = tables;
    this.catalog =
        new CalciteCatalogReader(
            tables.schema(),
            List.of(),
            tables.types(),
            new CalciteConnectionConfigImpl(new Properties()));
  }

  /**
   * Parses a query and converts it to a logical plan, which can be made executable. Long IN lists
   * are not converted to joins, in which 5 and 5.0 would differ.
   */
  RelNode query(String sql) throws SqlParseException {
    SqlValidator validator =
        SqlValidatorUtil.newValidator(
            SqlStdOperatorTable.instance(),
            catalog,
            tables.types(),
            SqlValidator.Config.DEFAULT.withIdentifierExpansion(true));
    SqlToRelConverter converter =
        new SqlToRelConverter(
            (type, query, path, view) -> {
              throw new IllegalStateException("no views: " + query);
            },
            validator,
            catalog,
            RelOptCluster.create(planner(), new RexBuilder(tables.types())),
            StandardConvertletTable.INSTANCE,
            SqlToRelConverter.config().withInSubQueryThreshold(Integer.MAX_VALUE));
    RelNode plan =
        converter
            .convertQuery(
                validator.validate(SqlParser.create(OracleTables.calciteName(sql)).parseQuery()),
                false,
                true)
            .project();
    RexShuttle lists = new LongLists(plan.getCluster().getRexBuilder());
    return plan.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            return super.visit(node).accept(lists);
          }
        });
  }

  private static RelOptPlanner planner() {
    VolcanoPlanner planner = new VolcanoPlanner();
    planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
    planner.addRelTraitDef(RelCollationTraitDef.INSTANCE);
    EnumerableRules.rules().forEach(planner::addRule);
    return planner;
  }

  /**
   * Converts the ORs of a long IN list to a search argument. Otherwise, Calcite compares each value
   * of the list with all others, and takes minutes for 2,000 values.
   */
  private static final class LongLists extends RexShuttle {
    private final RexBuilder builder;

    LongLists(RexBuilder builder) {
      this.builder = builder;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (call.getKind() != SqlKind.OR) {
        return super.visitCall(call);
      }
      Map<RexNode, List<RexNode>> lists = new LinkedHashMap<>();
      List<RexNode> others = new ArrayList<>();
      for (RexNode term : RelOptUtil.disjunctions(call)) {
        if (term.getKind() == SqlKind.EQUALS
            && ((RexCall) term).getOperands().get(1) instanceof RexLiteral literal
            && !literal.isNull()) {
          lists
              .computeIfAbsent(((RexCall) term).getOperands().get(0), unused -> new ArrayList<>())
              .add(literal);
        } else {
          others.add(term);
        }
      }
      if (lists.values().stream().allMatch(values -> values.size() < ConditionParser.LONG)) {
        return super.visitCall(call);
      }
      List<RexNode> terms = new ArrayList<>();
      lists.forEach((value, values) -> terms.add(builder.makeIn(value, values)));
      others.forEach(other -> terms.add(other.accept(this)));
      return RexUtil.composeDisjunction(builder, terms);
    }
  }
}
