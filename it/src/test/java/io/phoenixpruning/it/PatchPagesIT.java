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
import io.phoenixpruning.it.PatchExample.Variant;
import io.phoenixpruning.it.differential.PatchSwitch;
import java.lang.reflect.Method;
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
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Runs the example of each page in docs/patches in three ways: in mode stock, with all patches
 * except the patch of the page, and with all patches. The results must be those on the page.
 */
@RunWith(Parameterized.class)
public class PatchPagesIT extends ClusterTest {

  private static final Path PAGES = Path.of("..", "docs", "patches");

  /**
   * Tests of the patches whose examples need more than the statements of one connection, or do not
   * end without the patch.
   */
  private static final Map<Patch, Class<?>> TESTED_ELSEWHERE =
      Map.ofEntries(
          Map.entry(Patch.ARRAY_PARAMETERS, PatchesIT.class),
          Map.entry(Patch.BUILT_ROW, IndexBuildsIT.class),
          Map.entry(Patch.CANCELLED_SCAN, FanOutIT.class),
          Map.entry(Patch.CLOSING_REGION, ClosingRegionIT.class),
          Map.entry(Patch.CONCURRENT_BUILD, ConcurrentBuildIT.class),
          Map.entry(Patch.DOTTED_NAME, StorageIT.class),
          Map.entry(Patch.DROPPED_COLUMN, DropColumnIT.class),
          Map.entry(Patch.ENDLESS_PADDING, ExpressionsIT.class),
          Map.entry(Patch.EXPIRED_VALUES, IndexUpdatesIT.class),
          Map.entry(Patch.FOREIGN_ROWS, StorageIT.class),
          Map.entry(Patch.HALF_FILE, HalfFilesIT.class),
          Map.entry(Patch.INJECTED_FILTER, VisibilityLabelsIT.class),
          Map.entry(Patch.MALFORMED_SCAN, ForgedScanIT.class),
          Map.entry(Patch.MOB_INDEX, MobFamilyIT.class),
          Map.entry(Patch.PAGED_LOOKUP, PagedLookupIT.class),
          Map.entry(Patch.PARTIAL_BUILD, IndexBuildsIT.class),
          Map.entry(Patch.PAST_DELETE, PastWritesIT.class),
          Map.entry(Patch.PAST_ROWS, StorageIT.class),
          Map.entry(Patch.RELEASED_MEMORY, ReleasedMemoryIT.class),
          Map.entry(Patch.REOPENED_SCAN, ScannerIT.class),
          Map.entry(Patch.REPEATED_UPSERT, RepeatedUpsertIT.class),
          Map.entry(Patch.SHARED_CONFIGURATION, RegionConfigurationIT.class),
          Map.entry(Patch.SHARED_THREADS, SharedThreadsIT.class),
          Map.entry(Patch.SNAPSHOT_READ, MapReduceSnapshotIT.class),
          Map.entry(Patch.TIMELINE_READ, StorageIT.class),
          Map.entry(Patch.UNBOUNDED_UNION, KeyRangesIT.class));

  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  private static final String FAILS = "fails: ";
  private static final String NO_ROWS = "no rows";

  private final Patch patch;
  private final Map<Variant, Connection> connections = new EnumMap<>(Variant.class);

