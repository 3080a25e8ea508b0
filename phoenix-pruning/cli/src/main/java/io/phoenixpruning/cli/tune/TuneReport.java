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
package io.phoenixpruning.cli.tune;

import static io.phoenixpruning.cli.Figures.plural;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.layout.SqlNames;
import picocli.CommandLine.Help.ColorScheme;

/** The settings of a table beside what they should be, as text, and what changes them. */
public final class TuneReport {

  private static final int TAB = 2;

  private final String table;
  private final String hbaseTable;
  private final String emptyFamily;
  private final int regions;
  private final List<StorageSetting> settings;

  /**
   * A report.
   *
   * @param table its full name in Phoenix
   * @param hbaseTable its name in HBase
   * @param emptyFamily the data family whose settings SQL sets without naming it
   */
  public TuneReport(
      String table,
      String hbaseTable,
      String emptyFamily,
      int regions,
      List<StorageSetting> settings) {
    this.table = table;
    this.hbaseTable = hbaseTable;
    this.emptyFamily = emptyFamily;
    this.regions = regions;
    this.settings = List.copyOf(settings);
  }

  /** A line for each setting, and statements where one is not as it should be. */
  public String text(ColorScheme colors) {
    StringBuilder text = new StringBuilder();
    text.append(
        colors.text("@|bold " + table + ", " + plural(regions, "region") + "|@").toString());
    text.append('\n');
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("family", "setting", "now", "recommended"));
    for (StorageSetting setting : settings) {
      lines.add(
          List.of(
              setting.family(),
              setting.name(),
              setting.now(),
              setting.isGood() ? "as it is" : setting.recommended()));
    }
    add(text, lines);
    List<StorageSetting> changes = settings.stream().filter(setting -> !setting.isGood()).toList();
    if (changes.isEmpty()) {
      return text.append("\nNothing to change.\n").toString();
    }
    text.append("\nWhy (docs/tuning.md has the figures):\n");
    changes.stream()
        .map(setting -> "  " + setting.name() + " of " + setting.family() + ": " + setting.reason())
        .forEach(line -> text.append(line).append('\n'));
    List<String> sql = sql(changes);
    if (!sql.isEmpty()) {
      text.append("\nIn SQL:\n");
      sql.forEach(statement -> text.append("  ").append(statement).append(";\n"));
    }
    text.append("\nIn HBase's shell");
    text.append(sql.isEmpty() ? "" : ", as SQL cannot name the family of local indexes");
    text.append(":\n");
    shell(changes).forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  private static void add(StringBuilder text, List<List<String>> lines) {
    int columns = lines.get(0).size();
    for (List<String> line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        int column = i;
        int width = lines.stream().mapToInt(one -> one.get(column).length()).max().orElseThrow();
        padded.append(" ".repeat(TAB)).append(line.get(i));
        padded.append(" ".repeat(width - line.get(i).length()));
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
  }

  /** One statement for each data family, without semicolons. */
  private List<String> sql(List<StorageSetting> changes) {
    Map<String, List<String>> ofFamilies = new LinkedHashMap<>();
    for (StorageSetting change : changes) {
      if (!change.isIndex()) {
        String family =
            change.family().equals(emptyFamily) ? "" : SqlNames.plain(change.family()) + ".";
        ofFamilies
            .computeIfAbsent(change.family(), name -> new ArrayList<>())
            .add(family + change.name() + " = '" + change.recommended() + "'");
      }
    }
    return ofFamilies.values().stream()
        .map(set -> "ALTER TABLE " + SqlNames.full(table) + " SET " + String.join(", ", set))
        .toList();
  }

  /** Also writes the files that are there anew. */
  private List<String> shell(List<StorageSetting> changes) {
    Map<String, String> ofFamilies =
        changes.stream()
            .filter(StorageSetting::isIndex)
            .collect(
                Collectors.groupingBy(
                    StorageSetting::family,
                    LinkedHashMap::new,
                    Collectors.mapping(
                        change -> ", " + change.name() + " => '" + change.recommended() + "'",
                        Collectors.joining())));
    List<String> lines = new ArrayList<>();
    ofFamilies.forEach(
        (family, set) ->
            lines.add("alter '%s', {NAME => '%s'%s}".formatted(hbaseTable, family, set)));
    lines.add("major_compact '%s'".formatted(hbaseTable));
    return lines;
  }
}
