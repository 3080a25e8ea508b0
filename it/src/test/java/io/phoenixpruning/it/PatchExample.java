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
package io.phoenixpruning.it;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Example of a page in docs/patches: SQL statements and, in comments, their results.
 *
 * @param steps statements in the order of the page
 */
record PatchExample(List<Step> steps) {

  private static final Pattern SECTION = Pattern.compile("(?ms)^## Example$(.*?)^## ");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sql\n(.*?)^```$");
  private static final Pattern SETUP = Pattern.compile("CREATE|ALTER|UPSERT|DECLARE|OPEN|CLOSE|!");
  private static final Pattern CREATED =
      Pattern.compile("(?m)^CREATE (?:TABLE|VIEW|INDEX|(?:LOCAL|UNCOVERED) INDEX) (\\w+)");

  /** Command of sqlline before statements that are committed together. */
  static final String BEGIN = "!autocommit off";

  /** Command of sqlline that commits the statements since {@link #BEGIN}. */
  static final String COMMIT = "!commit";

  /** Patches that are on when a statement runs, in the order of the comments. */
  enum Variant {
    /** Mode stock: no patch is on. */
    PHOENIX("Phoenix"),

    /**
     * All patches except the patch of the page. A page states this result only if Phoenix's
     * differs.
     */
    WITHOUT("with all other patches"),

    WITH("with the patch");

    private final String label;

    Variant(String label) {
      this.label = label;
    }

    /** Returns the beginning of a comment, before the result. */
    String prefix() {
      return "-- " + label + ": ";
    }
  }

  /**
   * Statement of an example.
   *
   * @param sql text without the semicolon
   * @param results results by variant; empty if the page gives no results
   */
  record Step(String sql, Map<Variant, String> results) {

    boolean hasResults() {
      return !results.isEmpty();
    }

    String result(Variant variant) {
      return results.getOrDefault(variant, results.get(Variant.PHOENIX));
    }
  }

  /** Returns the text under the heading Example. */
  static String section(String page) {
    return group(SECTION, page);
  }

  static PatchExample of(String page) {
    List<Step> steps = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    for (String line : group(BLOCK, section(page)).split("\n")) {
      if (line.startsWith("--")) {
        addResult(line, sql.toString(), steps);
      } else if (line.equals(BEGIN) || line.equals(COMMIT)) {
        steps.add(new Step(line, new EnumMap<>(Variant.class)));
      } else if (line.endsWith(";")) {
        sql.append(line, 0, line.length() - 1);
        steps.add(new Step(sql.toString(), new EnumMap<>(Variant.class)));
        sql.setLength(0);
      } else if (!line.isEmpty()) {
        sql.append(line).append('\n');
      }
    }
    check(sql.length() == 0, "No semicolon after: " + sql);
    steps.forEach(PatchExample::check);
    return new PatchExample(steps);
  }

  private static void addResult(String line, String unfinished, List<Step> steps) {
    check(unfinished.isEmpty() && !steps.isEmpty(), "Not below a statement: " + line);
    for (Variant variant : Variant.values()) {
      if (line.startsWith(variant.prefix())) {
        String result = line.substring(variant.prefix().length());
        check(steps.get(steps.size() - 1).results().put(variant, result) == null, "Twice: " + line);
        return;
      }
    }
    throw new IllegalArgumentException("Unknown comment: " + line);
  }

  /**
   * Checks that a query, a plan or a DELETE has results. An UPSERT has results if it fails without
   * the patch.
   */
  private static void check(Step step) {
    boolean isSetup =
        SETUP.matcher(step.sql()).lookingAt()
            && !(step.sql().startsWith("UPSERT") && step.hasResults());
    check(isSetup != step.hasResults(), "Results: " + step);
    check(
        isSetup
            || step.results().containsKey(Variant.PHOENIX)
                && step.results().containsKey(Variant.WITH),
        "Results: " + step);
  }

  private static void check(boolean isTrue, String message) {
    if (!isTrue) {
      throw new IllegalArgumentException(message);
    }
  }

  private static String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    check(matcher.find(), "No " + pattern);
    return matcher.group(1);
  }

  /** Returns the names of the tables, views and indexes that the example creates. */
  List<String> names() {
    return steps.stream()
        .map(step -> CREATED.matcher(step.sql()))
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .collect(Collectors.toList());
  }
}