  /** Maps the names of tables in the cluster to their names in the example. */
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
    PatchSwitch.switchPatchesOfJvm(other -> !other.isOptIn());
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }

  @Test
  public void hasTheResultsOfItsPage() throws Exception {
    String page = Files.readString(PAGES.resolve(patch.id() + ".md"));
    if (TESTED_ELSEWHERE.containsKey(patch)) {
      checkNamedTests(PatchExample.section(page));
      return;
    }
    PatchExample example = PatchExample.of(page);
    assertThat(example.steps())
        .as("statements that need the patch")
        .anyMatch(step -> step.hasResults() && needsThePatch(step));
    // A patch of writes needs tables of its own for each variant.
    List<List<Variant>> variantsByTables =
        patch.isOfWrites()
            ? List.of(List.of(Variant.WITH), List.of(Variant.WITHOUT), List.of(Variant.PHOENIX))
            : List.of(List.of(Variant.WITH, Variant.WITHOUT, Variant.PHOENIX));
    for (Variant variant : Variant.values()) {
      connections.put(variant, open(variant));
    }
    for (List<Variant> variants : variantsByTables) {
      run(example, variants);
    }
  }

  private static boolean needsThePatch(Step step) {
    return !step.result(Variant.WITH).equals(step.result(Variant.PHOENIX))
        && !step.result(Variant.WITH).equals(step.result(Variant.WITHOUT));
  }

  /** Checks that the page names tests of another class, and that these tests exist. */
  private void checkNamedTests(String section) {
    List<MatchResult> tests = TEST.matcher(section).results().collect(Collectors.toList());
    assertThat(tests).as("tests that the page names").isNotEmpty();
    for (MatchResult test : tests) {
      assertThat(test.group(1))
          .as(test.group())
          .isEqualTo(TESTED_ELSEWHERE.get(patch).getSimpleName());
      assertThat(TESTED_ELSEWHERE.get(patch).getMethods())
          .as(test.group())
          .filteredOn(method -> method.isAnnotationPresent(Test.class))
          .extracting(Method::getName)
          .contains(test.group(2));
    }
  }

  private Connection open(Variant variant) throws Exception {
    Map<String, String> options = new HashMap<>();
    options.put(PruningOptions.MODE, variant == Variant.PHOENIX ? "stock" : "exact");
    if (patch.scope() == Patch.Scope.CONNECTION) {
      if (variant == Variant.WITHOUT && !patch.isOptIn()) {
        options.put(PruningOptions.PATCHES, "all,-" + patch.id());
      } else if (variant == Variant.WITH && patch.isOptIn()) {
        options.put(PruningOptions.PATCHES, "all,+" + patch.id());
      }
    }
    Connection connection = connect(options);
    connection.setAutoCommit(true);
    return connection;
  }

  /**
   * Switches the JVM to the patches of {@code variant}, and returns a connection with its patches.
   */
  private Connection switchTo(Variant variant) throws Exception {
    PatchSwitch.switchPatchesOfJvm(
        other -> {
          if (other == patch) {
            return variant == Variant.WITH;
          }
          return variant != Variant.PHOENIX && !other.isOptIn();
        });
    if (patch.scope() == Patch.Scope.JVM) {
      assertThat(Patches.isOn(patch)).isEqualTo(variant == Variant.WITH);
      forgetTables(connections.get(variant));
    }
    return connections.get(variant);
  }

  /** Removes the tables of the example from the client's cache, because patches can change them. */
  private void forgetTables(Connection connection) throws SQLException {
    for (String name : names.keySet()) {
      connection
          .unwrap(PhoenixConnection.class)
          .removeTable(null, name, null, HConstants.LATEST_TIMESTAMP);
    }
  }

  /** Creates tables with the patches of the first variant, and reads the tables in each variant. */
  private void run(PatchExample example, List<Variant> variants) throws Exception {
    names.clear();
    example.names().forEach(name -> names.put(generateUniqueName(), name));
    List<String> stated = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (Step step : example.steps()) {
      String sql = replaceNames(step.sql(), false);
      if (!step.hasResults()) {
        runSetup(switchTo(variants.get(0)), sql);
      }
      for (Variant variant : step.hasResults() ? variants : List.<Variant>of()) {
        String label = step.sql() + ";\n" + variant.prefix();
        String expected = step.result(variant);
        stated.add(label + expected);
        found.add(label + expectedIfMatching(result(switchTo(variant), sql), expected, sql));
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

  /** Replaces names of the example by names in the cluster, or vice versa if {@code toExample}. */
  private String replaceNames(String text, boolean toExample) {
    Map<String, String> replacements = new HashMap<>();
    names.forEach((own, name) -> replacements.put(toExample ? own : name, toExample ? name : own));
    return Pattern.compile("\\b(" + String.join("|", replacements.keySet()) + ")\\b")
        .matcher(text)
        .replaceAll(match -> replacements.get(match.group()));
  }

  private String result(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      if (sql.startsWith("DELETE") || sql.startsWith("UPSERT")) {
        return statement.executeUpdate(sql) + (sql.startsWith("DELETE") ? " deleted" : " upserted");
      }
      try (ResultSet result = statement.executeQuery(sql)) {
        List<List<Object>> rows = rows(result, true);
        return rows.isEmpty()
            ? NO_ROWS
            : replaceNames(
                rows.stream().map(PatchPagesIT::row).collect(Collectors.joining(", ")), true);
      }
    } catch (SQLException | RuntimeException e) {
      StringBuilder errors = new StringBuilder(FAILS);
      for (Throwable error = e; error != null; error = error.getCause()) {
        errors.append(error).append(' ');
      }
      return replaceNames(errors.toString(), true);
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
   * Returns {@code expected} if it matches the result, and otherwise {@code result}. Rows match in
   * any order, or in the stated order if the query has an ORDER BY. An error or a plan matches if
   * it contains the stated text.
   */
  private static String expectedIfMatching(String result, String expected, String sql) {
    boolean isMatching;
    if (expected.startsWith(FAILS)) {
      isMatching = result.startsWith(FAILS) && result.contains(expected.substring(FAILS.length()));
    } else if (sql.startsWith("EXPLAIN")) {
      isMatching = result.contains(expected);
    } else {
      isMatching = !sql.contains("ORDER BY") && sorted(result).equals(sorted(expected));
    }
    return isMatching ? expected : result;
  }

  private static List<String> sorted(String rows) {
    String between = rows.startsWith("(") ? "(?<=\\)), (?=\\()" : ", ";
    return Arrays.stream(rows.split(between)).sorted().collect(Collectors.toList());
  }
}
