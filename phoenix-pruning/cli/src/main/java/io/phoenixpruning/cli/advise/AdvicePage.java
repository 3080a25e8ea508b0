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

import io.phoenixpruning.report.format.Figures;
import io.phoenixpruning.report.html.Markup;
import java.io.IOException;
import java.util.List;

/** HTML page of an advice report, with tables and charts. */
final class AdvicePage {

  private static final String TITLE = "Advice on local indexes";

  private final Advice advice;
  private final AdviceCharts charts;

  AdvicePage(Advice advice) {
    this.advice = advice;
    this.charts = new AdviceCharts(advice);
  }

  /** Returns the HTML text of the page. */
  String written() throws IOException {
    Markup body = Markup.page(TITLE);
    addWorkload(body);
    body.add("h2", "Tables");
    for (TableAdvice table : advice.tables()) {
      addTable(body, table);
    }
    charts.addWrites(body);
    addQueries(body);
    addAssumptions(body);
    addRefused(body);
    addStatements(body);
    return body.written();
  }

  private void addWorkload(Markup body) {
    body.add("h2", "Workload");
    body.add("p", Wording.WEIGHTED);
    Markup rows = body.table(List.of("metric", "before", "after", "change"));
    for (Total total : Total.of(advice)) {
      Markup row = rows.child("tr").add("td", total.name());
      row.number(total.shownBefore());
      row.number(total.shownAfter());
      row.number(total.change());
    }
  }

  private static void addTable(Markup body, TableAdvice table) {
    body.add("h3", table.table());
    body.add("p", Wording.size(table));
    if (table.indexes().isEmpty()) {
      body.add("p", "No local index, and none is proposed.");
    } else {
      addIndexes(body, table.indexes());
    }
    if (!table.settings().isEmpty()) {
      addSettings(body, table.settings());
    }
  }

  private static void addIndexes(Markup body, List<IndexAdvice> indexes) {
    Markup rows =
        body.table(
            List.of(
                "action",
                "index",
                "layout",
                "key, prefix in brackets",
                "covered",
                "queries",
                "write cost",
                "reason"));
    for (IndexAdvice index : indexes) {
      rows.child("tr")
          .with("class", Wording.of(index.action()))
          .add("td", Wording.of(index.action()))
          .add("td", index.index().name())
          .add("td", Wording.layout(index.index()))
          .add("td", Wording.key(index.index()))
          .add("td", Wording.covered(index.index()))
          .add("td", Wording.queries(index))
          .add("td", Wording.of(index.write()))
          .add("td", index.reason());
    }
  }

  private static void addSettings(Markup body, List<StorageAdvice> settings) {
    Markup rows = body.table(List.of("family", "setting", "before", "after", "reason"));
    for (StorageAdvice setting : settings) {
      rows.child("tr")
          .add("td", setting.family())
          .add("td", setting.setting())
          .add("td", setting.before())
          .add("td", setting.after())
          .add("td", setting.reason());
    }
  }

  private void addQueries(Markup body) throws IOException {
    body.add("h2", "Queries");
    charts.addRpcs(body);
    charts.addBytes(body);
    Markup rows =
        body.table(
            List.of(
                "number", "query", "weight", "when", "regions", "RPCs", "rows", "bytes", "reads"));
    for (QueryAdvice query : advice.queries()) {
      Markup row = rows.child("tr");
      row.number(Integer.toString(query.number())).with("rowspan", "2");
      row.child("td").with("rowspan", "2").add("code", query.title()).add("small", query.place());
      row.number(Figures.number(query.weight())).with("rowspan", "2");
      addCost(row, "before", query.before());
      addCost(rows.child("tr"), "after", query.after());
    }
  }

  private static void addCost(Markup row, String when, QueryCost cost) {
    row.add("td", when);
    row.number(Figures.number(cost.regions()));
    row.number(Figures.number(cost.rpcs()));
    row.number(Figures.number(cost.rows()));
    row.number(Figures.bytes(cost.bytes()));
    row.add("td", Wording.reads(cost.reads()));
  }

  private void addAssumptions(Markup body) {
    if (!advice.assumptions().isEmpty()) {
      body.add("h2", "Assumptions");
      Markup list = body.child("ul");
      advice.assumptions().forEach(assumption -> list.add("li", assumption));
    }
  }

  private void addRefused(Markup body) {
    if (!advice.refused().isEmpty()) {
      body.add("h2", "Refused");
      body.add("p", "These statements are left out of all figures.");
      Markup list = body.child("ul");
      advice.refused().forEach(refused -> list.add("li", refused));
    }
  }

  private void addStatements(Markup body) {
    body.add("h2", "Statements");
    if (advice.ddl().isEmpty()) {
      body.add("p", Wording.NO_CHANGE);
    } else {
      body.add("p", Wording.NOTHING_CHANGED + " These statements make the changes.");
      body.add("pre", String.join(";\n", advice.ddl()) + ";");
    }
    if (!advice.drops().isEmpty()) {
      body.add("p", Wording.UNREAD);
      body.add("pre", "-- " + String.join(";\n-- ", advice.drops()) + ";");
    }
  }
}
