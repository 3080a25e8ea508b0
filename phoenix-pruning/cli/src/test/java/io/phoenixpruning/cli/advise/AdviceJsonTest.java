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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.Test;

public class AdviceJsonTest {

  private static JsonNode json(Advice advice) throws IOException {
    StringWriter text = new StringWriter();
    new AdviceJson(new PrintWriter(text)).print(advice);
    return new ObjectMapper().readTree(text.toString());
  }

  private static void assertJson(JsonNode actual, String expected) throws IOException {
    assertThat(actual).isEqualTo(new ObjectMapper().readTree(expected));
  }

  @Test
  public void totalsAreWeighted() throws IOException {
    assertJson(
        json(Samples.changes()).get("totals"),
        """
        {
          "rpcs": {"before": 1210.5, "after": 13.5},
          "regions": {"before": 70.5, "after": 13.5},
          "rows": {"before": 12000050.0, "after": 170.0},
          "bytes": {"before": 4831843008.0, "after": 16320.0},
          "cost": {"before": 12303000.0, "after": 3900.0}
        }
        """);
  }

  @Test
  public void indexesAndSettings() throws IOException {
    JsonNode table = json(Samples.changes()).get("tables").get(0);
    assertThat(table.get("table").asText()).isEqualTo("S.T");
    assertThat(table.get("regions").asInt()).isEqualTo(20);
    assertThat(table.get("rows").asDouble()).isEqualTo(4e6);
    assertThat(table.get("indexes").findValuesAsText("action"))
        .containsExactly("create", "keep", "drop");
    assertJson(
        table.get("indexes").get(0),
        """
        {
          "action": "create", "index": "T_K1_V", "layout": "rearranged",
          "prefix": ["K1"], "columns": ["V", "W"], "covered": ["A.X"],
          "write": {"bytesPerRow": 96.0, "upsertRatio":
            {"median": 1.352, "least": 1.2, "most": 1.508, "rounds": 7, "rows": 2000}},
          "queries": [1, 2],
          "reason": "one region instead of 20 is read",
          "ddl": "CREATE LOCAL INDEX T_K1_V ON S.T (K1, V, W) INCLUDE (A.X)"
        }
        """);
    assertJson(
        table.get("indexes").get(1),
        """
        {
          "action": "keep", "index": "T_W", "layout": "natural",
          "prefix": [], "columns": ["W"], "covered": [],
          "write": {"bytesPerRow": 61.5, "upsertRatio": null}, "queries": [2],
          "reason": "no other index answers query 2 as cheaply", "ddl": null
        }
        """);
    assertJson(
        table.get("settings"),
        """
        [{
          "family": "L#0", "setting": "DATA_BLOCK_ENCODING", "before": "NONE", "after": "FAST_DIFF",
          "reason": "keys that follow each other begin alike",
          "ddl": "ALTER TABLE S.T SET DATA_BLOCK_ENCODING = 'FAST_DIFF'"
        }]
        """);
  }

  @Test
  public void queriesAssumptionsAndStatements() throws IOException {
    JsonNode json = json(Samples.changes());
    JsonNode query = json.get("queries").get(0);
    assertThat(query.get("title").asText()).isEqualTo(Samples.SCRIPT);
    assertThat(query.get("place").asText()).isEqualTo("q.sql:2:1");
    assertThat(query.get("number").asInt()).isEqualTo(1);
    assertThat(query.get("weight").asDouble()).isEqualTo(3);
    assertJson(
        query.get("after"),
        """
        {"regions": 1, "rpcs": 1, "rows": 40.0, "bytes": 3840.0, "cost": 300.0,
         "reads": ["T_K1_V of S.T"]}
        """);
    assertThat(query.get("before").get("rpcs").asInt()).isEqualTo(400);
    assertThat(json.get("assumptions")).hasSize(2);
    assertThat(json.get("ddl"))
        .extracting(JsonNode::asText)
        .containsExactly(
            "CREATE LOCAL INDEX T_K1_V ON S.T (K1, V, W) INCLUDE (A.X)",
            "ALTER TABLE S.T SET DATA_BLOCK_ENCODING = 'FAST_DIFF'");
    assertThat(json.get("drops"))
        .extracting(JsonNode::asText)
        .containsExactly("DROP INDEX \"t<v>\" ON S.T");
    assertThat(json.get("refused"))
        .extracting(JsonNode::asText)
        .containsExactly("q.sql:9:1: ERROR 504 (42703): Undefined column. columnName=T.<Y>");
    assertJson(json(Samples.noChange()).get("ddl"), "[]");
  }
}
