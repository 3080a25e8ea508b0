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
package io.phoenixpruning.it;

import io.phoenixpruning.it.differential.PatchSwitch;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.Before;

/** A test of one table and its index, which it creates itself. */
abstract class IndexedTableTest extends TableTest {

  String index;

  @Before
  public void nameIndex() {
    index = "I_" + table;
  }

  @After
  public void close() throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
  }

  static void leaveOut(Patch... left) throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && !List.of(left).contains(patch));
  }

  /** Returns the rows of the table, with a hint and without null values of the indexed column. */
  List<List<Object>> rows(String hint, String columns, String from) throws SQLException {
    return rows(
        connection, "SELECT /*+ " + hint + " */ " + columns + " FROM " + from + " WHERE V >= 0");
  }

  List<List<Object>> indexed(String columns) throws SQLException {
    return rows("INDEX(" + table + " " + index + ")", columns, table);
  }

  List<List<Object>> stored(String columns) throws SQLException {
    return rows("NO_INDEX", columns, table);
  }

  static List<Object> row(Object... values) {
    return Arrays.stream(values)
        .map(value -> value instanceof Integer number ? number(number) : value)
        .toList();
  }

  static BigDecimal number(int value) {
    return new BigDecimal(value).stripTrailingZeros();
  }

  void createTable(String options) throws SQLException {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) " + options,
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V) INCLUDE (W)");
  }

  void rebuild(String of) throws SQLException {
    execute(connection, "ALTER INDEX " + index + " ON " + of + " REBUILD");
  }
}
