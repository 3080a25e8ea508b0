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
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Texts of the advice reports for people. */
final class Wording {

  static final String NOTHING_CHANGED = "Nothing was changed.";
  static final String UNREAD =
      "No statement of this workload reads these indexes. Before you drop one, make sure that no"
          + " other statement does:";
  static final String NO_CHANGE = "No change is proposed, and nothing was changed.";
  static final String WEIGHTED = "All queries, each counted as often as it runs.";

  private Wording() {}

  static String of(IndexAdvice.Action action) {
    return action.name().toLowerCase(Locale.ROOT);
  }

  static String layout(IndexDefinition index) {
    return switch (index.layout()) {
      case NATURAL -> "natural";
      case REARRANGED -> "rearranged";
    };
  }

  /** Returns the key columns of an index, with the prefix in brackets. */
  static String key(IndexDefinition index) {
    String columns = String.join(", ", index.columns());
    if (index.prefix().isEmpty()) {
      return columns;
    }
    String prefix = "[" + String.join(", ", index.prefix()) + "]";
    return columns.isEmpty() ? prefix : prefix + ", " + columns;
  }

  static String covered(IndexDefinition index) {
    return index.covered().isEmpty() ? "nothing" : String.join(", ", index.covered());
  }

  /** Returns the cost of each written row, and says if the cost was measured or estimated. */
  static String of(WriteCost write) {
    String bytes = Figures.bytes(write.bytes()) + " a row";
    return write.ratio().map(ratio -> "measured: an UPSERT takes " + ratio + "; ").orElse("")
        + "estimated: "
        + bytes;
  }

  /**
   * Returns the numbers of the queries that read an index. For an index to drop, returns the
   * numbers of the queries that read the index now.
   */
  static String queries(IndexAdvice advice) {
    if (advice.queries().isEmpty()) {
      return "none";
    }
    String numbers =
        advice.queries().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return switch (advice.action()) {
      case CREATE, KEEP -> numbers;
      case DROP -> "now " + numbers;
    };
  }

  static String size(TableAdvice table) {
    return Figures.plural(table.regions(), "region")
        + ", about "
        + Figures.plural(Math.round(table.rows()), "row");
  }

  static String of(StorageAdvice setting) {
    return setting.setting()
        + " of family "
        + setting.family()
        + ": "
        + setting.before()
        + " -> "
        + setting.after();
  }

  static String reads(List<String> reads) {
    return reads.isEmpty() ? "nothing" : String.join(", ", reads);
  }
}
