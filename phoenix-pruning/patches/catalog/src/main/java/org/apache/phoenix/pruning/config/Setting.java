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
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes one setting: its name, its default, and how to read a value. */
final class Setting<T> {

  /** The name, and the former name if there is one. */
  private final List<String> names;

  private final T defaultValue;

  /** Describes the values that {@link #parser} reads. */
  private final String allowed;

  private final Function<String, T> parser;

  /** Parses the value of a site file, which may have been written for another version. */
  private final Function<String, T> lenientParser;

  /** Explains in full sentences why a value is not allowed, or returns an empty text. */
  private final UnaryOperator<String> explanation;

  private Setting(
      List<String> names,
      T defaultValue,
      String allowed,
      Function<String, T> parser,
      Function<String, T> lenientParser,
      UnaryOperator<String> explanation) {
    this.names = names;
    this.defaultValue = defaultValue;
    this.allowed = allowed;
    this.parser = parser;
    this.lenientParser = lenientParser;
    this.explanation = explanation;
  }

  /**
   * Creates a setting that {@code parser} reads. The parser returns null for a value that is not
   * allowed.
   */
  static <T> Setting<T> of(
      String name, T defaultValue, String allowed, Function<String, T> parser) {
    return new Setting<>(
        Collections.singletonList(name), defaultValue, allowed, parser, parser, value -> "");
  }

  /**
   * Returns this setting with another parser for the site file. {@code explanation} returns full
   * sentences that say why a value is not allowed, or an empty text.
   */
  Setting<T> withLenientSiteParser(
      Function<String, T> lenientParser, UnaryOperator<String> explanation) {
    return new Setting<>(names, defaultValue, allowed, parser, lenientParser, explanation);
  }

  /** Returns this setting with a former name, which is still accepted with a WARN. */
  Setting<T> withFormerName(String formerName) {
    return new Setting<>(
        Collections.unmodifiableList(Arrays.asList(name(), formerName)),
        defaultValue,
        allowed,
        parser,
        lenientParser,
        explanation);
  }

  static Setting<Boolean> trueOrFalse(String name, boolean defaultValue) {
    return of(name, defaultValue, "one of: true, false", Setting::trueOrFalse);
  }

  private static @Nullable Boolean trueOrFalse(String value) {
    return value.equalsIgnoreCase("true")
        ? Boolean.TRUE
        : value.equalsIgnoreCase("false") ? Boolean.FALSE : null;
  }

  static Setting<Integer> wholeNumber(String name, int smallest, int defaultValue) {
    return of(
        name,
        defaultValue,
        "a whole number from " + smallest + " to " + Integer.MAX_VALUE,
        value -> wholeNumber(value, smallest));
  }

  private static @Nullable Integer wholeNumber(String value, int smallest) {
    try {
      int number = Integer.parseInt(value);
      return number >= smallest ? number : null;
    } catch (NumberFormatException e) {
      // Refused like a number that is too small.
      return null;
    }
  }

  /** Creates a setting whose values are the constants of an enum, in lower case. */
  static <E extends Enum<E>> Setting<E> oneOf(String name, E defaultValue, E[] values) {
    return of(
        name,
        defaultValue,
        Arrays.stream(values)
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", "one of: ", "")),
        text ->
            Arrays.stream(values)
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElse(null));
  }

  String name() {
    return names.get(0);
  }

  /** Returns the name, followed by the former name if there is one. */
  List<String> names() {
    return names;
  }

  T defaultValue() {
    return defaultValue;
  }

  String allowed() {
    return allowed;
  }

  /** Says why {@code value} is not allowed, and which values are. */
  String problem(String value) {
    String why = explanation.apply(value.trim());
    return (why.isEmpty() ? "" : why + " ") + "Expected " + allowed;
  }

  /** Returns the parsed value, or null if {@code value} is not allowed. */
  @Nullable T parse(String value) {
    return parser.apply(value.trim());
  }

  /**
   * Returns the part of a site file's value that is allowed, or null if no part of {@code value}
   * is.
   */
  @Nullable T parseLeniently(String value) {
    return lenientParser.apply(value.trim());
  }
}
