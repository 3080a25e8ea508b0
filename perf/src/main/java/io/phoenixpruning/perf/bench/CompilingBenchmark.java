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
package io.phoenixpruning.perf.bench;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how long it takes to choose one of four plans for an SQL query, through the driver and
 * without a cluster. Mode exact compares the costs of the plans; mode stock applies Phoenix's
 * rules.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 15, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CompilingBenchmark {

  @Param({"100", "1000", "10000", "100000"})
  public int regions;

  @Param public LeadingColumnCondition condition;

  @Param({"exact", "stock"})
  public String mode;

  private PlannedTable table;
  private PreparedStatement query;

  @Setup
  public void createTable() throws SQLException {
    table =
        new PlannedTable(
            "C_%d_%s_%s".formatted(regions, condition, mode),
            regions,
            mode,
            "LOCAL INDEX i_%s ON %s (v2)",
            "LOCAL INDEX j_%s ON %s (pk1, v2)",
            "INDEX g_%s ON %s (v2)");
    query = table.query("", condition);
  }

  @Benchmark
  public QueryPlan chosen() throws SQLException {
    return query.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
  }

  @TearDown
  public void close() throws SQLException {
    table.close();
  }
}
