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
package org.apache.phoenix.pruning.patch.nulls;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests conditions that make no key range because of nulls, with each patch on and off. */
@RunWith(JUnitParamsRunner.class)
public class NullConditionsTest {

  private static Scan scan(Patch off, String order, String condition) throws Exception {
    String patches = off == null ? "all" : "all,-" + off.id();
    try (Connectionless driver = new Connectionless(PruningOptions.PATCHES, patches)) {
      driver.execute("DROP TABLE IF EXISTS T");
      driver.execute(
          """
          CREATE TABLE T (K VARCHAR NOT NULL, L VARCHAR, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K, L %s))"""
              .formatted(order));
      try (PreparedStatement statement =
          driver.connection().prepareStatement("SELECT K FROM T WHERE " + condition)) {
        return statement
            .unwrap(PhoenixPreparedStatement.class)
            .optimizeQuery()
            .getContext()
            .getScan();
      }
    }
  }

  /** The key of a row without L has only the bytes of K. */
  @Test
  public void findsNullsOfADescendingColumn() throws Exception {
    String condition = "K = 'a' AND L IS NULL";
    assertThat(reads(scan(null, "DESC", condition), "a")).isTrue();
    assertThat(reads(scan(Patch.DESCENDING_NULL, "DESC", condition), "a")).isFalse();
    assertThat(reads(scan(Patch.DESCENDING_NULL, "ASC", condition), "a")).isTrue();
  }

  @Test
  @Parameters({"ASC", "DESC"})
  public void testsAnOrOfAllValues(String order) throws Exception {
    String condition = "K = 'a' AND (L < 'b' OR L > 'a')";
    assertThat(scan(null, order, condition).getFilter().toString()).contains("L < 'b'");
    assertThat(String.valueOf(scan(Patch.NULL_OR_VALUE, order, condition).getFilter()))
        .doesNotContain("L < 'b'");
  }

  private static boolean reads(Scan scan, String key) {
    byte[] row = Bytes.toBytes(key);
    return Bytes.compareTo(row, scan.getStartRow()) >= 0
        && (scan.getStopRow().length == 0 || Bytes.compareTo(row, scan.getStopRow()) < 0);
  }
}
