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
package org.apache.phoenix.pruning.plan;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.filter.BooleanExpressionFilter;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * The keys of a hash join's probe side for its build side, which is read first: where the probe
 * side has few rows, and the build side along a local index many regions, reading the first one
 * twice costs less than scanning all of these.
 *
 * <p>Between the two reads a row of the probe side can come or go, as between any two rows of a
 * scan, but it must not be found with one key and then with another: only columns are used that a
 * row keeps as long as it is there.
 */
public final class ProbeSideKeys {

  /** For one region of the probe side that is read twice, the build side has to have so many. */
  private static final int WORTH = 8;

  /** How many regions of the build side are looked up to find that out. */
  private static final int LOOKUPS = 512;

  /** How many rows are read in the time of a scan. */
  private static final int ROWS_FOR_SCAN = 300;

  /** Joins that the build side itself probes are numbered from 0 on. */
  private static final int JOIN = -1;

  private final QueryPlan probe;
  private final List<Expression> probeColumns = new ArrayList<>();
  private final QueryPlan build;
  private final List<Expression> buildColumns = new ArrayList<>();

  /**
   * Keys that have not been read.
   *
   * @param probe reads the rows of the probe side
   * @param probeColumns of these rows, in the order of {@code buildColumns} and each of the same
   *     type
   * @param build scans a local index
   */
  public ProbeSideKeys(
      QueryPlan probe,
      List<Expression> probeColumns,
      QueryPlan build,
      List<Expression> buildColumns) {
    this.probe = probe;
    this.build = build;
    for (int i = 0; i < probeColumns.size(); i++) {
      if (JoinConditions.of(probe.getContext())
          .isConstantOfRow(probe.getTableRef().getTable(), probeColumns.get(i))) {
        this.probeColumns.add(probeColumns.get(i));
        this.buildColumns.add(buildColumns.get(i));
      }
    }
  }

  /** Tells EXPLAIN that an execution may plan fewer regions. */
  public void announce() {
    conditions().announce(build.getTableRef().getTable(), buildColumns);
  }

  private JoinConditions conditions() {
    return JoinConditions.of(build.getContext());
  }

  /** Reads the keys, and tells them the build side, if no more rows have them than it can use. */
  public void read() throws SQLException {
    JoinKeys keys =
        conditions().expectKeys(build.getTableRef().getTable(), JOIN, buildColumns, probeColumns);
    if (keys == null) {
      return;
    }
    ResultIterator rows = probe.iterator();
    try {
      int count = 0;
      for (Tuple row = rows.next(); row != null; row = rows.next()) {
        if (++count > JoinKeys.MAX_KEYS) {
          return;
        }
        keys.add(row);
      }
      keys.complete();
    } finally {
      rows.close();
    }
  }

  /** Whether reading the keys costs less than it can save. */
  public boolean areWorthReading() throws SQLException {
    if (probeColumns.isEmpty()) {
      return false;
    }
    int ofBuild = CandidateRegions.of(build, null).first(LOOKUPS).regions().size();
    RegionSample ofProbe = CandidateRegions.of(probe, null).first(ofBuild / WORTH + 1);
    int regions = ofProbe.regions().size();
    return ofProbe.isAll()
        && regions * WORTH <= ofBuild
        && (!isFiltered(probe.getContext().getScan().getFilter())
            || rows(regions) <= (double) ofBuild * ROWS_FOR_SCAN);
  }

  /** Whether rows are read that are not returned: how many is not known. */
  private static boolean isFiltered(Filter filter) {
    return filter instanceof FilterList
        ? ((FilterList) filter).getFilters().stream().anyMatch(ProbeSideKeys::isFiltered)
        : filter instanceof BooleanExpressionFilter;
  }

  private double rows(int regions) throws SQLException {
    TableStatistics statistics =
        TableStatistics.of(probe.getContext().getConnection(), probe.getTableRef().getTable());
    return statistics.isKnown() ? statistics.rows() : regions * TableStatistics.ROWS_OF_REGION;
  }
}
