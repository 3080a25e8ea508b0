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
package org.apache.phoenix.pruning.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;

/** Lists all settings, with their defaults and the values that are allowed. */
final class Settings {

  static final Setting<PruningMode> MODE =
      Setting.oneOf(PruningOptions.MODE, PruningMode.EXACT, PruningMode.values());

  static final Setting<PatchSet> PATCHES =
      Setting.of(PruningOptions.PATCHES, PatchSet.ALL, PatchSet.allowed(), PatchSet::parse)
          .withLenientSiteParser(PatchSet::parseUsable, Settings::explain);

  static final Setting<Boolean> VERIFY = Setting.trueOrFalse(PruningOptions.VERIFY, false);

  static final Setting<Boolean> EXPLAIN_CANDIDATES =
      Setting.trueOrFalse(PruningOptions.EXPLAIN_CANDIDATES, false);

  static final Setting<Boolean> EXPLAIN_REGIONS =
      Setting.trueOrFalse(PruningOptions.EXPLAIN_REGIONS, true);

  static final Setting<Integer> MAX_REGIONS =
      Setting.wholeNumber(PruningOptions.MAX_REGIONS, 1, Integer.MAX_VALUE);

  static final Setting<Boolean> PROBE = Setting.trueOrFalse(PruningOptions.PROBE, true);

  static final Setting<Integer> PROBE_MIN_REGIONS =
      Setting.wholeNumber(PruningOptions.PROBE_MIN_REGIONS, 2, 64);

  static final Setting<Integer> PROBE_BATCH_REGIONS =
      Setting.wholeNumber(PruningOptions.PROBE_BATCH_REGIONS, 2, 500)
          .withFormerName("phoenix.pruning.probe.chunk.regions");

  static final Setting<Integer> PROBE_ROWS_KB =
      Setting.wholeNumber(PruningOptions.PROBE_ROWS_KB, 0, 512);

  static final Setting<Integer> PROBE_DEADLINE_MS =
      Setting.wholeNumber(PruningOptions.PROBE_DEADLINE_MS, 1, 500);

  static final Setting<Integer> SCAN_CONCURRENCY =
      Setting.wholeNumber(PruningOptions.SCAN_CONCURRENCY, 1, 64)
          .withFormerName("phoenix.pruning.fanout.tasks");

  /** All settings that clients read. */
  static final List<Setting<?>> OF_CLIENTS =
      Collections.unmodifiableList(
          Arrays.asList(
              MODE,
              PATCHES,
              VERIFY,
              EXPLAIN_CANDIDATES,
              EXPLAIN_REGIONS,
              MAX_REGIONS,
              PROBE,
              PROBE_MIN_REGIONS,
              PROBE_BATCH_REGIONS,
              PROBE_ROWS_KB,
              PROBE_DEADLINE_MS,
              SCAN_CONCURRENCY));

  /** Names of the settings that only region servers read. */
  private static final List<String> OF_SERVERS =
      Collections.unmodifiableList(
          Arrays.asList(
              PruningOptions.SERVER_CHECK_CONCURRENCY,
              PruningOptions.SERVER_PROBE_SHARE,
              PruningOptions.SERVER_PROBE_PAGE_MS));

  /** Names of all settings, and their former names. */
  static final Set<String> NAMES = names();

  private Settings() {}

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(OF_SERVERS);
    for (Setting<?> setting : OF_CLIENTS) {
      names.addAll(setting.names());
    }
    return Collections.unmodifiableSet(names);
  }

  /** Explains why a value is not allowed: unknown patches, and patches that need another one. */
  private static String explain(String value) {
    List<String> ids = Arrays.stream(Patch.values()).map(Patch::id).collect(Collectors.toList());
    Stream<String> unknown =
        PatchSet.unknownIds(value).stream()
            .map(
                id ->
                    String.format(
                        "There is no patch '%s'. Did you mean %s?",
                        id, SettingSource.closest(id, ids)));
    PatchSet known = PatchSet.parseKnown(value);
    Stream<String> withoutEffect =
        known == null
            ? Stream.empty()
            : known.patchesWithoutEffect().stream()
                .map(
                    patch ->
                        String.format(
                            "%1$s needs %2$s. Add ,+%2$s to the value.",
                            patch.id(), patch.needs().map(Patch::id).orElse("another patch")));
    return Stream.concat(unknown, withoutEffect).collect(Collectors.joining(" "));
  }
}
