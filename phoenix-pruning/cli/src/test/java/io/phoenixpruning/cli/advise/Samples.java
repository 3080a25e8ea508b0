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
package io.phoenixpruning.cli.advise;

import java.util.List;

/** Sample advice for tests of reports. */
final class Samples {

  static final String SCRIPT = "SELECT '<script>alert(1)</script>' FROM T & \"x\" WHERE V = 5";

  private Samples() {}

  /** Returns all kinds of advice: indexes to create, keep and drop, and a setting. */
  static Advice changes() {
    TableAdvice table =
        new TableAdvice(
            "S.T",
            20,
            4_000_000,
            List.of(
                new IndexAdvice(
                    IndexAdvice.Action.CREATE,
                    new IndexDefinition(
                        "S.T", "T_K1_V", List.of("K1"), List.of("V", "W"), List.of("A.X")),
                    WriteCost.estimated(96).measured(new UpsertRatio(1.352, 1.2, 1.508, 7, 2_000)),
                    List.of(1, 2),
                    "one region instead of 20 is read"),
                new IndexAdvice(
                    IndexAdvice.Action.KEEP,
                    new IndexDefinition("S.T", "T_W", List.of(), List.of("W"), List.of()),
                    WriteCost.estimated(61.5),
                    List.of(2),
                    "no other index answers query 2 as cheaply"),
                new IndexAdvice(
                    IndexAdvice.Action.DROP,
                    new IndexDefinition("S.T", "\"t<v>\"", List.of(), List.of("V"), List.of()),
                    WriteCost.estimated(2048),
                    List.of(1),
                    "T_K1_V answers its queries")),
            List.of(
                new StorageAdvice(
                    "L#0",
                    "DATA_BLOCK_ENCODING",
                    "NONE",
                    "FAST_DIFF",
                    "keys that follow each other begin alike",
                    "ALTER TABLE S.T SET DATA_BLOCK_ENCODING = 'FAST_DIFF'")));
    return new Advice(
        List.of(table, new TableAdvice("D", 1, 1, List.of(), List.of())),
        List.of(
            new QueryAdvice(
                1,
                SCRIPT,
                "q.sql:2:1",
                3,
                new QueryCost(20, 400, 4_000_000, 1.5 * (1 << 30), 4_100_000, List.of("S.T")),
                new QueryCost(1, 1, 40, 3_840, 300, List.of("T_K1_V of S.T"))),
            new QueryAdvice(
                2,
                "SELECT W FROM S.T JOIN D",
                "q.sql:7:3",
                0.5,
                new QueryCost(21, 21, 100, 9_600, 6_000, List.of("T_W of S.T", "D")),
                new QueryCost(21, 21, 100, 9_600, 6_000, List.of("T_W of S.T", "D")))),
        List.of("Values are spread evenly", "Rows are written as often as they are now"),
        List.of("q.sql:9:1: ERROR 504 (42703): Undefined column. columnName=T.<Y>"));
  }

  /** Returns advice without any change. */
  static Advice noChange() {
    QueryCost cost = new QueryCost(0, 0, 0, 0, 0, List.of());
    return new Advice(
        List.of(new TableAdvice("T", 4, 0, List.of(), List.of())),
        List.of(new QueryAdvice(1, "SELECT 1", "q.sql:1:1", 1, cost, cost)),
        List.of(),
        List.of());
  }
}
