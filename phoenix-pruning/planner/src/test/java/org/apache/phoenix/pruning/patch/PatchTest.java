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
package org.apache.phoenix.pruning.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.util.SchemaUtil;
import org.junit.Test;

public class PatchTest {

  private static final Path PAGES = Path.of("..", "..", "docs", "patches");

  /** Checks that the main code of a module reads the state of each patch. */
  @Test
  public void isCheckedByCode() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String module : List.of("planner", "patches/client", "patches/server")) {
      try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        sources
            .filter(source -> source.toString().matches(".*\\.(aj|java)"))
            .map(PatchTest::text)
            .forEach(code::append);
      }
    }
    for (Patch patch : Patch.values()) {
      assertThat(code).as(patch.id()).containsPattern("(isOn|has)\\(\\s*Patch\\." + patch + "\\b");
    }
  }

  private static String text(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  public void describesADefect() {
    for (Patch patch : Patch.values()) {
      assertThat(patch.id()).as(patch.id()).matches("[a-z]+(-[a-z]+)*");
      assertThat(patch.defect()).as(patch.id()).matches("[A-Z].{20,}\\.");
      assertThat(patch.example())
          .as(patch.id())
          .matches("(SELECT|UPSERT|DELETE|ALTER|DECLARE) [^;]+[^; ]");
      assertThat(patch.side()).as(patch.id()).isNotNull();
      assertThat(patch.tables()).as(patch.id()).matches("[a-z].*[^.]");
      assertThat(patch.issue()).as(patch.id()).matches("not reported|PHOENIX-[0-9]+");
      assertThat(patch.fixedIn()).as(patch.id()).matches("open|[0-9]+\\.[0-9]+\\.[0-9]+");
    }
  }

  /** If a patch changes, paste the expected list of the failure into the page. */
  @Test
  public void areListedInTheOverview() throws IOException {
    String list =
        Arrays.stream(Patch.values())
            .map(
                patch ->
                    row(
                        String.format("[`%1$s`](%1$s.md)", patch.id()),
                        side(patch),
                        scope(patch),
                        patch.isForLocalIndexes() ? "yes" : "no",
                        patch.issue(),
                        patch.fixedIn(),
                        patch.defect()))
            .collect(
                Collectors.joining(
                    "",
                    row(
                            "patch",
                            "side",
                            "scope",
                            "local index",
                            "Phoenix issue",
                            "fixed in",
                            "defect")
                        + "|---|---|---|---|---|---|---|\n",
                    ""));
    String page = Files.readString(PAGES.resolve("README.md"));
    assertThat(page.substring(Math.max(0, page.indexOf("| patch |")))).isEqualTo(list);
  }

  @Test
  public void hasAPage() throws IOException {
    for (Patch patch : Patch.values()) {
      String page = Files.readString(PAGES.resolve(patch.id() + ".md"));
      assertThat(page)
          .as(patch.id())
          .startsWith("# " + patch.id() + "\n")
          .contains(
              "\n|---|---|\n"
                  + row("defect", patch.defect())
                  + row("side", side(patch))
                  + row("scope of the switch", scope(patch))
                  + row("in `local-index`", inLocalIndex(patch))
                  + row("tables", patch.tables()))
          .contains(row("Phoenix issue", patch.issue()) + row("fixed in Phoenix", patch.fixedIn()))
          .contains("\n| affected | ")
          .contains("\n| since | Phoenix ")
          .contains("\n| test | `");
      assertThat(page.replaceAll("\\s+", " ")).as(patch.id()).contains(patch.example() + ";");
    }
    try (Stream<Path> pages = Files.list(PAGES)) {
      assertThat(pages).hasSize(1 + Patch.values().length);
    }
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String side(Patch patch) {
    return patch.side().name().toLowerCase(Locale.ROOT);
  }

  private static String scope(Patch patch) {
    return patch.scope() == Patch.Scope.JVM ? "JVM" : "connection";
  }

  private static String inLocalIndex(Patch patch) {
    return patch.isOptIn() ? "no; also not in `all`" : patch.isForLocalIndexes() ? "yes" : "no";
  }

  @Test
  public void isOnOnlyIfNamed() {
    List<Patch> optIn =
        Arrays.stream(Patch.values()).filter(Patch::isOptIn).collect(Collectors.toList());
    assertThat(optIn)
        .containsExactly(
            Patch.DESCENDING_DECIMAL_BYTES, Patch.INDEX_EXPRESSION_NULL, Patch.NULL_JOIN_KEY);
    for (Patch patch : Patch.values()) {
      assertThat(PatchSet.ALL.has(patch)).as(patch.id()).isEqualTo(!patch.isOptIn());
      assertThat(PatchSet.NONE.has(patch)).as(patch.id()).isFalse();
    }
  }

  @Test
  public void canNeedAnotherPatch() {
    Map<Patch, Patch> needs = new EnumMap<>(Patch.class);
    for (Patch patch : Patch.values()) {
      patch.needs().ifPresent(needed -> needs.put(patch, needed));
    }
    assertThat(needs)
        .isEqualTo(
            Map.ofEntries(
                Map.entry(Patch.DATA_ROW_LOOKUP, Patch.INDEX_ROW_CONDITION),
                Map.entry(Patch.DERIVED_DISTINCT, Patch.JOINED_SUBQUERY),
                Map.entry(Patch.DERIVED_ORDER, Patch.JOINED_SUBQUERY),
                Map.entry(Patch.EMPTY_SUBQUERY, Patch.JOIN_LIMIT),
                Map.entry(Patch.FIRST_VALUE, Patch.ABSENT_AGGREGATE),
                Map.entry(Patch.HAVING_SUBQUERY, Patch.JOINED_SUBQUERY),
                Map.entry(Patch.INDEX_CAST, Patch.CAST_RANGE),
                Map.entry(Patch.MOB_INDEX, Patch.HALF_FILE),
                Map.entry(Patch.POINT_KEYS, Patch.SKIP_SCAN),
                Map.entry(Patch.ROW_SUBQUERY, Patch.SAMPLE_VALUES),
                Map.entry(Patch.ROW_VALUE_RANGES, Patch.SKIP_SCAN),
                Map.entry(Patch.SKIP_SCAN, Patch.ROW_VALUE_RANGES)));
    for (PatchSet named : List.of(PatchSet.ALL, PatchSet.LOCAL_INDEX)) {
      needs.forEach(
          (patch, needed) ->
              assertThat(named.has(patch) && !named.has(needed))
                  .as("%s of %s", patch.id(), named)
                  .isFalse());
      assertThat(named.usable()).as("%s", named).isSameAs(named);
      assertThat(named.usableOnServer()).as("%s", named).isSameAs(named);
    }
    String withoutAll = "all,-point-keys,-row-value-ranges,-skip-scan";
    assertThat(PatchSet.parse("all,-skip-scan").usable()).hasToString(withoutAll);
    assertThat(PatchSet.parse("all,-row-value-ranges").usable()).hasToString(withoutAll);
    for (String usable : List.of("all", "all,-point-keys", "all,-null-ranges", "none,+key-order")) {
      assertThat(PatchSet.parse(usable).usable()).as(usable).isEqualTo(PatchSet.parse(usable));
    }
    PatchSet none = PatchSet.parseKnown("none,+skip-scan,+point-keys");
    assertThat(none.usable()).isSameAs(PatchSet.NONE);
    assertThat(none.patchesWithoutEffect()).containsExactly(Patch.POINT_KEYS, Patch.SKIP_SCAN);
    assertThat(PatchSet.parse("none,+skip-scan,+point-keys")).isNull();
    assertThat(PatchSet.parse("none,+skip-scan,+row-value-ranges"))
        .hasToString("none,+row-value-ranges,+skip-scan");
    assertThat(PatchSet.parse("all,-skip-scan").patchesWithoutEffect()).as("not added").isEmpty();
  }

  @Test
  public void canBeSwitchedOff() {
    PatchSet patches = PatchSet.parse(" ALL , -Skip-Scan,-mixed-order");
    for (Patch patch : Patch.values()) {
      boolean isNamed = patch == Patch.SKIP_SCAN || patch == Patch.MIXED_ORDER;
      assertThat(patches.isNamed(patch)).as(patch.id()).isEqualTo(isNamed);
      assertThat(patches.has(patch)).as(patch.id()).isEqualTo(!isNamed && !patch.isOptIn());
    }
    assertThat(patches).hasToString("all,-mixed-order,-skip-scan");
    assertThat(PatchSet.parse(patches.toString())).isEqualTo(patches);
    for (String value :
        List.of(
            "-skip-scan",
            "all,",
            "all,-",
            "all,+",
            "all,skip-scan",
            "all,-skip-scan,",
            "all,-none",
            "all,+none")) {
      assertThat(PatchSet.parse(value)).as(value).isNull();
    }
  }

  @Test
  public void canBeSwitchedOn() {
    for (Patch patch : Patch.values()) {
      if (!patch.needs().isPresent()) {
        PatchSet alone = PatchSet.parse("none,+" + patch.id());
        assertThat(Arrays.stream(Patch.values()).filter(alone::has))
            .as(patch.id())
            .containsExactly(patch);
        assertThat(alone).as(patch.id()).hasToString("none,+" + patch.id());
      }
    }
    PatchSet patches = PatchSet.parse("local-index,+server-cache,-key-order");
    assertThat(patches.has(Patch.SERVER_CACHE)).isTrue();
    assertThat(patches.has(Patch.KEY_ORDER)).isFalse();
    assertThat(patches).hasToString("local-index,-key-order,+server-cache");
    assertThat(PatchSet.parse(patches.toString())).isEqualTo(patches);
  }

  @Test
  public void canBeNamedWithoutEffect() {
    for (String value :
        List.of("all,+key-order", "all,-descending-decimal-bytes", "all,-key-order,+key-order")) {
      assertThat(PatchSet.parse(value)).as(value).isSameAs(PatchSet.ALL);
    }
    assertThat(PatchSet.parse("none,-key-order")).isSameAs(PatchSet.NONE);
    assertThat(PatchSet.parse("none,+key-order,-key-order")).isSameAs(PatchSet.NONE);
    assertThat(PatchSet.parse("all,+key-order,-key-order")).hasToString("all,-key-order");
  }

  @Test
  public void reportsUnknownIds() {
    String value = "all, -Key-Oder,+no-such,-key-order,x,+";
    assertThat(PatchSet.unknownIds(value)).containsExactly("key-oder", "no-such");
    assertThat(PatchSet.parseKnown(value)).as("a part without a sign").isNull();
    assertThat(PatchSet.parseKnown("local-index,-key-oder,-key-order"))
        .hasToString("local-index,-key-order");
    assertThat(PatchSet.parse("local-index,-key-oder,-key-order")).isNull();
    assertThat(PatchSet.parseKnown("every,-key-order")).isNull();
  }

  /** The result has the patches that the client requests and the server allows. */
  @Test
  public void intersectionHasThePatchesOfBothSets() {
    PatchSet without = PatchSet.parse("all,-skip-scan");
    assertThat(without.and(PatchSet.ALL)).isEqualTo(without);
    assertThat(PatchSet.ALL.and(without)).isEqualTo(without);
    assertThat(without.and(PatchSet.LOCAL_INDEX)).hasToString("local-index,-skip-scan");
    assertThat(PatchSet.LOCAL_INDEX.and(without)).hasToString("local-index,-skip-scan");
    assertThat(without.and(PatchSet.parse("all,-null-ranges")))
        .hasToString("all,-null-ranges,-skip-scan");
    assertThat(without.and(PatchSet.NONE)).isSameAs(PatchSet.NONE);
    assertThat(PatchSet.ALL.and(PatchSet.parse("all,+descending-decimal-bytes")))
        .isSameAs(PatchSet.ALL);
  }

  @Test
  public void travelsWithAScan() throws IOException {
    for (Patch patch : Patch.values()) {
      if (!patch.isOptIn()) {
        PatchSet without = PatchSet.parse("all,-skip-scan,-" + patch.id());
        Scan scan = new Scan();
        PatchRequest.set(scan, without);
        assertThat(PatchRequest.of(scan))
            .as(patch.id())
            .isEqualTo(patch.isRequested() ? without : PatchSet.parse("all,-skip-scan"));
      }
    }
    for (PatchSet patches : List.of(PatchSet.ALL, PatchSet.LOCAL_INDEX, PatchSet.NONE)) {
      Scan scan = new Scan();
      PatchRequest.set(scan, patches);
      assertThat(PatchRequest.of(scan)).as("%s", patches).isSameAs(patches);
      assertThat(PatchRequest.of(new Scan(scan))).as("%s, copied", patches).isSameAs(patches);
    }
    Scan scan = new Scan();
    PatchRequest.set(scan, PatchSet.parse("none,+key-order,+mixed-order"));
    assertThat(new String(scan.getAttribute(PatchRequest.ATTRIBUTE), StandardCharsets.UTF_8))
        .as("a form that older servers know")
        .startsWith("all,-anti-join,-")
        .doesNotContain("+", "key-order", "mixed-order");
    for (Patch patch : Patch.values()) {
      if (patch.isRequested()) {
        assertThat(PatchRequest.of(scan).has(patch))
            .as(patch.id())
            .isEqualTo(patch == Patch.KEY_ORDER);
      }
    }
    PatchRequest.set(scan, PatchSet.parse("local-index,+server-cache"));
    assertThat(PatchRequest.of(scan)).isSameAs(PatchSet.LOCAL_INDEX);
    PatchRequest.set(scan, PatchSet.parse("none,+mixed-order"));
    assertThat(scan.getAttributesMap()).doesNotContainKey(PatchRequest.ATTRIBUTE);
    PatchRequest.set(scan, PatchSet.parse("all,+descending-decimal-bytes,-mixed-order"));
    assertThat(PatchRequest.of(scan)).as("without those of the JVM").isSameAs(PatchSet.ALL);
    assertThat(new Scan().getAttribute(PatchRequest.ATTRIBUTE)).isNull();
    PatchRequest.set(scan, PatchSet.NONE);
    assertThat(scan.getAttributesMap()).doesNotContainKey(PatchRequest.ATTRIBUTE);
  }

  /**
   * A server follows either the scan or its own settings. So a scan must name each patch that has a
   * part on the server, unless the JVM decides on the patch.
   */
  @Test
  public void patchesOfServersAreRequestedOrFollowTheJvm() {
    for (Patch patch : Patch.values()) {
      if (patch.side() != Patch.Side.CLIENT) {
        assertThat(patch.isRequested() || patch.scope() == Patch.Scope.JVM).as(patch.id()).isTrue();
      }
    }
  }

  /** Read {@link PatchRequest} before you change this list. */
  @Test
  public void scansAlwaysNameTheSamePatches() {
    List<String> requested =
        Arrays.stream(Patch.values())
            .filter(PatchSet.ALL.requested()::has)
            .filter(Patch::isRequested)
            .map(Patch::id)
            .collect(Collectors.toList());
    assertThat(requested)
        .containsExactly(
            "anti-join",
            "cancelled-scan",
            "coerced-key-part",
            "comparison-range",
            "data-row-lookup",
            "descending-groups",
            "descending-order",
            "distinct-prefix",
            "empty-batch",
            "hinted-index",
            "index-row-condition",
            "inherited-index",
            "joined-aggregate",
            "joined-types",
            "key-order",
            "null-ranges",
            "point-keys",
            "row-value-ranges",
            "skip-scan",
            "substring-range");
  }

  @Test
  public void isOffForARequestThatCannotBeRead() {
    byte[][] requests = {
      null,
      {},
      {0},
      {-1, -2},
      "every".getBytes(StandardCharsets.UTF_8),
      "all ".getBytes(StandardCharsets.UTF_8),
      "all,+descending-decimal-bytes".getBytes(StandardCharsets.UTF_8),
      "all,-descending-decimal-bytes".getBytes(StandardCharsets.UTF_8),
      "all,-mixed-order".getBytes(StandardCharsets.UTF_8),
      "all,-no-such-patch".getBytes(StandardCharsets.UTF_8),
      "all,+key-order".getBytes(StandardCharsets.UTF_8),
      "none,+key-order".getBytes(StandardCharsets.UTF_8),
      "all,-SKIP-SCAN".getBytes(StandardCharsets.UTF_8),
      "all,-skip-scan,-skip-scan".getBytes(StandardCharsets.UTF_8),
      "none,-skip-scan".getBytes(StandardCharsets.UTF_8),
      "all,-null-or-value".getBytes(StandardCharsets.UTF_8),
      new byte[10_000_000]
    };
    for (byte[] request : requests) {
      Scan scan = new Scan().setAttribute(PatchRequest.ATTRIBUTE, request);
      assertThat(PatchRequest.of(scan))
          .as(
              "%s",
              request == null
                  ? null
                  : Bytes.toStringBinary(request, 0, Math.min(40, request.length)))
          .isSameAs(PatchSet.NONE);
    }
  }

  /**
   * The upper bound of the range is a prefix of its lower bound, as in ranges of descending values.
   */
  @Test
  public void keepsRangesOfDescendingPrefixesForScansThatNameIt() throws Exception {
    KeyRange range =
        KeyRange.getKeyRange(new byte[] {5, 6, 7}, true, new byte[] {5, 6}, true, true);
    SkipScanFilter sent = new SkipScanFilter(List.of(List.of(range)), SchemaUtil.VAR_BINARY_SCHEMA);
    SkipScanFilter read = SkipScanFilter.parseFrom(sent.toByteArray());
    assertThat(read.getSlots().get(0)).containsExactly(KeyRange.EMPTY_RANGE);
    Scan scan = new Scan().setFilter(new FilterList(read));
    PatchRequest.apply(scan);
    assertThat(read.getSlots().get(0)).containsExactly(KeyRange.EMPTY_RANGE);
    PatchRequest.set(scan, PatchSet.ALL);
    PatchRequest.apply(scan);
    PatchRequest.apply(scan);
    assertThat(read.getSlots().get(0).get(0).getLowerRange()).containsExactly(5, 6, 7);
    assertThat(read.getSlots().get(0).get(0).getUpperRange()).containsExactly(5, 6);
  }
}
