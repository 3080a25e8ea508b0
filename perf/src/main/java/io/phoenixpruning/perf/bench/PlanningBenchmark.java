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
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Measures the time from a compiled statement to the scans of a local index, through the driver and
 * without a cluster. Region locations are a list in memory, so lookups cost nothing. On a cluster,
 * stock also looks up the location of every region.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 15, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PlanningBenchmark {

  private static final String EXACT = "exact";

  @Param({"100", "1000", "10000", "100000"})
  public int regions;

  @Param public LeadingColumnCondition condition;

  @Param({EXACT, "stock"})
  public String mode;

  private PlannedTable table;
  private PreparedStatement query;
  private QueryPlan plan;

  @Setup
  public void createTable() throws SQLException {
    String name = "T_%d_%s_%s".formatted(regions, condition, mode);
    table = new PlannedTable(name, regions, mode, "LOCAL INDEX i_%s ON %s (v2)");
    query = table.query("/*+ INDEX(%s i_%s) */", condition);
    compile();
    scans();
    if (mode.equals(EXACT)) {
      Planned.check(plan.getScans().size(), condition.regions(regions));
    }
  }

  /** Compiles the query again, because a plan can be turned into scans only once. */
  @Setup(Level.Invocation)
  public void compile() throws SQLException {
    plan = query.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
  }

  @Benchmark
  public ResultIterator scans() throws SQLException {
    return plan.iterator();
  }

  @TearDown
  public void close() throws SQLException {
    table.close();
  }
}
