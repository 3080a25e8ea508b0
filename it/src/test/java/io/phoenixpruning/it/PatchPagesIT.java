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

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.PatchExample.Step;
import io.phoenixpruning.it.PatchExample.Way;
import io.phoenixpruning.it.differential.PatchSwitch;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Runs the example of each page in docs/patches: in mode stock, with all patches but the one of the
 * page, and with this patch. The results must be those that the page states.
 */
@RunWith(Parameterized.class)
public class PatchPagesIT extends ClusterTest {

  private static final Path PAGES = Path.of("..", "docs", "patches");

  /**
   * Classes of the tests of patches whose examples need more than one thread, or do not end without
   * the patch.
   */
  private static final Map<Patch, Class<?>> ELSEWHERE =
      Map.of(Patch.CANCELLED_SCAN, FanOutIT.class, Patch.UNBOUNDED_UNION, KeyRangesIT.class);

  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  private static final String FAILS = "fails: ";
  private static final String NO_ROWS = "no rows";

  private final Patch patch;
  private final Map<Way, Connection> connections = new EnumMap<>(Way.class);

  /** Names in the example by the names in the cluster. */
  private final Map<String, String> names = new HashMap<>();

  public PatchPagesIT(String id, Patch patch) {
    assertThat(patch.id()).isEqualTo(id);
    this.patch = patch;
  }

  @Parameters(name = "{0}")
  public static List<Object[]> pages() {
    return Arrays.stream(Patch.values())
        .map(patch -> new Object[] {patch.id(), patch})
        .collect(Collectors.toList());
  }

  @After
  public void restore() throws Exception {
    PatchSwitch.switchPatchesOfJvm(any -> !any.isOptIn());
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }

  @Test
  public void hasTheResultsOfItsPage() throws Exception {
    String page = Files.readString(PAGES.resolve(patch.id() + ".md"));
    if (ELSEWHERE.containsKey(patch)) {
      checkTest(PatchExample.section(page));
      return;
    }
    PatchExample example = PatchExample.of(page);
    assertThat(example.steps())
        .as("statements that need the patch")
        .anyMatch(step -> step.hasResults() && needsThePatch(step));
    // A patch of writes needs tables for each way.
    List<List<Way>> waysOfTables =
        patch.isOfWrites()
            ? List.of(List.of(Way.WITH), List.of(Way.WITHOUT), List.of(Way.PHOENIX))
            : List.of(List.of(Way.WITH, Way.WITHOUT, Way.PHOENIX));
    for (Way way : Way.values()) {
      connections.put(way, open(way));
    }
    for (List<Way> ways : waysOfTables) {
      run(example, ways);
    }
  }

  private static boolean needsThePatch(Step step) {
    return !step.result(Way.WITH).equals(step.result(Way.PHOENIX))
        && !step.result(Way.WITH).equals(step.result(Way.WITHOUT));
  }

  /** Checks that the page names tests of another class, and that these tests exist. */
  private void checkTest(String section) throws NoSuchMethodException {
    List<MatchResult> tests = TEST.matcher(section).results().collect(Collectors.toList());
    assertThat(tests).as("tests that the page names").isNotEmpty();
    for (MatchResult test : tests) {
      assertThat(test.group(1)).isEqualTo(ELSEWHERE.get(patch).getSimpleName());
      assertThat(ELSEWHERE.get(patch).getMethod(test.group(2)).isAnnotationPresent(Test.class))
          .as(test.group())
          .isTrue();
    }
  }

  private Connection open(Way way) throws Exception {
    Map<String, String> options = new HashMap<>();
    options.put(PruningOptions.MODE, way == Way.PHOENIX ? "stock" : "exact");
    if (way == Way.WITHOUT && patch.scope() == Patch.Scope.CONNECTION) {
      options.put(PruningOptions.PATCHES, "all,-" + patch.id());
    }
    Connection connection = connect(options);
    connection.setAutoCommit(true);
    return connection;
  }

