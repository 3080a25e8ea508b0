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
package io.phoenixpruning.cli.layout;

import static io.phoenixpruning.report.format.Figures.plural;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.layout.IndexKeyColumn;
import org.apache.phoenix.pruning.layout.IndexLayout;
import picocli.CommandLine.Help.ColorScheme;

/** Report on the local indexes of a table, as text. */
public final class LayoutReport {

  private static final int SHOWN_ROWS = 3;

  /** Width of the label before each value. */
  private static final int LABEL = 12;

  private final IndexedTable indexed;
  private final List<IndexReport> reports;

  public LayoutReport(IndexedTable indexed, List<IndexReport> reports) {
    this.indexed = indexed;
    this.reports = List.copyOf(reports);
  }

  /** Returns a block of text for each index, with the name of the index in bold. */
  public String text(ColorScheme colors) {
    StringBuilder text = new StringBuilder();
    for (IndexReport report : reports) {
      IndexLayout layout = report.layout();
      String title =
          layout.index()
              + " on "
              + layout.dataTable()
              + ", "
              + plural(indexed.regions().size(), "region");
      text.append(text.isEmpty() ? "" : "\n").append(colors.text("@|bold " + title + "|@"));
      text.append('\n');
      add(text, "layout", List.of(layout(layout)));
      add(text, "key", layout.key().stream().map(LayoutReport::column).toList());
      add(
          text,
          "covered",
          List.of(layout.covered().isEmpty() ? "nothing" : String.join(", ", layout.covered())));
      add(text, "rows", List.of(report.rows()));
      add(text, "size", List.of(report.size()));
      add(
          text,
          "key bytes",
          List.of(report.stored().map(LayoutReport::keyBytes).orElse("not known: no rows found")));
      add(text, "lookups", lookups(report));
      add(text, "stored", stored(report));
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String label, List<String> lines) {
    String before = label;
    for (String line : lines) {
      text.append(String.format("  %-" + LABEL + "s%s%n", before, line));
      before = "";
    }
  }

  private static String layout(IndexLayout layout) {
    return switch (layout.kind()) {
      case NATURAL -> "natural: begins with the indexed columns";
      case REARRANGED ->
          "rearranged: begins with the row key's "
              + layout.prefix().stream()
                  .map(IndexKeyColumn::name)
                  .collect(Collectors.joining(", "));
    };
  }

  private static String column(IndexKeyColumn column) {
    return column
        + (column.isNullable() ? ", nullable" : "")
        + switch (column.role()) {
          case INDEX_ID -> ", the index";
          case TENANT -> ", the tenant";
          case PREFIX, DATA_KEY -> ", of the row key";
          case INDEXED -> "";
        };
  }

  private static String keyBytes(StoredRows stored) {
    return String.format(
        Locale.ROOT,
        "%.1f a row, in %s",
        stored.bytesPerKey(),
        plural(stored.rows().size(), "stored row"));
  }

  private static List<String> lookups(IndexReport report) {
    List<String> lines = new ArrayList<>();
    for (LookupCost lookup : report.lookups()) {
      lines.add(lookup.predicate());
      lines.add("  " + lookup);
    }
    return lines.isEmpty() ? List.of("not known: no rows found") : lines;
  }

  private static List<String> stored(IndexReport report) {
    if (report.stored().isEmpty()) {
      return List.of("no rows found");
    }
    StoredRows stored = report.stored().get();
    List<String> lines = new ArrayList<>();
    lines.add("in the region " + region(stored.region()));
    stored.rows().stream().limit(SHOWN_ROWS).forEach(row -> lines.add("  " + row));
    return lines;
  }

  private static String region(RegionInfo region) {
    return "from '"
        + Bytes.toStringBinary(region.getStartKey())
        + "' to '"
        + Bytes.toStringBinary(region.getEndKey())
        + "'";
  }
}
