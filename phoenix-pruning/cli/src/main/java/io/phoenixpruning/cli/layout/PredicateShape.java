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
package io.phoenixpruning.cli.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.layout.IndexKeyColumn;
import org.apache.phoenix.pruning.layout.IndexKeyColumn.Role;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.layout.IndexRow;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a lookup along an index.
 *
 * @param text condition with values, for people
 * @param where the same condition with parameters
 * @param values values of the parameters
 */
record PredicateShape(String text, String where, List<Object> values) {

  /** A condition on one column. */
  private record Condition(IndexKeyColumn column, String operator, @Nullable Object value) {

    static Condition equal(IndexKeyColumn column, @Nullable Object value) {
      return value == null
          ? new Condition(column, "IS NULL", null)
          : new Condition(column, "= ", value);
    }

    String text() {
      return column.name() + " " + operator + (value == null ? "" : column.literal(value));
    }

    String where() {
      return column.sql() + " " + operator + (value == null ? "" : "?");
    }
  }

  private static PredicateShape of(List<Condition> conditions) {
    return new PredicateShape(
        conditions.stream().map(Condition::text).collect(Collectors.joining(" AND ")),
        conditions.stream().map(Condition::where).collect(Collectors.joining(" AND ")),
        conditions.stream().map(Condition::value).filter(Objects::nonNull).toList());
  }

  /**
   * Returns the following conditions of lookups along an index. Each of them also includes the
   * tenant of a multi-tenant table.
   *
   * <ul>
   *   <li>the indexed columns
   *   <li>the indexed columns and a range of the first column of the data row key
   *   <li>the indexed columns and the first column of the data row key
   *   <li>the leading columns of a rearranged index
   *   <li>the whole key
   * </ul>
   *
   * @param row row whose values are looked up
   */
  static List<PredicateShape> of(IndexLayout layout, IndexRow row) {
    List<IndexKeyColumn> first = layout.dataKey().stream().limit(1).toList();
    List<IndexKeyColumn> indexed = indexed(layout);
    Stream.Builder<PredicateShape> shapes = Stream.builder();
    shapes.add(of(layout, row, indexed::contains, List.of()));
    shapes.add(of(layout, row, indexed::contains, first));
    shapes.add(
        of(layout, row, column -> indexed.contains(column) || first.contains(column), List.of()));
    if (!layout.prefix().isEmpty()) {
      shapes.add(of(layout, row, layout.prefix()::contains, List.of()));
    }
    shapes.add(of(layout, row, column -> true, List.of()));
    return shapes.build().distinct().toList();
  }

  /**
   * Returns the columns that the index adds to the data row key. If the index adds none, returns
   * its first column of the data row key.
   */
  private static List<IndexKeyColumn> indexed(IndexLayout layout) {
    List<IndexKeyColumn> indexed =
        layout.key().stream().filter(column -> column.role() == Role.INDEXED).toList();
    return indexed.isEmpty()
        ? layout.key().stream().filter(layout.dataKey()::contains).limit(1).toList()
        : indexed;
  }

  /**
   * Returns a condition with the values of {@code row}: equality for some columns, and a range for
   * others.
   */
  private static PredicateShape of(
      IndexLayout layout,
      IndexRow row,
      Predicate<IndexKeyColumn> isEqual,
      List<IndexKeyColumn> ranges) {
    List<Condition> conditions = new ArrayList<>();
    for (int i = 0; i < layout.key().size(); i++) {
      IndexKeyColumn column = layout.key().get(i);
      Object value = row.values().get(i);
      if (ranges.contains(column) && value != null) {
        conditions.add(new Condition(column, ">= ", value));
      } else if (column.role() == Role.TENANT
          || column.role() != Role.INDEX_ID && isEqual.test(column)) {
        conditions.add(Condition.equal(column, value));
      }
    }
    return of(conditions);
  }
}