  /** Makes the JVM's patches those of {@code way}, and returns a connection with its patches. */
  private Connection use(Way way) throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(
        any -> {
          if (any == patch) {
            return way == Way.WITH;
          }
          return way != Way.PHOENIX && !any.isOptIn();
        });
    if (patch.scope() == Patch.Scope.JVM) {
      assertThat(Patches.isOn(patch)).isEqualTo(way == Way.WITH);
    }
    return connections.get(way);
  }

  /** Creates tables with the patches of the first way, and reads them in each way. */
  private void run(PatchExample example, List<Way> ways) throws Exception {
    names.clear();
    example.names().forEach(name -> names.put(generateUniqueName(), name));
    List<String> stated = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (Step step : example.steps()) {
      String sql = replace(step.sql(), false);
      if (!step.hasResults()) {
        runSetup(use(ways.get(0)), sql);
      }
      for (Way way : step.hasResults() ? ways : List.<Way>of()) {
        String label = step.sql() + ";\n" + way.prefix();
        String expected = step.result(way);
        stated.add(label + expected);
        found.add(label + orExpected(result(use(way), sql), expected, sql));
      }
    }
    assertThat(String.join("\n", found)).isEqualTo(String.join("\n", stated));
  }

  private static void runSetup(Connection connection, String sql) throws SQLException {
    switch (sql) {
      case PatchExample.BEGIN -> connection.setAutoCommit(false);
      case PatchExample.COMMIT -> {
        connection.commit();
        connection.setAutoCommit(true);
      }
      default -> execute(connection, sql);
    }
  }

  /** Replaces the names of the example by those in the cluster, or the other way round. */
  private String replace(String text, boolean back) {
    Map<String, String> replacements = new HashMap<>();
    names.forEach((own, name) -> replacements.put(back ? own : name, back ? name : own));
    return Pattern.compile("\\b(" + String.join("|", replacements.keySet()) + ")\\b")
        .matcher(text)
        .replaceAll(match -> replacements.get(match.group()));
  }

  private String result(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      if (sql.startsWith("DELETE")) {
        return statement.executeUpdate(sql) + " deleted";
      }
      try (ResultSet result = statement.executeQuery(sql)) {
        List<List<Object>> rows = rows(result, true);
        return rows.isEmpty()
            ? NO_ROWS
            : replace(rows.stream().map(PatchPagesIT::row).collect(Collectors.joining(", ")), true);
      }
    } catch (SQLException | RuntimeException e) {
      StringBuilder errors = new StringBuilder(FAILS);
      for (Throwable error = e; error != null; error = error.getCause()) {
        errors.append(error).append(' ');
      }
      return replace(errors.toString(), true);
    }
  }

  private static String row(List<Object> values) {
    String text = values.stream().map(PatchPagesIT::value).collect(Collectors.joining(", "));
    return values.size() == 1 ? text : "(" + text + ")";
  }

  private static String value(Object value) {
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    if (value instanceof Date date) {
      LocalDateTime time =
          LocalDateTime.ofInstant(Instant.ofEpochMilli(date.getTime()), ZoneOffset.UTC);
      return time.toLocalTime().equals(LocalTime.MIDNIGHT)
          ? time.toLocalDate().toString()
          : time.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"));
    }
    return String.valueOf(value);
  }

  /**
   * Returns {@code expected} if the page states this result: the same rows in any order, or in this
   * order for an ORDER BY; or a part of an error or a plan.
   */
  private static String orExpected(String result, String expected, String sql) {
    boolean isStated;
    if (expected.startsWith(FAILS)) {
      isStated = result.startsWith(FAILS) && result.contains(expected.substring(FAILS.length()));
    } else if (sql.startsWith("EXPLAIN")) {
      isStated = result.contains(expected);
    } else {
      isStated = !sql.contains("ORDER BY") && sorted(result).equals(sorted(expected));
    }
    return isStated ? expected : result;
  }

  private static List<String> sorted(String rows) {
    String between = rows.startsWith("(") ? "(?<=\\)), (?=\\()" : ", ";
    return Arrays.stream(rows.split(between)).sorted().collect(Collectors.toList());
  }
}
