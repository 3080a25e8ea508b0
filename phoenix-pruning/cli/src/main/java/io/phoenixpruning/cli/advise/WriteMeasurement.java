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

import io.phoenixpruning.cli.console.Progress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Measures how much longer UPSERTs take with an index.
 *
 * <p>The first rows of a table are written to two sample tables, one with the index and one
 * without. Each batch is written to both tables, and the tables take turns at being first. So other
 * load on the cluster affects both tables alike.
 */
public final class WriteMeasurement {

  private static final int WARM_UPS = 2;

  /** Number of measured rounds; odd, so that one round is the median. */
  private static final int ROUNDS = 7;

  /** Number of rows in a commit. */
  private static final int BATCH = 100;

  private final PhoenixConnection connection;
  private final SampleTables samples;
  private final int rows;
  private final Progress progress;

  /**
   * @param connection reads the rows and writes to the sample tables; must have no uncommitted
   *     changes
   * @param rows maximum number of rows of a table to write in a round
   */
  public WriteMeasurement(
      PhoenixConnection connection, SampleTables samples, int rows, Progress progress) {
    this.connection = connection;
    this.samples = samples;
    this.rows = rows;
    this.progress = progress;
  }

  /**
   * Returns the same advice with measured write costs for all indexes to create or keep. If the
   * measurement fails, sample tables may remain; closing {@code samples} drops them.
   */
  public Advice measure(Advice advice) throws Exception {
    List<TableAdvice> tables = new ArrayList<>();
    List<String> notes = new ArrayList<>(advice.assumptions());
    connection.setAutoCommit(false);
    for (TableAdvice table : advice.tables()) {
      if (table.indexes().stream().noneMatch(WriteMeasurement::willExist)) {
        tables.add(table);
      } else if (isEmpty(table.table())) {
        tables.add(table);
        notes.add(
            table.table() + " has no rows, so the write cost of its indexes was not measured");
      } else {
        tables.add(measure(table));
      }
    }
    return new Advice(tables, advice.queries(), notes, advice.refused());
  }

  private static boolean willExist(IndexAdvice index) {
    return switch (index.action()) {
      case CREATE, KEEP -> true;
      case DROP -> false;
    };
  }

  private boolean isEmpty(String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT /*+ NO_INDEX */ 1 FROM " + table + " LIMIT 1")) {
      return !result.next();
    }
  }

  private TableAdvice measure(TableAdvice advice) throws Exception {
    PTable table = connection.getTable(SchemaUtil.normalizeFullTableName(advice.table()));
    List<IndexAdvice> indexes = new ArrayList<>();
    String withoutIndex = samples.create(table);
    for (IndexAdvice index : advice.indexes()) {
      indexes.add(willExist(index) ? index.with(measure(table, index, withoutIndex)) : index);
    }
    samples.drop(withoutIndex);
    return new TableAdvice(
        advice.table(), advice.regions(), advice.rows(), indexes, advice.settings());
  }

  private WriteCost measure(PTable table, IndexAdvice advice, String withoutIndex)
      throws Exception {
    String withIndex = samples.create(table);
    samples.createIndex(withIndex, advice.index());
    UpsertRatio ratio =
        progress.run(
            "Measuring writes with " + advice.index().name(),
            WARM_UPS + ROUNDS,
            done -> measure(table, withIndex, withoutIndex, done));
    samples.drop(withIndex);
    return advice.write().measured(ratio);
  }

  private UpsertRatio measure(
      PTable table, String withIndex, String withoutIndex, LongConsumer done) throws SQLException {
    List<Double> ratios = new ArrayList<>();
    long rowsWritten = 0;
    for (int round = 1; round <= WARM_UPS + ROUNDS; round++) {
      Round measured = new Round(table, withIndex, withoutIndex);
      measured.run(round);
      if (round > WARM_UPS) {
        ratios.add(measured.ratio());
        rowsWritten = measured.rowsWritten;
      }
      // Each round must insert new rows, not overwrite existing rows.
      samples.clear(withIndex);
      samples.clear(withoutIndex);
      done.accept(round);
    }
    return UpsertRatio.of(ratios, rowsWritten);
  }

  /** Writes all rows to both tables once. */
  private final class Round {

    private final List<String> columns;
    private final String table;
    private final String withIndex;
    private final String withoutIndex;
    private long nanosWith;
    private long nanosWithout;
    private long rowsWritten;

    Round(PTable table, String withIndex, String withoutIndex) {
      this.columns = SampleDefinition.columns(table);
      this.table = SqlNames.full(table.getName().getString());
      this.withIndex = withIndex;
      this.withoutIndex = withoutIndex;
    }

    double ratio() {
      return (double) nanosWith / nanosWithout;
    }

    void run(int number) throws SQLException {
      String all = String.join(", ", columns);
      try (Statement statement = connection.createStatement();
          ResultSet result =
              statement.executeQuery(
                  "SELECT /*+ NO_INDEX */ " + all + " FROM " + table + " LIMIT " + rows)) {
        boolean withFirst = number % 2 == 0;
        List<Object[]> batch = nextBatch(result);
        while (!batch.isEmpty()) {
          if (withFirst) {
            nanosWith += write(withIndex, batch);
          }
          nanosWithout += write(withoutIndex, batch);
          if (!withFirst) {
            nanosWith += write(withIndex, batch);
          }
          rowsWritten += batch.size();
          withFirst = !withFirst;
          batch = nextBatch(result);
        }
      }
    }

    private List<Object[]> nextBatch(ResultSet result) throws SQLException {
      List<Object[]> batch = new ArrayList<>();
      while (batch.size() < BATCH && result.next()) {
        Object[] row = new Object[columns.size()];
        for (int i = 0; i < row.length; i++) {
          row[i] = result.getObject(i + 1);
        }
        batch.add(row);
      }
      return batch;
    }

    /** Writes a batch and returns the duration in nanoseconds. */
    private long write(String name, List<Object[]> batch) throws SQLException {
      String values = String.join(", ", Collections.nCopies(columns.size(), "?"));
      String sql =
          "UPSERT INTO " + name + " (" + String.join(", ", columns) + ") VALUES (" + values + ")";
      long start = System.nanoTime();
      try (PreparedStatement upsert = connection.prepareStatement(sql)) {
        for (Object[] row : batch) {
          for (int i = 0; i < row.length; i++) {
            upsert.setObject(i + 1, row[i]);
          }
          upsert.execute();
        }
        connection.commit();
      }
      return System.nanoTime() - start;
    }
  }
}
