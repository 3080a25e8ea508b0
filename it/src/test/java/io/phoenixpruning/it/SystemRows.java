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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.util.SchemaUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Removes rows from Phoenix's system tables temporarily. */
final class SystemRows {

  private SystemRows() {}

  /** Runs {@code action} while {@code systemTable} lacks the rows of {@code table}. */
  static void runWithout(String systemTable, String table, ThrowingCallable action)
      throws Exception {
    try (Table rows =
        ClusterTest.getUtility().getConnection().getTable(TableName.valueOf(systemTable))) {
      List<Result> removed = new ArrayList<>();
      byte[] prefix = SchemaUtil.getTableKey(new byte[0], new byte[0], Bytes.toBytes(table));
      try (ResultScanner scanner = rows.getScanner(new Scan().setRowPrefixFilter(prefix))) {
        scanner.forEach(removed::add);
      }
      assertThat(removed).isNotEmpty();
      for (Result result : removed) {
        rows.delete(new Delete(result.getRow()));
      }
      try {
        action.call();
      } catch (Throwable e) {
        throw new AssertionError(e);
      } finally {
        restore(rows, removed);
      }
    }
  }

  private static void restore(Table rows, List<Result> removed) throws IOException {
    long now = System.currentTimeMillis() + 1;
    for (Result result : removed) {
      Put put = new Put(result.getRow());
      for (Cell cell : result.rawCells()) {
        put.addColumn(
            CellUtil.cloneFamily(cell),
            CellUtil.cloneQualifier(cell),
            now,
            CellUtil.cloneValue(cell));
      }
      rows.put(put);
    }
  }
}
