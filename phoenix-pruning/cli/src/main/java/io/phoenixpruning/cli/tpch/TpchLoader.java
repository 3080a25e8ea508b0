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
package io.phoenixpruning.cli.tpch;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Writes TPC-H's rows into a Phoenix table with TPC-H's columns and column names. The columns have
 * types that hold TPC-H's values: INTEGER, DECIMAL(12,2), DATE, CHAR or VARCHAR. Dates begin at
 * midnight GMT, as in {@code TO_DATE}.
 *
 * @param <E> type of a row
 */
public final class TpchLoader<E extends TpchEntity> {

  private static final int ROWS_PER_COMMIT = 1_000;

  private final TpchSource<E> source;
  private final String upsert;

  /**
   * @param table full name of the table, as in SQL
   */
  public TpchLoader(TpchSource<E> source, String table) {
    this.source = source;
    List<TpchColumn<E>> columns = source.columns();
    this.upsert =
        columns.stream()
            .map(TpchColumn::getColumnName)
            .collect(
                Collectors.joining(
                    ", ",
                    "UPSERT INTO " + table + " (",
                    ") VALUES (?" + ", ?".repeat(columns.size() - 1) + ")"));
  }

  /**
   * Loads one of {@code parts} parts of the rows.
   *
   * @param connection connection without auto-commit
   * @param part number of the part, from 1 to {@code parts}
   * @param committed receives the number of rows of each commit
   */
  public void load(
      Connection connection, TpchData data, int part, int parts, LongConsumer committed)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(upsert)) {
      int rows = 0;
      for (E row : data.part(source, part, parts)) {
        bind(statement, row);
        statement.executeUpdate();
        if (++rows == ROWS_PER_COMMIT) {
          connection.commit();
          committed.accept(rows);
          rows = 0;
        }
      }
      connection.commit();
      committed.accept(rows);
    }
  }

  private void bind(PreparedStatement statement, E row) throws SQLException {
    int index = 1;
    for (TpchColumn<E> column : source.columns()) {
      switch (column.getType().getBase()) {
        case IDENTIFIER -> statement.setInt(index, Math.toIntExact(column.getIdentifier(row)));
        case INTEGER -> statement.setInt(index, column.getInteger(row));
        case DATE ->
            statement.setDate(index, new Date(TimeUnit.DAYS.toMillis(column.getDate(row))));
        case DOUBLE -> statement.setBigDecimal(index, decimal(column.getDouble(row)));
        case VARCHAR -> statement.setString(index, column.getString(row));
      }
      index++;
    }
  }

  /**
   * Converts a number with two decimals exactly. TPC-H's generator returns the nearest double of
   * each number.
   */
  private static BigDecimal decimal(double hundredths) {
    return BigDecimal.valueOf(hundredths).setScale(2, RoundingMode.UNNECESSARY);
  }
}
