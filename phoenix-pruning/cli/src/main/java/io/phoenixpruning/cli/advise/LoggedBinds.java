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

import io.phoenixpruning.cli.RefusedException;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.parse.BindParseNode;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.FilterableStatement;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.UpsertStatement;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;

/** The values of parameters as Phoenix logs them: texts without types, joined with commas. */
final class LoggedBinds {

  /** What helps where the log has no values that can be read. */
  static final String REMEDY =
      "put the statement in a file for --queries, with -- bind: 25, 'x' before it";

  private static final int LETTERS = 26;

  private LoggedBinds() {}

  /**
   * The types of a statement's parameters.
   *
   * @param none it is compiled without their values
   * @throws SQLException if Phoenix does not know them all
   */
  static List<PDataType<?>> types(Connection connection, String sql, Object... none)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ParameterMetaData parameters = statement.getParameterMetaData();
      List<PDataType<?>> types = new ArrayList<>();
      for (int i = 1; i <= parameters.getParameterCount(); i++) {
        if (parameters.getParameterClassName(i) == null) {
          throw new SQLSyntaxErrorException(
              "Phoenix does not know the type of parameter " + i + ": " + REMEDY);
        }
        types.add(PDataType.fromTypeId(parameters.getParameterType(i)));
      }
      return types;
    }
  }

  /**
   * Reads values.
   *
   * @return one for each type; null for an empty text, as which Phoenix logs null
   * @throws RefusedException if these are other values
   */
  static Object[] parse(String logged, List<PDataType<?>> types) {
    // One text may have commas of its own.
    String[] texts = types.size() == 1 ? new String[] {logged} : logged.split(",", -1);
    if (texts.length != types.size()) {
      throw new RefusedException(
          "it has "
              + types.size()
              + " parameters, but "
              + (texts.length - 1)
              + " commas are in what the log has of their values: "
              + REMEDY);
    }
    Object[] values = new Object[texts.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = texts[i].isEmpty() ? null : value(i + 1, texts[i], types.get(i));
    }
    return values;
  }

  /**
   * Returns a value of each type, always the same, for a statement whose values are not known.
   * Values ascend, and upper bounds come last, so that {@code K >= ? AND K < ?}, {@code K < ? AND K
   * >= ?} and {@code K BETWEEN ? AND ?} are ranges with rows.
   *
   * @throws RefusedException if Phoenix has no sample of a type
   */
  static Object[] samples(List<PDataType<?>> types, BindableStatement statement) {
    Set<Integer> upperBounds = new HashSet<>();
    FilterableStatement filtered =
        statement instanceof UpsertStatement upsert
            ? upsert.getSelect()
            : (FilterableStatement) statement;
    if (filtered.getWhere() != null) {
      addUpperBounds(filtered.getWhere(), upperBounds);
    }
    Object[] values = new Object[types.size()];
    for (int i = 0; i < values.length; i++) {
      int number = upperBounds.contains(i) ? i + 1 + values.length : i + 1;
      values[i] = sample(number, types.get(i));
    }
    return values;
  }

  /** Adds the parameters, counted from 0, that something has to be less than. */
  private static void addUpperBounds(ParseNode node, Set<Integer> upperBounds) {
    if (node instanceof ComparisonParseNode comparison) {
      CompareOperator operator = comparison.getFilterOp();
      boolean isLess =
          operator == CompareOperator.LESS || operator == CompareOperator.LESS_OR_EQUAL;
      boolean isGreater =
          operator == CompareOperator.GREATER || operator == CompareOperator.GREATER_OR_EQUAL;
      if (isLess && comparison.getRHS() instanceof BindParseNode bind) {
        upperBounds.add(bind.getIndex());
      } else if (isGreater && comparison.getLHS() instanceof BindParseNode bind) {
        upperBounds.add(bind.getIndex());
      }
    }
    node.getChildren().forEach(child -> addUpperBounds(child, upperBounds));
  }

  private static Object sample(int number, PDataType<?> type) {
    Class<?> java = type.getJavaClass();
    if (Number.class.isAssignableFrom(java)) {
      return type.toObject(asByte(number), PTinyint.INSTANCE);
    }
    if (java.util.Date.class.isAssignableFrom(java)) {
      return type.toObject(new Timestamp(TimeUnit.DAYS.toMillis(number)), PTimestamp.INSTANCE);
    }
    if (java == String.class) {
      return String.valueOf((char) ('a' + (number - 1) % LETTERS));
    }
    if (java == Boolean.class) {
      return true;
    }
    if (java == byte[].class) {
      return new byte[] {asByte(number)};
    }
    throw new RefusedException(
        "its parameter "
            + number
            + " is of type "
            + type
            + ", and the log has no value for it: "
            + REMEDY);
  }

  /** Returns a number from 1 to 127, which fits every numeric type. */
  private static byte asByte(int number) {
    return (byte) ((number - 1) % Byte.MAX_VALUE + 1);
  }

  private static Object value(int number, String text, PDataType<?> type) {
    // Of bytes and arrays, Java's names of the objects are logged.
    if (!type.getJavaClass().isArray() && !type.isArrayType()) {
      try {
        return type.toObject(text);
      } catch (RuntimeException e) {
        // So Phoenix's types refuse a text.
        throw unreadable(number, type, e);
      }
    }
    throw unreadable(number, type, null);
  }

  private static RefusedException unreadable(int number, PDataType<?> type, Exception cause) {
    return new RefusedException(
        "its parameter "
            + number
            + " is of type "
            + type
            + ", but what the log has of it is no value of that type: "
            + REMEDY,
        cause);
  }
}
