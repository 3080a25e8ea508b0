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
package io.phoenixpruning.cli.explain;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.explain.ScanSummary;
import org.apache.phoenix.pruning.explain.ScanType;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.layout.SqlNames;

/** Property of a plan's scans that an expectation can compare. */
enum Property {
  /** Table that is read; the other conditions are then only on the scans of this table. */
  TABLE,

  /** Number of regions planned, over all scans. */
  REGIONS,

  /** Index that each scan reads, or {@value #NONE}. */
  INDEX,

  /** Layout of the local index that each scan reads. */
  LAYOUT,

  /** Type of each scan. */
  SCAN;

  private static final String NONE = "none";

  static Optional<Property> value(String name) {
    return Arrays.stream(values())
        .filter(property -> property.toString().equalsIgnoreCase(name))
        .findFirst();
  }

  static String all() {
    return Arrays.stream(values()).map(Property::toString).collect(Collectors.joining(", "));
  }

  /** Returns the comparisons that are allowed for this property. */
  List<ComparisonOperator> comparisons() {
    return this == REGIONS
        ? List.of(ComparisonOperator.values())
        : List.of(ComparisonOperator.EQUAL);
  }

  /**
   * Returns a description of the allowed values if {@code value} is not allowed; otherwise, empty.
   */
  Optional<String> expectedValues(String value) {
    return switch (this) {
      case TABLE, INDEX ->
          Name.isName(value) ? Optional.empty() : Optional.of("the name of a table or an index");
      case REGIONS ->
          value.matches("\\d{1,9}") ? Optional.empty() : Optional.of("a number of regions");
      case LAYOUT -> oneOf(value, IndexLayout.Kind.values());
      case SCAN -> oneOf(value, ScanType.values());
    };
  }

  private static Optional<String> oneOf(String value, Enum<?>[] allowed) {
    List<String> names = Arrays.stream(allowed).map(Property::format).toList();
    return names.stream().anyMatch(value::equalsIgnoreCase)
        ? Optional.empty()
        : Optional.of("one of: " + String.join(", ", names));
  }

  /**
   * Returns a number of regions as text, or {@code unknown} if EXPLAIN does not state the number.
   */
  static String format(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "unknown";
  }

  private static String format(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the value of this property for a scan. */
  String value(ScanSummary scan) {
    return switch (this) {
      case TABLE -> SqlNames.full(scan.table());
      case REGIONS -> format(scan.regionsPlanned());
      case INDEX -> scan.index().map(SqlNames::full).orElse(NONE);
      case LAYOUT -> scan.layout().map(Property::format).orElse(NONE);
      case SCAN -> format(scan.type());
    };
  }

  /** Returns whether this property is {@code value} for a scan. */
  boolean hasValue(String value, ScanSummary scan) {
    return switch (this) {
      case TABLE -> scan.readsTable(value);
      case INDEX -> value.equalsIgnoreCase(NONE) ? scan.index().isEmpty() : scan.scansIndex(value);
      case REGIONS, LAYOUT, SCAN -> value(scan).equalsIgnoreCase(value);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
