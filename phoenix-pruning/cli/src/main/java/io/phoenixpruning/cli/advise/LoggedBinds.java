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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.report.format.Figures;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.BindParseNode;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.schema.types.PArrayDataType;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/**
 * Parses parameter values that Phoenix logged, and makes sample values if the log has none. Phoenix
 * logs values as texts without types, joined with commas.
 */
final class LoggedBinds {

  /** Remedy for a statement without readable values in the log. */
  static final String REMEDY =
      "Put the statement in a file for --queries, with -- bind: 25, 'x' before it";

  /** Types to try, in this order, for a parameter whose type Phoenix does not know. */
  static final List<PDataType<?>> GUESSES =
      List.of(PVarchar.INSTANCE, PInteger.INSTANCE, PDate.INSTANCE);

  /** Matches {@code ANY(?)} and {@code ALL(?)}. */
  private static final Pattern ANY_OR_ALL =
      Pattern.compile("\\b(?:ANY|ALL)\\s*\\(\\s*(\\?|:\\d+)\\s*\\)", Pattern.CASE_INSENSITIVE);

  /** Matches {@code (K1, K2) IN ((?, ?), (?, ?))}: the columns, and the list of rows. */
  private static final Pattern IN_ROWS =
      Pattern.compile(
          "(?<![\\w\"])(\\([^()?:]*,[^()?:]*\\))\\s*(?:NOT\\s+)?IN\\s*"
              + "\\(\\s*(\\([^()]*\\)(?:\\s*,\\s*\\([^()]*\\))*+)\\s*\\)",
          Pattern.CASE_INSENSITIVE);

  /** Number of letters that a sample text may end with: a to y. */
  private static final int LAST_LETTERS = 25;

  private LoggedBinds() {}

  /**
   * Returns the types of a statement's parameters; an element is null if Phoenix does not know the
   * type.
   *
   * @param ignored ignored, because the statement is compiled without values
   */
  static List<@Nullable PDataType<?>> types(Connection connection, String sql, Object... ignored)
      throws SQLException {
    Set<Integer> arrays = arrays(new SQLParser(sql).parseStatement());
    try (PreparedStatement statement = connection.prepareStatement(rewriteForTypes(sql))) {
      ParameterMetaData parameters = statement.getParameterMetaData();
      List<@Nullable PDataType<?>> types = new ArrayList<>();
      for (int i = 0; i < parameters.getParameterCount(); i++) {
        PDataType<?> type = type(parameters, i + 1);
        types.add(
            type != null && arrays.contains(i)
                ? PDataType.fromTypeId(type.getSqlType() + PDataType.ARRAY_TYPE_BASE)
                : type);
      }
      return types;
    }
  }

  /** Returns the positions, from 0, of the parameters that are the array of an ANY or ALL. */
  private static Set<Integer> arrays(BindableStatement statement) {
    Set<Integer> arrays = new HashSet<>();
    for (ParseNode node : StatementParts.of(statement).nodes()) {
      if (node instanceof ArrayAllAnyComparisonNode
          && node.getChildren().get(0) instanceof BindParseNode array) {
        arrays.add(array.getIndex());
      }
    }
    return arrays;
  }

  /**
   * Rewrites conditions so that Phoenix finds the types of their parameters. Rewrites {@code V =
   * ANY(?)} as {@code V = ?}. Rewrites {@code (K1, K2) IN ((?, ?), (?, ?))} as {@code ((K1, K2) =
   * (?, ?) OR (K1, K2) = (?, ?))}.
   */
  private static String rewriteForTypes(String sql) {
    String withoutArrays = ANY_OR_ALL.matcher(sql).replaceAll(" $1");
    return IN_ROWS.matcher(withoutArrays).replaceAll(LoggedBinds::toComparisons);
  }

  private static String toComparisons(MatchResult in) {
    String columns = in.group(1);
    String rows =
        in.group(2).replaceAll("\\)\\s*,", Matcher.quoteReplacement(") OR " + columns + " ="));
    return Matcher.quoteReplacement("(" + columns + " = " + rows + ")");
  }

  private static @Nullable PDataType<?> type(ParameterMetaData parameters, int number) {
    try {
      return parameters.getParameterClassName(number) == null
          ? null
          : PDataType.fromTypeId(parameters.getParameterType(number));
    } catch (SQLException e) {
      // Phoenix has found no type for the parameter.
      return null;
    }
  }

