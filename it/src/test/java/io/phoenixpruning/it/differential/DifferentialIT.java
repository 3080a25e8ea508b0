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
package io.phoenixpruning.it.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Compares our jars with Phoenix's own jars in separate processes, with random statements. Mode
 * stock must answer as Phoenix does. Mode exact may differ only where Phoenix is wrong.
 */
public class DifferentialIT {

  private static final int STATEMENTS = Integer.getInteger("differential.statements", 400);

  /** True if the run is long enough for each patch to correct a statement. */
  private static final boolean IS_LONG = STATEMENTS >= 10_000;

  private static final long SEED = Long.getLong("differential.seed", 1);
  private static final LeftOutPatches LEFT_OUT =
      LeftOutPatches.parse(System.getProperty("differential.without", "1"));
  private static final Path FOLDER = Path.of("target", "differential");

  /**
   * Patches that no random statement shows, because the generator makes no such statements, tables
   * or jobs. The page of each patch in docs/patches names its test.
   *
   * <p>Three patches cannot be shown by answers: {@code POINT_KEYS} bounds the client's memory, and
   * {@code CANCELLED_SCAN} needs another thread. Without {@code UNBOUNDED_UNION}, Phoenix never
   * finishes compiling.
   */
  private static final Set<Patch> TESTED_ELSEWHERE =
      EnumSet.of(
          Patch.ABSENT_AGGREGATE,
          Patch.ANTI_JOIN,
          Patch.CONSTANT_CASE,
          Patch.SUBQUERY_NULL,
          Patch.ARRAY_ELEMENT,
          Patch.CURSOR_FETCH,
          Patch.DERIVED_DISTINCT,
          Patch.DERIVED_ORDER,
          Patch.UNION_CONDITION,
          Patch.UNION_ORDER,
          Patch.DEFAULT_NULL,
          Patch.EMPTY_SUBQUERY,
          Patch.FIRST_VALUE,
          Patch.HAVING_SUBQUERY,
          Patch.IMMUTABLE_DELETE,
          Patch.NULL_PADDING,
          Patch.NULL_UPDATE,
          Patch.NULL_UPSERT,
          Patch.MERGED_VALUES,
          Patch.PERCENTILE,
          Patch.STANDARD_DEVIATION,
          Patch.DESCENDING_AGGREGATE,
          Patch.DESCENDING_COMPARISON,
          Patch.JOIN_COLUMNS,
          Patch.JOIN_LIMIT,
          Patch.JOINED_SUBQUERY,
          Patch.SEMI_JOIN,
          Patch.SUBQUERY_LIMIT,
          Patch.SUBQUERY_RESULT,
          Patch.ROW_SUBQUERY,
          Patch.ARRAY_PARAMETERS,
          Patch.POINT_KEYS,
          Patch.BUILT_ROW,
          Patch.CANCELLED_SCAN,
          Patch.UNBOUNDED_UNION,
          Patch.CHILD_VIEW_INDEX,
          Patch.CLOSING_REGION,
          Patch.CONCURRENT_BUILD,
          Patch.CONSTANT_AGGREGATE,
          Patch.CONSTANT_GROUPS,
          Patch.CONSTANT_HAVING,
          Patch.CONSTANT_JOIN,
          Patch.CONSTANT_ORDER,
          Patch.BOOLEAN_CONDITION,
          Patch.CAST_RANGE,
          Patch.DERIVED_GROUPS,
          Patch.HAVING_COLUMNS,
          Patch.HAVING_NULL,
          Patch.DESCENDING_BOOLEAN,
          Patch.DESCENDING_COALESCE,
          Patch.DESCENDING_TIMESTAMP,
          Patch.INDEX_KEY_DELETE,
          Patch.REVERSE_SKIP_SCAN,
          Patch.GROUP_LENGTH,
          Patch.GROUP_LIMIT,
          Patch.HALF_FILE,
          Patch.MOB_INDEX,
          Patch.DELETE_THEN_UPSERT,
          Patch.CONSTRUCTED_ARRAY,
          Patch.DESCENDING_ARGUMENT,
          Patch.DESCENDING_CASE,
          Patch.DESCENDING_CONSTANT,
          Patch.DOTTED_NAME,
          Patch.FOREIGN_ROWS,
          Patch.INDEX_CAST,
          Patch.INDEX_COLUMNS,
          Patch.INDEXED_FAMILY,
          Patch.INEXACT_CONSTANT,
          Patch.INJECTED_FILTER,
          Patch.LOCAL_INDEX_REBUILD,
          Patch.LONG_CONSTANT,
          Patch.LONG_PATTERN,
          Patch.NEGATED_NULL,
          Patch.MALFORMED_SCAN,
          Patch.MISPLACED_SUBQUERY,
          Patch.APPROXIMATE_COUNT,
          Patch.PAGED_LOOKUP,
          Patch.PRUNED_COLUMN,
          Patch.QUOTED_FAMILY,
          Patch.PARTIAL_BUILD,
          Patch.PARTIAL_INDEX,
          Patch.PAST_DELETE,
          Patch.PAST_ROWS,
          Patch.REOPENED_SCAN,
          Patch.REPEATED_UPSERT,
          Patch.SALTED_REGIONS,
          Patch.SELF_JOIN,
          Patch.SERVER_OFFSET,
          Patch.SHARED_CONFIGURATION,
          Patch.SHARED_THREADS,
          Patch.SINGLE_CELL_FAMILY,
          Patch.SKIPPED_MUTATION,
          Patch.SNAPSHOT_READ,
          Patch.TIMELINE_READ,
          Patch.UNCHANGED_INDEX_KEY,
          Patch.UNCOVERED_INDEX,
          Patch.UNQUALIFIED_COLUMN,
          Patch.DEFAULT_COLUMN,
          Patch.DROPPED_COLUMN,
          Patch.DROPPED_INDEX,
          Patch.ENDLESS_PADDING,
          Patch.EXPIRED_VALUES,
          Patch.FAMILY_DELETE,
          Patch.FIRST_FAMILY,
          Patch.RELEASED_MEMORY,
          Patch.UNDEFINED_COLUMN,
          Patch.UPDATE_KEY,
          Patch.UPDATE_TYPE,
          Patch.VIEW_DELETE,
          Patch.VIEW_INDEX_WRITES,
          Patch.VIEW_WRITES,
          Patch.ZERO_LIMIT);

