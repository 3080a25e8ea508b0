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
package io.phoenixpruning.cli.explain;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalInt;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.pruning.explain.ScanSummary;

/**
 * Prints a report as JSON for programs. Unknown values are null. The field names are listed in
 * {@code docs/explain.md}.
 */
public final class JsonReport {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final PrintWriter out;

  public JsonReport(PrintWriter out) {
    this.out = out;
  }

  /** Prints a report as one JSON object. */
  public void print(ExplainReport report) throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    report.statements().forEach(statement -> add(json.withArray("/statements"), statement));
    add(json.putArray("problems"), report.problems());
    ArrayNode changes = json.putArray("changes");
    report.changes().forEach(change -> add(changes, change, !report.isPreview()));
    out.println(MAPPER.writeValueAsString(json));
    out.flush();
  }

  private static void add(ArrayNode statements, Explained explained) {
    SqlStatement statement = explained.statement();
    ObjectNode json = statements.addObject();
    json.put("file", explained.file().toString());
    put(json, statement.position());
    json.put("sql", statement.sql());
    explained.plan().ifPresentOrElse(plan -> put(json, plan), () -> json.putNull("plan"));
    ArrayNode warnings = json.putArray("warnings");
    for (Warning warning : explained.warnings()) {
      warnings.addObject().put("kind", warning.kind().toString()).put("message", warning.message());
    }
    ArrayNode expectations = json.putArray("expectations");
    explained.verdicts().forEach(verdict -> add(expectations, verdict));
    add(json.putArray("problems"), explained.problems());
  }

  private static void put(ObjectNode json, PlanSummary plan) {
    ObjectNode put = json.putObject("plan");
    put(put, "regionsPlanned", plan.regionsPlanned());
    ArrayNode scans = put.putArray("scans");
    for (ScanSummary scan : plan.scans()) {
      ObjectNode added = scans.addObject();
      added.put("table", scan.table());
      added.put("index", scan.index().orElse(null));
      added.put("indexKind", scan.indexKind().toString());
      added.put("layout", scan.layout().isPresent() ? Property.LAYOUT.value(scan) : null);
      added.put("scan", scan.type().toString());
      put(added, "regionsPlanned", scan.regionsPlanned());
      put(added, "regionsTotal", scan.regionsTotal());
      ObjectNode pruned = added.putObject("regionsPruned");
      scan.regionsPruned().forEach((rule, regions) -> pruned.put(rule.toString(), regions));
    }
    ArrayNode steps = put.putArray("explain");
    plan.steps().forEach(steps::add);
  }

  private static void add(ArrayNode expectations, Explained.Verdict verdict) {
    ObjectNode json = expectations.addObject();
    put(json, verdict.expectation().position());
    json.put("expected", verdict.expectation().toString());
    json.put("met", verdict.isMet());
    ArrayNode differences = json.putArray("differences");
    for (Expectation.Difference difference : verdict.differences()) {
      differences
          .addObject()
          .put("expected", difference.expected().toString())
          .put("actual", difference.actual());
    }
  }

  private static void add(ArrayNode changes, ExpectationChange change, boolean isWritten) {
    ObjectNode json = changes.addObject().put("file", change.file().toString());
    put(json, change.statement());
    json.put("written", isWritten);
    ArrayNode before = json.putArray("before");
    change.before().forEach(before::add);
    ArrayNode after = json.putArray("after");
    change.after().forEach(after::add);
  }

  private static void add(ArrayNode json, List<Problem> problems) {
    for (Problem problem : problems) {
      ObjectNode added = json.addObject().put("file", problem.file().toString());
      problem
          .position()
          .ifPresentOrElse(
              position -> put(added, position), () -> added.putNull("line").putNull("column"));
      added.put("message", problem.message());
    }
  }

  private static void put(ObjectNode json, Position position) {
    json.put("line", position.line()).put("column", position.column());
  }

  private static void put(ObjectNode json, String name, OptionalInt number) {
    if (number.isPresent()) {
      json.put(name, number.getAsInt());
    } else {
      json.putNull(name);
    }
  }
}
