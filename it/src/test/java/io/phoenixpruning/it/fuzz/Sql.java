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
package io.phoenixpruning.it.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A piece of SQL in both dialects.
 *
 * @param phoenix text for Phoenix, with a {@code ?} for each of {@code binds}
 * @param calcite the same for Calcite, with literals only
 * @param binds values to bind, as JDBC objects
 */
record Sql(String phoenix, String calcite, List<Object> binds) {

  /** Returns text that is the same in both dialects. */
  static Sql of(String text) {
    return new Sql(text, text, List.of());
  }

  /** Returns text that differs between the dialects and has no values to bind. */
  static Sql of(String phoenix, String calcite) {
    return new Sql(phoenix, calcite, List.of());
  }

  /** Returns {@code template} with each {@code {}} replaced by the next of {@code parts}. */
  static Sql format(String template, Sql... parts) {
    return format(template, template, parts);
  }

  static Sql format(String phoenix, String calcite, Sql... parts) {
    List<Object> binds = new ArrayList<>();
    for (Sql part : parts) {
      binds.addAll(part.binds);
    }
    return new Sql(
        fill(phoenix, List.of(parts), true),
        fill(calcite, List.of(parts), false),
        Collections.unmodifiableList(binds));
  }

  static Sql join(String separator, List<Sql> parts) {
    String template = parts.stream().map(part -> "{}").collect(Collectors.joining(separator));
    return format(template, parts.toArray(Sql[]::new));
  }

  private static String fill(String template, List<Sql> parts, boolean phoenix) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (Sql part : parts) {
      int hole = template.indexOf("{}", from);
      text.append(template, from, hole).append(phoenix ? part.phoenix : part.calcite);
      from = hole + 2;
    }
    return text.append(template.substring(from)).toString();
  }
}
