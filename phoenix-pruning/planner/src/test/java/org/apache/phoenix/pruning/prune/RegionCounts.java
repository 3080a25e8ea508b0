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
package org.apache.phoenix.pruning.prune;

import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.schema.types.PVarchar;

/** Tables for tests of planned regions, and the number of planned regions of a query. */
public final class RegionCounts {

  /** Number of regions of the table N. */
  public static final int REGIONS = 100;

  private RegionCounts() {}

  /** Returns the bytes of boundaries that are texts. */
  public static byte[][] strings(String... boundaries) {
    byte[][] bytes = new byte[boundaries.length][];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = PVarchar.INSTANCE.toBytes(boundaries[i]);
    }
    return bytes;
  }

  /** Creates the table N with the key columns K1 and K2. A region begins at each value of K1. */
  public static void createNumbers(Connectionless driver) throws SQLException {
    driver.execute("DROP TABLE IF EXISTS N");
    driver.execute(
        """
        CREATE TABLE N (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (%s)"""
            .formatted(
                IntStream.range(1, REGIONS)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(","))));
    driver.execute("CREATE LOCAL INDEX NI ON N (V)");
  }

  /**
   * Returns the number of regions that a query with the condition {@code where} plans, along the
   * index whose name is that of the table with an I.
   */
  static int planned(Connectionless driver, String table, String where, Object... binds)
      throws SQLException {
    return driver
        .explain(
            "SELECT /*+ INDEX(" + table + " " + table + "I) */ V FROM " + table + " WHERE " + where,
            binds)
        .getRegionsPlanned();
  }
}
