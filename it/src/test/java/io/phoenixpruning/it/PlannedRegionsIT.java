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

import io.phoenixpruning.testing.ScanRpcCounts;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Checks that out of 100 regions, exactly the regions that a predicate needs are planned. The
 * server must receive exactly the scans of these regions. Also compares the rows with the rows of
 * the data table.
 */
@RunWith(Parameterized.class)
public class PlannedRegionsIT extends ClusterTest {

  private static final int REGIONS = 100;

  private final String table;
  private final String where;
  private final int needed;

  public PlannedRegionsIT(String table, String where, int needed) {
    this.table = table;
    this.where = where;
    this.needed = needed;
  }

  @Parameters(name = "{0}: {1}: {2}")
  public static Collection<Object[]> cases() {
    return Arrays.asList(
        new Object[][] {
          {"INTS", "V2 = 5 AND PK1 = 25", 1},
          {"INTS", "V2 = 5 AND PK1 IN (1, 25, 50, 75)", 4},
          {"INTS", "V2 = 5 AND PK1 BETWEEN 10 AND 19", 10},
          {"INTS", "V2 = 5 AND PK1 > 90", 9},
          {"INTS", "V2 = 5 AND PK1 >= 90", 10},
          {"INTS", "V2 = 5 AND PK1 < 10", 10},
          {"INTS", "V2 = 5 AND PK1 <= 10", 11},
          {"INTS", "V2 = 5 AND PK1 <> 10", 99},
          {"INTS", "V2 = 5 AND (PK1 = 1 OR PK1 = 25)", 2},
          {"INTS", "V2 = 5 AND ((V1 = 1 AND PK1 = 1) OR (V1 = 4 AND PK1 = 25))", 2},
          {"INTS", "V2 = 5 AND (PK1 BETWEEN 10 AND 11 OR PK1 BETWEEN 30 AND 31)", 4},
          {"INTS", "V2 = 5 AND NOT (PK1 < 10 OR PK1 > 12)", 3},
          {"INTS", "V2 = 5 AND (PK1, PK2) IN ((1, 5), (50, 5))", 2},
          {"INTS", "V2 = 5 AND (PK1, PK2) > (90, 3)", 10},
          {"INTS", "V2 = 5 AND PK1 = ANY (ARRAY[3, 7])", 2},
          {"INTS", "V2 = 5 AND PK1 = 25 AND PK2 > 3", 1},
          {"INTS", "V2 = 5 AND PK1 IN (3, 4) AND PK2 IN (5, 6)", 2},
          {"INTS", "V2 = 5 AND PK2 = 5", 100},
          {"INTS", "V2 = 5 AND (V2, PK1) > (5, 90)", 9},
          {"INTS", "V2 = 5 AND (V2, PK1, PK2) > (5, 90, 3)", 10},
          {"INTS", "V2 = 5 AND (V2 > 5 OR V2 = 5 AND PK1 > 90)", 9},
          {"INTS", "(V2 = 5 AND PK1 = V2 OR V2 = 8 AND PK1 = V2)", 2},
          {"INTS", "V2 IN (2, 5) AND PK1 = V2", 2},
          {"STRINGS", "V2 = 5 AND PK1 = 'k00025'", 1},
          {"STRINGS", "V2 = 5 AND PK1 > 'k00090'", 10},
          // The value 'k0002' itself matches 'k0002%', and sorts before 'k00020'.
          {"STRINGS", "V2 = 5 AND PK1 LIKE 'k0002%'", 11},
          {"STRINGS", "V2 = 5 AND SUBSTR(PK1, 1, 5) = 'k0002'", 11},
          {"STRINGS", "V2 = 5 AND PK1 BETWEEN 'k00010' AND 'k00019'", 10},
          {"TENANTS", "V2 = 5 AND PK1 = 'k00025'", 1},
          {"TENANTS", "V2 = 5 AND PK1 IN ('k00025', 'k00026')", 2},
          {"REARRANGED", "V2 = 5", 100},
          {"REARRANGED", "V2 = 5 AND PK1 = 25", 1},
          {"REARRANGED", "V2 = 5 AND PK1 IN (1, 25, 50, 75)", 4},
          {"REARRANGED", "V2 = 5 AND PK1 BETWEEN 10 AND 19", 10},
        });
  }

  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String strings =
          IntStream.range(1, REGIONS)
              .mapToObj(i -> "'" + string(i) + "'")
              .collect(Collectors.joining(","));
      create(connection, "INTS", "INTEGER", "", splits(REGIONS, 1), "V2");
      create(connection, "REARRANGED", "INTEGER", "", splits(REGIONS, 1), "PK1, V2");
      create(connection, "STRINGS", "VARCHAR", "", strings, "V2");
      create(connection, "TENANTS", "VARCHAR", " MULTI_TENANT=true", strings, "V2");
    }
  }

  private static String string(int number) {
    return String.format("k%05d", number);
  }

  private static void create(
      Connection connection,
      String table,
      String type,
      String properties,
      String splits,
      String indexed)
      throws Exception {
    execute(
        connection,
        """
        CREATE TABLE %s (PK1 %s NOT NULL, PK2 INTEGER NOT NULL, V1 INTEGER, V2 INTEGER
          CONSTRAINT PK PRIMARY KEY (PK1, PK2))%s SPLIT ON (%s)"""
            .formatted(table, type, properties, splits),
        "CREATE LOCAL INDEX " + table + "_I ON " + table + " (" + indexed + ")");
    upsertPairs(
        connection,
        table,
        REGIONS,
        10,
        (pk1, pk2) -> List.of(type.equals("INTEGER") ? pk1 : string(pk1), pk2, pk1 % 7, pk2));
  }

  private String query(String hint) {
    return "SELECT /*+ " + hint + " */ PK1, PK2 FROM " + table + " WHERE " + where;
  }

  @Test
  public void plansTheRegionsThatAreNeeded() throws Exception {
    // Probes would save some of the scans.
    try (Connection connection = connect(Map.of(PruningOptions.PROBE, "false"))) {
      String query = query("INDEX(" + table + " " + table + "_I)");
      List<List<Object>> expected = rows(connection, query("NO_INDEX"));
      ExplainPlanAttributes attributes = attributes(connection, query);
      assertThat(attributes.getRegionsPlanned()).isEqualTo(needed);
      assertThat(attributes.getRegionsTotal()).isEqualTo(REGIONS);
      assertThat(attributes.getNumRegionLocationLookups()).isEqualTo(needed);
      assertThat(rows(connection, query)).isEqualTo(expected);
      ScanRpcCounts before = scanRpcs(table);
      rows(connection, query);
      assertThat(scanRpcs(table).minus(before).rpcs()).isEqualTo(needed);
    }
  }
}
