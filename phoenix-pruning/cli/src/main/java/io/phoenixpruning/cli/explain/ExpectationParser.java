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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses expectations: conditions such as {@code regions <= 3} and {@code index = I2}, separated by
 * commas.
 */
final class ExpectationParser {

  /** Thrown for a part of an expectation that cannot be parsed. */
  static final class Malformed extends Exception {

    private static final long serialVersionUID = 1;

    private final transient Position position;

    Malformed(Position position, String message) {
      super(message);
      this.position = position;
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }

    Position position() {
      return position;
    }
  }

  /** Matches the text up to the next comma outside a quoted name. */
  private static final Pattern PART = Pattern.compile("(?:[^,\"]|\"[^\"]*\"?)*");

  private static final Pattern CONDITION =
      Pattern.compile(
          "(?<property>\\w*)\\s*(?<comparison>[^\\w\\s\"]*)\\s*(?<value>.*)", Pattern.DOTALL);

  /** Matches names of tables and indexes that cannot be words of prose. */
  private static final Pattern NAME_NOT_PROSE = Pattern.compile("none|[^a-z]+|\\S*\"\\S*");

  private ExpectationParser() {}

  /**
   * Returns true if {@code text} looks like conditions rather than prose. At least one part must
   * have the name of a property, which may be misspelled, followed by a sign or a value.
   */
  static boolean isLikeConditions(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .anyMatch(
            part ->
                Arrays.stream(Property.values())
                    .anyMatch(property -> isLikeCondition(property, part)));
  }

  private static boolean isLikeCondition(Property property, String text) {
    Matcher matcher = CONDITION.matcher(text);
    if (!matcher.matches() || !Spelling.isLike(property.toString(), matcher.group("property"))) {
      return false;
    }
    if (matcher.group("comparison").matches("[=<>~!:].*")) {
      return true;
    }
    String value = matcher.group("value");
    boolean isName = property == Property.TABLE || property == Property.INDEX;
    return property.expectedValues(value).isEmpty()
        && (!isName || NAME_NOT_PROSE.matcher(value).matches());
  }

  /**
   * Parses one expectation.
   *
   * @param content text after {@code expect:}
   */
  static Expectation parse(SqlComment content) throws Malformed {
    List<ExpectedProperty> conditions = new ArrayList<>();
    Optional<ExpectedProperty> table = Optional.empty();
    Matcher part = PART.matcher(content.text());
    int start = 0;
    while (start <= content.text().length()) {
      part.find(start);
      int blanks = part.group().length() - part.group().stripLeading().length();
      Position position = content.at(start + blanks);
      ExpectedProperty condition = condition(part.group().strip(), position);
      if (condition.property() != Property.TABLE) {
        conditions.add(condition);
      } else if (table.isPresent()) {
        throw new Malformed(
            position, "the expectation names two tables. Write one expectation for each table");
      } else {
        table = Optional.of(condition);
      }
      start = part.end() + 1;
    }
    return new Expectation(content.position(), table, conditions);
  }

  private static ExpectedProperty condition(String text, Position position) throws Malformed {
    Matcher matcher = CONDITION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalStateException("CONDITION does not match: " + text);
    }
    String name = matcher.group("property");
    Property property =
        Property.value(name)
            .orElseThrow(
                () ->
                    new Malformed(
                        position.plus(matcher.start("property")),
                        "'"
                            + name
                            + "' is not a property of a plan. Expected one of: "
                            + Property.all()));
    String sign = matcher.group("comparison");
    ComparisonOperator comparison =
        ComparisonOperator.of(sign)
            .filter(property.comparisons()::contains)
            .orElseThrow(
                () ->
                    new Malformed(
                        position.plus(matcher.start("comparison")),
                        property
                            + " is compared by '"
                            + sign
                            + "'. Expected one of: "
                            + property.comparisons().stream()
                                .map(ComparisonOperator::toString)
                                .collect(Collectors.joining(", "))));
    String value = matcher.group("value");
    Optional<String> refusal = property.expectedValues(value);
    if (refusal.isPresent()) {
      throw new Malformed(
          position.plus(matcher.start("value")),
          property
              + " has the value '"
              + value.replaceAll("\\s+", " ")
              + "'. Expected "
              + refusal.get());
    }
    return new ExpectedProperty(property, comparison, value);
  }
}
