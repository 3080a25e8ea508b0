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

import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelCollationTraitDef;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.tools.Programs;

/**
 * Answers queries with Calcite, over the rows in memory. Calcite's JDBC driver is not used, because
 * it needs another version of protobuf than HBase.
 */
final class Oracle {

  private static final int PRECISION = 200;
  private static final int SCALE = 20;
  private static final HepProgram SUBQUERIES_TO_JOINS =
      HepProgram.builder()
          .addRuleInstance(CoreRules.FILTER_SUB_QUERY_TO_CORRELATE)
          .addRuleInstance(CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES)
          .build();

  private final CalciteSchema schema = CalciteSchema.createRootSchema(false);
  private final JavaTypeFactory types = new Utf8Types();

  Oracle(RandomTable table) {
    List<Relation> relations = table.relations();
    relations.add(table.partnerRelation());
    for (Relation relation : relations) {
      schema.add(calciteName(relation.name()), new Rows(relation.columns(), relation.rows()));
    }
  }

  private static String calciteName(String text) {
    return text.replace("$", "");
  }

  JavaTypeFactory types() {
    return types;
  }

  /**
   * Returns the rows of a query.
   *
   * @param sql query in Calcite's dialect, with the names of a {@link RandomTable}
   */
  List<List<Object>> rows(String sql) throws SqlParseException {
    RelNode plan = executable(logicalPlan(sql));
    boolean oneColumn = plan.getRowType().getFieldCount() == 1;
    List<List<Object>> rows = new ArrayList<>();
    for (Object row : PlanCompiler.compile((EnumerableRel) plan).bind(new Context())) {
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

  /** Returns the WHERE of a query without subqueries, over the columns of its relation. */
  RexNode condition(String relation, String where) throws SqlParseException {
    RelNode plan = logicalPlan("SELECT * FROM " + relation + " WHERE " + where);
    if (plan.getInput(0) instanceof Filter filter) {
      return filter.getCondition();
    }
    throw new IllegalStateException(RelOptUtil.toString(plan));
  }

  /**
   * Parses a query and converts it to a logical plan. Long IN lists are not converted to joins, in
   * which 5 and 5.0 would differ.
   */
  private RelNode logicalPlan(String sql) throws SqlParseException {
    VolcanoPlanner planner = new VolcanoPlanner();
    planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
    planner.addRelTraitDef(RelCollationTraitDef.INSTANCE);
    EnumerableRules.rules().forEach(planner::addRule);
    CalciteCatalogReader catalog =
        new CalciteCatalogReader(
            schema, List.of(), types, new CalciteConnectionConfigImpl(new Properties()));
    SqlValidator validator =
        SqlValidatorUtil.newValidator(
            SqlStdOperatorTable.instance(),
            catalog,
            types,
            SqlValidator.Config.DEFAULT.withIdentifierExpansion(true));
    SqlToRelConverter converter =
        new SqlToRelConverter(
            (type, query, path, view) -> {
              throw new IllegalStateException("no views: " + query);
            },
            validator,
            catalog,
            RelOptCluster.create(planner, new RexBuilder(types)),
            StandardConvertletTable.INSTANCE,
            SqlToRelConverter.config().withInSubQueryThreshold(Integer.MAX_VALUE));
    RelNode plan =
        converter
            .convertQuery(
                validator.validate(SqlParser.create(calciteName(sql)).parseQuery()), false, true)
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

  /**
   * Converts the ORs of a long IN list to a search argument. Otherwise, Calcite compares each value
   * of the list with all others, and takes minutes for 2,000 values.
   */
  private static final class LongLists extends RexShuttle {
    private static final int LONG = 5;

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
      if (lists.values().stream().allMatch(values -> values.size() < LONG)) {
        return super.visitCall(call);
      }
      List<RexNode> terms = new ArrayList<>();
      lists.forEach((value, values) -> terms.add(builder.makeIn(value, values)));
      others.forEach(other -> terms.add(other.accept(this)));
      return RexUtil.composeDisjunction(builder, terms);
    }
  }

  private final class Context implements DataContext {
    @Override
    public SchemaPlus getRootSchema() {
      return schema.plus();
    }

    @Override
    public JavaTypeFactory getTypeFactory() {
      return types;
    }

    @Override
    public QueryProvider getQueryProvider() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object get(String name) {
      return null;
    }
  }

  private static final class Utf8Types extends JavaTypeFactoryImpl {
    Utf8Types() {
      super(new WideDecimals());
    }

    @Override
    public Charset getDefaultCharset() {
      return StandardCharsets.UTF_8;
    }
  }

  /** Type system with decimals that can hold every number of Phoenix. */
  private static final class WideDecimals extends RelDataTypeSystemImpl {
    @Override
    public int getMaxPrecision(SqlTypeName type) {
      return type == SqlTypeName.DECIMAL ? PRECISION : super.getMaxPrecision(type);
    }

    @Override
    public int getMaxNumericPrecision() {
      return PRECISION;
    }

    @Override
    public int getMaxNumericScale() {
      return PRECISION;
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
      return type == SqlTypeName.DECIMAL ? PRECISION : super.getMaxScale(type);
    }
  }

  private static final class Rows extends AbstractTable implements ScannableTable {
    private final List<Column> columns;
    private final List<List<Object>> rows;

    Rows(List<Column> columns, List<List<Object>> rows) {
      this.columns = columns;
      this.rows = rows;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
      RelDataTypeFactory.Builder row = types.builder();
      for (Column column : columns) {
        SqlTypeName name = column.type().calciteType();
        RelDataType type =
            name == SqlTypeName.DECIMAL
                ? types.createSqlType(name, PRECISION / 2, SCALE)
                : types.createSqlType(name);
        row.add(column.name(), types.createTypeWithNullability(type, column.nullable()));
      }
      return row.build();
    }

    @Override
    public Enumerable<Object[]> scan(DataContext root) {
      return Linq4j.asEnumerable(rows.stream().map(List::toArray).toList());
    }
  }
}
