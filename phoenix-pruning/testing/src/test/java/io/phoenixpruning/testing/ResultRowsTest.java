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

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.RowSetMetaDataImpl;
import javax.sql.rowset.RowSetProvider;
import org.junit.Test;

public class ResultRowsTest {

  private static ResultRows rows(String... values) {
    return new ResultRows(List.of(values).stream().map(value -> List.<Object>of(value)).toList());
  }

  @Test
  public void theOrderOfRowsMattersOnlyIfCompared() {
    assertThat(rows("a", "b").hasSameRows(rows("b", "a"))).isTrue();
    assertThat(rows("a", "b")).isNotEqualTo(rows("b", "a"));
  }

  @Test
  public void duplicateRowsAreCounted() {
    assertThat(rows("a", "a", "b").hasSameRows(rows("a", "b", "b"))).isFalse();
    assertThat(rows("a", "b").hasSameRows(rows("a"))).isFalse();
    assertThat(ResultRows.NONE.hasSameRows(rows())).isTrue();
  }

  @Test
  public void numbersAndBytesAreComparedByValue() throws SQLException {
    assertThat(ResultRows.read(result(Types.INTEGER, 50)))
        .isEqualTo(ResultRows.read(result(Types.DECIMAL, new BigDecimal("50.00"))))
        .isNotEqualTo(ResultRows.read(result(Types.INTEGER, 5)));
    assertThat(ResultRows.read(result(Types.VARBINARY, new byte[] {1, -1})))
        .isEqualTo(ResultRows.read(result(Types.VARBINARY, new byte[] {1, -1})))
        .isNotEqualTo(ResultRows.read(result(Types.VARBINARY, new byte[] {1})));
  }

  /** Returns a result with one row of one column. */
  private static CachedRowSet result(int type, Object value) throws SQLException {
    RowSetMetaDataImpl metaData = new RowSetMetaDataImpl();
    metaData.setColumnCount(1);
    metaData.setColumnType(1, type);
    CachedRowSet result = RowSetProvider.newFactory().createCachedRowSet();
    result.setMetaData(metaData);
    result.moveToInsertRow();
    result.updateObject(1, value);
    result.insertRow();
    result.moveToCurrentRow();
    result.beforeFirst();
    return result;
  }
}
