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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.Test;
import picocli.CommandLine.Help.Ansi;

public class AdviceTextTest {

  private static String text(Advice advice, Ansi ansi) {
    StringWriter text = new StringWriter();
    new AdviceText(new PrintWriter(text), ansi).print(advice);
    return text.toString();
  }

  @Test
  public void allKindsOfAdviceArePrinted() {
    assertThat(text(Samples.changes(), Ansi.OFF))
        .isEqualToNormalizingNewlines(
            """
            Workload              before        after
              scan RPCs            1,211         13.5   -98.9 %
              regions               70.5         13.5   -80.9 %
              rows            12,000,050          170   -99.9 %
              bytes              4.5 GiB     15.9 KiB   -99.9 %
              All queries, each counted as often as it runs.

            S.T: 20 regions, about 4,000,000 rows
              create T_K1_V
                layout      rearranged
                key         [K1], V, W
                covered     A.X
                queries     1, 2
                write cost  measured: an UPSERT takes 1.35 times as long (1.20 to 1.51 in 7 rounds of 2,000 rows); estimated: 96 bytes a row
                reason      one region instead of 20 is read
              keep T_W
                layout      natural
                key         W
                covered     nothing
                queries     2
                write cost  estimated: 62 bytes a row
                reason      no other index answers query 2 as cheaply
              drop "t<v>"
                layout      natural
                key         V
                covered     nothing
                queries     now 1
                write cost  estimated: 2.0 KiB a row
                reason      T_K1_V answers its queries
              set DATA_BLOCK_ENCODING of family L#0: NONE -> FAST_DIFF
                reason      keys that follow each other begin alike

            D: 1 region, about 1 row
              no local index, and none is proposed

            Queries              regions         RPCs        bytes   reads
              1. q.sql:2:1: SELECT '<script>alert(1)</script>' FROM T & "x" WHERE V = 5
                weight 3
                before                20          400      1.5 GiB   S.T
                after                  1            1      3.8 KiB   T_K1_V of S.T
              2. q.sql:7:3: SELECT W FROM S.T JOIN D
                weight 0.5
                before                21           21      9.4 KiB   T_W of S.T, D
                after                 21           21      9.4 KiB   T_W of S.T, D

            Assumptions
              - Values are spread evenly
              - Rows are written as often as they are now

            Refused, and left out of all figures
              - q.sql:9:1: ERROR 504 (42703): Undefined column. columnName=T.<Y>

            -- Nothing was changed. To make the changes, run:
            CREATE LOCAL INDEX T_K1_V ON S.T (K1, V, W) INCLUDE (A.X);
            ALTER TABLE S.T SET DATA_BLOCK_ENCODING = 'FAST_DIFF';
            -- No statement of this workload reads these indexes. Before you drop one, make sure that no other statement does:
            -- DROP INDEX "t<v>" ON S.T;
            """);
  }

  @Test
  public void noChangeIsOneLine() {
    assertThat(text(Samples.noChange(), Ansi.OFF))
        .isEqualToNormalizingNewlines(
            """
            Workload              before        after
              scan RPCs                0            0   the same
              regions                  0            0   the same
              rows                     0            0   the same
              bytes              0 bytes      0 bytes   the same
              All queries, each counted as often as it runs.

            T: 4 regions, about 0 rows
              no local index, and none is proposed

            Queries              regions         RPCs        bytes   reads
              1. q.sql:1:1: SELECT 1
                weight 1
                before                 0            0      0 bytes   nothing
                after                  0            0      0 bytes   nothing

            -- No change is proposed, and nothing was changed.
            """);
  }

  @Test
  public void theStatementsFormAScript() {
    assertThat(text(Samples.changes(), Ansi.ON).lines().dropWhile(line -> !line.startsWith("--")))
        .containsExactly(
            "-- Nothing was changed. To make the changes, run:",
            "CREATE LOCAL INDEX T_K1_V ON S.T (K1, V, W) INCLUDE (A.X);",
            "ALTER TABLE S.T SET DATA_BLOCK_ENCODING = 'FAST_DIFF';",
            "-- No statement of this workload reads these indexes. Before you drop one, make sure"
                + " that no other statement does:",
            "-- DROP INDEX \"t<v>\" ON S.T;");
  }

  @Test
  public void colorsDistinguishActions() {
    assertThat(text(Samples.changes(), Ansi.ON))
        .contains("\u001b[32mcreate", "\u001b[31mdrop", "\u001b[33mset");
  }
}