  /**
   * Parses logged values.
   *
   * @return one value for each type; null for an empty text, because Phoenix logs null as an empty
   *     text
   * @throws RefusedException if the number of values is wrong, or a value does not fit its type
   */
  static @Nullable Object[] parse(String logged, List<@Nullable PDataType<?>> types) {
    // A single text value may contain commas.
    String[] texts = types.size() == 1 ? new String[] {logged} : logged.split(",", -1);
    if (texts.length != types.size()) {
      throw new RefusedException(
          "the log has "
              + Figures.plural(texts.length, "comma-separated value")
              + " for "
              + types.size()
              + " parameters. "
              + REMEDY);
    }
    @Nullable Object[] values = new Object[texts.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = texts[i].isEmpty() ? null : value(i + 1, texts[i], types.get(i));
    }
    return values;
  }

  /**
   * Returns a fixed sample value of each type for a statement whose values are not known. Values
   * ascend, and upper bounds come last. So {@code K >= ? AND K < ?}, {@code K < ? AND K >= ?} and
   * {@code K BETWEEN ? AND ?} are ranges with rows.
   *
   * @param types the parameter types; an element is null if Phoenix does not know the type
   * @param guess the type of parameters without a known type; if null, their values are null
   */
  static @Nullable Object[] samples(
      List<@Nullable PDataType<?>> types,
      @Nullable PDataType<?> guess,
      BindableStatement statement) {
    Set<Integer> upperBounds = upperBounds(statement);
    @Nullable Object[] values = new Object[types.size()];
    for (int i = 0; i < values.length; i++) {
      PDataType<?> type = types.get(i) == null ? guess : types.get(i);
      int number = upperBounds.contains(i) ? i + 1 + values.length : i + 1;
      values[i] = type == null ? null : sample(number, type);
    }
    return values;
  }

  /** Returns the positions, from 0, of the parameters that are upper bounds of a comparison. */
  private static Set<Integer> upperBounds(BindableStatement statement) {
    Set<Integer> upperBounds = new HashSet<>();
    for (ParseNode node : StatementParts.of(statement).nodes()) {
      if (node instanceof ComparisonParseNode comparison) {
        switch (comparison.getFilterOp()) {
          case LESS, LESS_OR_EQUAL -> addParameters(comparison.getRHS(), upperBounds);
          case GREATER, GREATER_OR_EQUAL -> addParameters(comparison.getLHS(), upperBounds);
          default -> {}
        }
      }
    }
    return upperBounds;
  }

  private static void addParameters(ParseNode node, Set<Integer> parameters) {
    if (node instanceof BindParseNode bind) {
      parameters.add(bind.getIndex());
    }
    node.getChildren().forEach(child -> addParameters(child, parameters));
  }

  private static Object sample(int number, PDataType<?> type) {
    if (type.isArrayType()) {
      PDataType<?> element = PDataType.arrayBaseType(type);
      return PArrayDataType.instantiatePhoenixArray(
          element, new Object[] {sample(number, element)});
    }
    Class<?> java = type.getJavaClass();
    if (Number.class.isAssignableFrom(java)) {
      int fitting = java == Byte.class ? Math.min(number, Byte.MAX_VALUE) : number;
      return type.toObject(fitting, PInteger.INSTANCE);
    }
    if (java.util.Date.class.isAssignableFrom(java)) {
      return type.toObject(new Timestamp(TimeUnit.DAYS.toMillis(number)), PTimestamp.INSTANCE);
    }
    if (java == Boolean.class) {
      return true;
    }
    String text = text(number);
    return java == String.class ? text : text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns a text that is greater than the texts of lower numbers: a to y, then za to zy, then
   * zza.
   */
  private static String text(int number) {
    int last = (number - 1) % LAST_LETTERS;
    return "z".repeat((number - 1) / LAST_LETTERS) + (char) ('a' + last);
  }

  private static Object value(int number, String text, @Nullable PDataType<?> type) {
    if (type == null) {
      throw new RefusedException(
          "Phoenix does not know the type of parameter " + number + ". " + REMEDY);
    }
    // For bytes and arrays, the log has only Java's name of the object.
    if (!type.getJavaClass().isArray() && !type.isArrayType()) {
      try {
        return type.toObject(text);
      } catch (RuntimeException e) {
        // Phoenix's types throw a RuntimeException for a text that they cannot parse.
        throw unreadable(number, type, e);
      }
    }
    throw unreadable(number, type, null);
  }

  private static RefusedException unreadable(
      int number, PDataType<?> type, @Nullable Exception cause) {
    return new RefusedException(
        "parameter "
            + number
            + " has type "
            + type
            + ", but its value in the log cannot be read as that type. "
            + REMEDY,
        cause);
  }
}
