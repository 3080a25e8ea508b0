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

import static io.phoenixpruning.report.format.Figures.plural;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.layout.SqlNames;
import picocli.CommandLine.Help.ColorScheme;

/**
 * Report on the current and the recommended settings of a table, with the statements that change
 * them.
 */
public final class TuneReport {

  private static final int TAB = 2;

  private final String table;
  private final String hbaseTable;
  private final int regions;
  private final List<StorageSetting> settings;

  /**
   * Creates a report.
   *
   * @param table full name of the table in Phoenix
   * @param hbaseTable name of the table in HBase
   */
  public TuneReport(String table, String hbaseTable, int regions, List<StorageSetting> settings) {
    this.table = table;
    this.hbaseTable = hbaseTable;
    this.regions = regions;
    this.settings = List.copyOf(settings);
  }

  /**
   * Returns a line for each setting, and statements for settings that differ from the
   * recommendation. The statements begin at the first SQL comment line. From there, the text is a
   * script.
   */
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
      text.append("\nNothing to change.\n");
    } else {
      text.append("\nReasons (docs/tuning.md has the figures):\n");
      changes.stream()
          .map(
              setting ->
                  "  " + setting.name() + " of " + setting.family() + ": " + setting.reason())
          .forEach(line -> text.append(line).append('\n'));
      text.append("\n-- Nothing was changed. To make the changes, run:\n");
      sql(changes).forEach(statement -> text.append(statement).append(";\n"));
      text.append("-- SQL cannot set the family of local indexes or compact. In HBase's shell:\n");
      shell(changes).forEach(line -> text.append("-- ").append(line).append('\n'));
    }
    settings.stream()
        .flatMap(setting -> setting.possible().stream())
        .findFirst()
        .ifPresent(
            codec ->
                text.append(
                    """
                    -- COMPRESSION = '%s' would make files smaller, but no table of this cluster uses it, so its
                    -- codec may be missing. Check each server: hbase org.apache.hadoop.hbase.util.CompressionTest
                    """
                        .formatted(codec)));
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

  /**
   * Returns a statement for each setting of a data family, without semicolons. If there are several
   * data families, each statement names its family. Without a family, Phoenix sets a property for
   * all of them.
   */
  private List<String> sql(List<StorageSetting> changes) {
    boolean isQualified =
        settings.stream()
                .filter(setting -> !setting.isIndex())
                .map(StorageSetting::family)
                .distinct()
                .count()
            > 1;
    return changes.stream()
        .filter(change -> !change.isIndex())
        .map(
            change ->
                "ALTER TABLE "
                    + SqlNames.full(table)
                    + " SET "
                    + (isQualified ? SqlNames.plain(change.family()) + "." : "")
                    + change.name()
                    + " = '"
                    + change.recommended()
                    + "'")
        .toList();
  }

  /**
   * Returns commands for HBase's shell that change the families of local indexes. The last command
   * rewrites existing files.
   */
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