  private static DifferentialReport report;

  @BeforeClass
  public static void run() throws Exception {
    try (DifferentialRun run = new DifferentialRun(LEFT_OUT, IS_LONG)) {
      report = run.report();
      run.run(SEED, STATEMENTS);
    }
  }

  @AfterClass
  public static void print() throws Exception {
    if (report != null) {
      System.out.println(report);
      Files.createDirectories(FOLDER);
      Files.writeString(FOLDER.resolve("report.txt"), report.toString());
      write("stock.txt", report.stock());
      write("exact.txt", report.exact());
      write("corrected.txt", report.corrected());
      write("wrong.txt", report.wrong());
      write("left-out.txt", report.leftOut().faults());
      write("left-out-excused.txt", report.leftOut().excused());
    }
  }

  private static void write(String name, List<?> differences) throws Exception {
    Files.writeString(
        FOLDER.resolve(name),
        differences.stream().map(Object::toString).collect(Collectors.joining("\n")));
  }

  @Test
  public void answersLikePhoenixInModeStock() {
    assertThat(report.stock()).isEmpty();
  }

  @Test
  public void differsOnlyByCorrectionsInModeExact() {
    assertThat(report.exact()).isEmpty();
  }

  /** Asserts that each patch corrects a statement. A patch that never acts is not tested. */
  @Test
  public void correctsWithEachPatch() {
    assumeTrue(IS_LONG);
    Set<Patch> patches = EnumSet.copyOf(DifferentialRun.PATCHES);
    patches.removeAll(TESTED_ELSEWHERE);
    assertThat(report.fixCounts().keySet()).containsAll(patches);
  }

  /**
   * Asserts that without one patch, only the defect of this patch comes back. Mode exact must then
   * answer as Phoenix does, or as with all patches.
   */
  @Test
  public void breaksNothingElseWithoutOnePatch() {
    assertThat(report.leftOut().faults()).isEmpty();
  }

  /**
   * Asserts that patches are really left out, so that some statements get Phoenix's answer back.
   */
  @Test
  public void bringsBackDefectsWithoutTheirPatch() {
    assumeTrue(LEFT_OUT.hasAll() && report.leftOut().runs() >= 5_000);
    assertThat(report.leftOut().countOf(LeftOutVerdict.AS_PHOENIX)).isPositive();
  }

  @Test
  public void findsWrongAnswersOfPhoenix() {
    assertThat(report.countOf("phoenix: WRONG")).isGreaterThanOrEqualTo(STATEMENTS * 3 / 100);
  }
}
