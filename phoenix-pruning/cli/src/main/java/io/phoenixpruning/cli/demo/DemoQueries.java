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
package io.phoenixpruning.cli.demo;

import io.phoenixpruning.cli.tpch.TpchData;
import io.phoenixpruning.cli.tpch.TpchSource;
import io.phoenixpruning.testing.EmbeddedCluster;
import io.trino.tpch.LineItem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Queries on {@code LINEITEM} with conditions on the indexed columns and on the primary key, as
 * applications write them. The conditions fit the generated rows.
 */
final class DemoQueries {

  /** Selected columns. The index lacks one of them, so it has to be read from the data row. */
  private static final String ROWS = "L_ORDERKEY, L_LINENUMBER, L_QUANTITY";

  /** Selected columns that are all in the index. */
  private static final String INDEXED = "L_ORDERKEY, L_LINENUMBER, L_PARTKEY";

  /** Table of the orders that the subquery and the join select. */
  private static final String WATCHED = "WATCHED_ORDERS";

  private final TpchData data;
  private final int regions;

  DemoQueries(TpchData data, int regions) {
    this.data = data;
    this.regions = regions;
  }

  /** Creates the small table that some queries need in addition to {@code LINEITEM}. */
  void prepare(EmbeddedCluster cluster) throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + WATCHED + " (ORDERKEY INTEGER PRIMARY KEY)");
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO " + WATCHED + " VALUES (?)")) {
        for (int order : List.of(orderAt(0.25), orderAt(0.6))) {
          upsert.setInt(1, order);
          upsert.executeUpdate();
        }
      }
      connection.commit();
    }
  }

  List<DemoQuery> all() {
    LineItem item = itemAt(0.4);
    LineItem other = itemAt(0.8);
    return List.of(
        byPart(
            "equality",
            ROWS,
            "FROM LINEITEM WHERE L_PARTKEY = "
                + item.getPartKey()
                + " AND L_ORDERKEY = "
                + item.getOrderKey()),
        byPart(
            "range",
            INDEXED,
            "FROM LINEITEM WHERE " + someParts() + " AND L_ORDERKEY BETWEEN " + threeRegions(0.5)),
        byPart(
            "IN",
            INDEXED,
            "FROM LINEITEM WHERE "
                + someParts()
                + " AND L_ORDERKEY IN ("
                + Stream.of(0.1, 0.3, 0.7, 0.9)
                    .map(position -> Integer.toString(orderAt(position)))
                    .collect(Collectors.joining(", "))
                + ")"),
        byPart(
            "OR of pairs",
            INDEXED,
            "FROM LINEITEM WHERE (L_PARTKEY = "
                + item.getPartKey()
                + " AND L_ORDERKEY = "
                + item.getOrderKey()
                + ") OR (L_PARTKEY = "
                + other.getPartKey()
                + " AND L_ORDERKEY = "
                + other.getOrderKey()
                + ")"),
        byPart(
            "NOT",
            INDEXED,
            "FROM LINEITEM WHERE "
                + someParts()
                + " AND NOT (L_ORDERKEY < "
                + orderAt(0.2)
                + " OR L_ORDERKEY > "
                + orderAt(0.2 + 1.0 / regions)
                + ")"),
        new DemoQuery(
            "aggregate, ORDER BY, LIMIT",
            "L_SHIPDATE, COUNT(*), MAX(L_ORDERKEY)",
            "FROM LINEITEM WHERE L_SHIPDATE >= TO_DATE('"
                + LocalDate.of(1994, 1, 1)
                + "') AND L_ORDERKEY BETWEEN "
                + threeRegions(0.5)
                + " GROUP BY L_SHIPDATE ORDER BY COUNT(*) DESC, L_SHIPDATE LIMIT 5",
            LineItemTable.BY_SHIP_DATE,
            true),
        byPart(
            "scalar subquery",
            INDEXED,
            "FROM LINEITEM WHERE "
                + someParts()
                + " AND L_ORDERKEY = (SELECT MIN(ORDERKEY) FROM "
                + WATCHED
                + ")"),
        byPart(
            "join",
            INDEXED,
            "FROM LINEITEM JOIN " + WATCHED + " ON L_ORDERKEY = ORDERKEY WHERE " + someParts()),
        new DemoQuery(
            "rearranged index",
            "L_ORDERKEY, L_LINENUMBER, L_SUPPKEY",
            "FROM LINEITEM WHERE L_ORDERKEY IN ("
                + item.getOrderKey()
                + ", "
                + other.getOrderKey()
                + ") AND L_SUPPKEY >= 1",
            LineItemTable.BY_ORDER_AND_SUPPLIER,
            false),
        byPart(
            "no condition on the key",
            ROWS,
            "FROM LINEITEM WHERE L_PARTKEY = " + item.getPartKey()));
  }

  private static DemoQuery byPart(String title, String columns, String fromClause) {
    return new DemoQuery(title, columns, fromClause, LineItemTable.BY_PART, false);
  }

  /** Returns a condition that half of the parts meet. TPC-H has 200,000 parts at scale 1. */
  private String someParts() {
    return "L_PARTKEY <= " + Math.max(1, data.orders() / 15);
  }

  /**
   * Returns the bounds of a BETWEEN over three consecutive regions: part of the first, all of the
   * second and part of the third.
   */
  private String threeRegions(double position) {
    return orderAt(position - 1.0 / regions) + " AND " + orderAt(position + 1.0 / regions);
  }

  private int orderAt(double position) {
    int order = (int) (data.orders() * position) + 1;
    return TpchData.orderKey(Math.min(data.orders(), Math.max(1, order)));
  }

  private LineItem itemAt(double position) {
    int parts = data.orders();
    return data.part(TpchSource.LINEITEM, Math.max(1, (int) (parts * position)), parts)
        .iterator()
        .next();
  }
}
