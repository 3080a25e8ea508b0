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
package io.phoenixpruning.cli.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.protocol.IndexDifference;
import org.jspecify.annotations.Nullable;

/**
 * Prints the result of a check as JSON for programs. The field names are listed in {@code
 * docs/check.md}.
 */
public final class CheckJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final PrintWriter out;

  public CheckJson(PrintWriter out) {
    this.out = out;
  }

  /**
   * Prints a result as one JSON object.
   *
   * @param repaired result of the repair, or null if nothing was to be repaired
   */
  public void print(CheckResult result, @Nullable RepairResult repaired) throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("table", result.checked().name());
    json.put("complete", result.isComplete());
    json.put("regions", result.regions().size());
    json.put("regionsComparedByClient", result.regionsComparedByClient());
    json.put("rows", result.rows());
    json.put("rowsTransferred", result.transferred());
    ArrayNode indexes = json.putArray("indexes");
    for (int i = 0; i < result.checked().layouts().size(); i++) {
      add(indexes.addObject(), result, i);
    }
    if (repaired == null) {
      json.putNull("repair");
    } else {
      ObjectNode repair = json.putObject("repair");
      for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
        repair.put(CheckText.name(kind), repaired.repaired(kind));
      }
      repair.put("left", repaired.left().size());
    }
    out.println(MAPPER.writeValueAsString(json));
    out.flush();
  }

  private static void add(ObjectNode json, CheckResult result, int position) {
    IndexLayout layout = result.checked().layouts().get(position);
    List<Difference> differences = result.differences(layout);
    json.put("index", layout.index());
    json.put("entries", result.entries(position));
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      json.put(
          CheckText.name(kind),
          differences.stream().filter(difference -> difference.kind() == kind).count());
    }
    ArrayNode listed = json.putArray("differences");
    for (Difference difference : differences) {
      listed
          .addObject()
          .put("kind", CheckText.name(difference.kind()))
          .put("entry", difference.text())
          .put("key", Bytes.toStringBinary(difference.found().indexRowKey()))
          .put("region", difference.region().getEncodedName());
    }
  }
}
