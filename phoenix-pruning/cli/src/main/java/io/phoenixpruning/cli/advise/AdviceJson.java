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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Prints advice as JSON for programs. Unknown values are null. */
public final class AdviceJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final PrintWriter out;

  public AdviceJson(PrintWriter out) {
    this.out = out;
  }

  /** Prints advice as one JSON object. */
  public void print(Advice advice) throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    ObjectNode totals = json.putObject("totals");
    put(totals, "rpcs", advice, QueryCost::rpcs);
    put(totals, "regions", advice, QueryCost::regions);
    put(totals, "rows", advice, QueryCost::rows);
    put(totals, "bytes", advice, QueryCost::bytes);
    put(totals, "cost", advice, QueryCost::cost);
    ArrayNode tables = json.putArray("tables");
    advice.tables().forEach(table -> put(tables.addObject(), table));
    ArrayNode queries = json.putArray("queries");
    advice.queries().forEach(query -> put(queries.addObject(), query));
    put(json, "assumptions", advice.assumptions());
    put(json, "refused", advice.refused());
    put(json, "ddl", advice.ddl());
    put(json, "drops", advice.drops());
    out.println(MAPPER.writeValueAsString(json));
    out.flush();
  }

  private static void put(
      ObjectNode json, String name, Advice advice, ToDoubleFunction<QueryCost> figure) {
    Total total = Total.of(advice, name, figure, Figures::number);
    json.putObject(name).put("before", total.before()).put("after", total.after());
  }

  private static void put(ObjectNode json, TableAdvice table) {
    json.put("table", table.table());
    json.put("regions", table.regions());
    json.put("rows", table.rows());
    ArrayNode indexes = json.putArray("indexes");
    table.indexes().forEach(index -> put(indexes.addObject(), index));
    ArrayNode settings = json.putArray("settings");
    table.settings().forEach(setting -> put(settings.addObject(), setting));
  }

  private static void put(ObjectNode json, IndexAdvice advice) {
    IndexDefinition index = advice.index();
    json.put("action", advice.action().name().toLowerCase(Locale.ROOT));
    json.put("index", index.name());
    json.put("layout", index.layout().name().toLowerCase(Locale.ROOT));
    put(json, "prefix", index.prefix());
    put(json, "columns", index.columns());
    put(json, "covered", index.covered());
    ObjectNode write = json.putObject("write");
    write.put("bytesPerRow", advice.write().bytes());
    write.putNull("upsertRatio");
    advice.write().ratio().ifPresent(ratio -> put(write.putObject("upsertRatio"), ratio));
    ArrayNode queries = json.putArray("queries");
    advice.queries().forEach(queries::add);
    json.put("reason", advice.reason());
    json.put("ddl", advice.ddl().orElse(null));
  }

  private static void put(ObjectNode json, UpsertRatio ratio) {
    json.put("median", ratio.median());
    json.put("least", ratio.least());
    json.put("most", ratio.most());
    json.put("rounds", ratio.rounds());
    json.put("rows", ratio.rows());
  }

  private static void put(ObjectNode json, StorageAdvice setting) {
    json.put("family", setting.family());
    json.put("setting", setting.setting());
    json.put("before", setting.before());
    json.put("after", setting.after());
    json.put("reason", setting.reason());
    json.put("ddl", setting.ddl());
  }

  private static void put(ObjectNode json, QueryAdvice query) {
    json.put("number", query.number());
    json.put("title", query.title());
    json.put("place", query.place());
    json.put("weight", query.weight());
    put(json.putObject("before"), query.before());
    put(json.putObject("after"), query.after());
  }

  private static void put(ObjectNode json, QueryCost cost) {
    json.put("regions", cost.regions());
    json.put("rpcs", cost.rpcs());
    json.put("rows", cost.rows());
    json.put("bytes", cost.bytes());
    json.put("cost", cost.cost());
    put(json, "reads", cost.reads());
  }

  private static void put(ObjectNode json, String name, List<String> texts) {
    ArrayNode array = json.putArray(name);
    texts.forEach(array::add);
  }
}
