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

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.phoenix.pruning.config.PruningMode;
import org.assertj.core.api.SoftAssertions;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Tests a CAST of a column with fractions along an index. Phoenix rounds in such a CAST. */
@RunWith(Parameterized.class)
public class IndexCastIT extends ClusterTest {

  private static final List<String> VALUES =
      List.of("-100.5", "-2.5", "-2", "-1.5", "-0.4", "0", "0.5", "1.49", "1.5", "2", "2.4", "2.5");

  @Parameters(name = "{0}")
  public static List<Object[]> indexes() {
    return List.of(
        new Object[] {"LOCAL INDEX %1$s_I ON %1$s (V)"},
        new Object[] {"LOCAL INDEX %1$s_I ON %1$s (V DESC) INCLUDE (W)"},
        new Object[] {"INDEX %1$s_I ON %1$s (V) INCLUDE (W, TS)"});
  }

  @Parameter public String index;

  private static int rounded(String value) {
    return new BigDecimal(value).setScale(0, RoundingMode.HALF_UP).intValueExact();
  }

  /** Returns the keys of the values whose CAST matches. */
  private static List<Object> keys(Predicate<Integer> condition) {
    List<Object> keys = new ArrayList<>();
    for (int k = 0; k < VALUES.size(); k++) {
      if (condition.test(rounded(VALUES.get(k)))) {
        keys.add(List.of(stripped(k)));
      }
    }
    return keys;
  }

  private static BigDecimal stripped(long value) {
    return BigDecimal.valueOf(value).stripTrailingZeros();
  }

  private String createTable(Connection connection) throws Exception {
    String table = generateUniqueName();
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, V DECIMAL, W DECIMAL(10, 3), I INTEGER,
          TS TIMESTAMP) SPLIT ON (4, 8)"""
            .formatted(table),
        ("CREATE " + index).formatted(table));
    for (int k = 0; k < VALUES.size(); k++) {
      execute(
          connection,
          "UPSERT INTO %s VALUES (%d, %s, %s, %d, TO_TIMESTAMP('2020-01-01 00:00:0%d.500'))"
              .formatted(table, k, VALUES.get(k), VALUES.get(k), k, k % 10));
    }
    connection.commit();
    return table;
  }

  @Test
  public void filtersByTheCast() throws Exception {
    Map<String, Predicate<Integer>> conditions = new LinkedHashMap<>();
    conditions.put("= 2", cast -> cast == 2);
    conditions.put("= -2", cast -> cast == -2);
    conditions.put("<> 2", cast -> cast != 2);
    conditions.put("< 2", cast -> cast < 2);
    conditions.put("<= 1", cast -> cast <= 1);
    conditions.put("> 1", cast -> cast > 1);
    conditions.put(">= -2", cast -> cast >= -2);
    conditions.put("IN (1, 3)", cast -> cast == 1 || cast == 3);
    conditions.put("BETWEEN -2 AND 0", cast -> cast >= -2 && cast <= 0);
    SoftAssertions softly = new SoftAssertions();
    try (Connection connection = connect(PruningMode.EXACT)) {
      String table = createTable(connection);
      for (String cast : List.of("V AS BIGINT", "V AS INTEGER", "V AS TINYINT", "W AS INTEGER")) {
        for (Map.Entry<String, Predicate<Integer>> condition : conditions.entrySet()) {
          String query =
              "SELECT /*+ INDEX(%1$s %1$s_I) */ K FROM %1$s WHERE V > -1000 AND CAST(%2$s) %3$s ORDER BY K"
                  .formatted(table, cast, condition.getKey());
          softly
              .assertThat(rows(connection, query))
              .as(query)
              .isEqualTo(keys(condition.getValue()));
        }
      }
    }
    softly.assertAll();
  }

  @Test
  public void selectsTheCast() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String table = createTable(connection);
      SoftAssertions softly = new SoftAssertions();
      List<Object> all = new ArrayList<>();
      Map<Integer, Integer> groups = new TreeMap<>();
      int sum = 0;
      for (int k = 0; k < VALUES.size(); k++) {
        int cast = rounded(VALUES.get(k));
        all.add(List.of(stripped(k), stripped(cast), stripped(cast), stripped(k)));
        groups.merge(cast, 1, Integer::sum);
        sum += cast;
      }
      String from = " FROM %s WHERE V > -1000".formatted(table);
      String select = "SELECT /*+ INDEX(%1$s %1$s_I) */ ".formatted(table);

      String rows =
          select
              + "K, CAST(V AS INTEGER), CAST(W AS BIGINT), CAST(I AS BIGINT)"
              + from
              + " ORDER BY K";
      softly.assertThat(rows(connection, rows)).as(rows).isEqualTo(all);

      String aggregate = select + "SUM(CAST(V AS BIGINT)), SUM(CAST(W AS INTEGER))" + from;
      softly
          .assertThat(rows(connection, aggregate))
          .as(aggregate)
          .isEqualTo(List.of(List.of(stripped(sum), stripped(sum))));

      List<Object> ofGroups = new ArrayList<>();
      groups.forEach((cast, count) -> ofGroups.add(List.of(stripped(cast), stripped(count))));
      String grouped =
          select
              + "CAST(V AS INTEGER), COUNT(*)"
              + from
              + " GROUP BY CAST(V AS INTEGER) ORDER BY CAST(V AS INTEGER)";
      softly.assertThat(rows(connection, grouped)).as(grouped).isEqualTo(ofGroups);

      String times =
          "SELECT /*+ %s */ K, CAST(TS AS DATE), CAST(TS AS BIGINT)" + from + " ORDER BY K";
      softly
          .assertThat(rows(connection, times.formatted("INDEX(%1$s %1$s_I)".formatted(table))))
          .as(times)
          .isEqualTo(rows(connection, times.formatted("NO_INDEX")));
      softly.assertAll();
    }
  }
}
