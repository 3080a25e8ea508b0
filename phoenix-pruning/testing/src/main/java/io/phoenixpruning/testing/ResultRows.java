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
package io.phoenixpruning.testing;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows of a query result, in their order. */
public record ResultRows(List<List<Object>> rows) {

  /** A result without rows. */
  public static final ResultRows NONE = new ResultRows(List.of());

  public ResultRows {
    rows = List.copyOf(rows);
  }

  /** Reads {@code result} to its end. */
  public static ResultRows read(ResultSet result) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    while (result.next()) {
      rows.add(currentRow(result));
    }
    return new ResultRows(rows);
  }

  /** Returns the current row of {@code result}. */
  public static List<Object> currentRow(ResultSet result) throws SQLException {
    int columns = result.getMetaData().getColumnCount();
    List<Object> row = new ArrayList<>(columns);
    for (int i = 1; i <= columns; i++) {
      row.add(normalize(result.getObject(i)));
    }
    return Collections.unmodifiableList(row);
  }

  /**
   * Normalizes numbers and bytes so that they compare by value. Phoenix returns an INTEGER column
   * as a DECIMAL if it reads the column from an index.
   */
  private static Object normalize(Object value) {
    if (value instanceof Number number) {
      return new BigDecimal(number.toString()).stripTrailingZeros();
    }
    return value instanceof byte[] bytes ? Bytes.toStringBinary(bytes) : value;
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.size();
  }

  /** Returns true if both results contain the same rows equally often, in any order. */
  public boolean hasSameRows(ResultRows other) {
    return counts().equals(other.counts());
  }

  private Map<List<Object>, Long> counts() {
    return rows.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
