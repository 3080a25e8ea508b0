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
package io.phoenixpruning.it.fuzz;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table in memory, with its views and local indexes. A row is a map from the names of columns to
 * values; nulls may be absent. Rows are never changed, only replaced.
 */
final class ModelTable {

  static final String TABLE = "$T";

  private final WrittenTableDefinition definition;
  private final List<Column> columns;
  private final Map<String, ModelView> views = new LinkedHashMap<>();
  private final Map<String, ModelIndex> indexes = new LinkedHashMap<>();
  private Map<List<Object>, Map<String, Object>> rows = new LinkedHashMap<>();

  ModelTable(WrittenTableDefinition definition) {
    this.definition = definition;
    this.columns = new ArrayList<>(definition.columns());
  }

  /** Returns a copy that can be changed without changing this table. */
  ModelTable copy() {
    ModelTable copy = new ModelTable(definition);
    copy.columns.clear();
    copy.columns.addAll(columns);
    copy.views.putAll(views);
    copy.indexes.putAll(indexes);
    copy.rows.putAll(rows);
    return copy;
  }

  WrittenTableDefinition definition() {
    return definition;
  }

  Map<List<Object>, Map<String, Object>> rows() {
    return rows;
  }

  void setRows(Map<List<Object>, Map<String, Object>> newRows) {
    rows = newRows;
  }

  /** Returns the rows that a relation has. */
  List<Map<String, Object>> rows(String relation) {
    return rows.values().stream().filter(row -> contains(relation, row)).toList();
  }

  List<Column> keys() {
    return definition.columns().stream().filter(Column::key).toList();
  }

  List<Object> key(Map<String, Object> row) {
    List<Object> key = new ArrayList<>();
    keys().forEach(column -> key.add(row.get(column.name())));
    return Collections.unmodifiableList(key);
  }

  /** Returns the names of the table and the views. A view comes after its parent. */
  List<String> relations() {
    List<String> relations = new ArrayList<>();
    relations.add(TABLE);
    relations.addAll(views.keySet());
    return relations;
  }

  boolean hasRelation(String relation) {
    return relation.equals(TABLE) || views.containsKey(relation);
  }

  /** Returns the relation and all its parents, up to the table. */
  List<String> lineage(String relation) {
    List<String> lineage = new ArrayList<>();
    String next = relation;
    while (!next.equals(TABLE)) {
      lineage.add(next);
      next = views.get(next).parent();
    }
    lineage.add(TABLE);
    return lineage;
  }

  /** Returns all columns of a relation, including those of its parents. */
  List<Column> columns(String relation) {
    List<Column> all = new ArrayList<>(columns);
    List<String> lineage = lineage(relation);
    for (int i = lineage.size() - 2; i >= 0; i--) {
      all.addAll(views.get(lineage.get(i)).added());
    }
    return all;
  }

  /** Returns the values of the columns that the WHERE of a view and of its parents fixes. */
  Map<String, Object> fixed(String relation) {
    Map<String, Object> fixed = new HashMap<>();
    for (String each : lineage(relation)) {
      ModelView view = views.get(each);
      if (view != null && view.fixed() != null) {
        fixed.put(view.fixed().name(), view.value());
      }
    }
    return fixed;
  }

  /** Returns whether a relation has the row. */
  boolean contains(String relation, Map<String, Object> row) {
    return fixed(relation).entrySet().stream()
        .allMatch(fixed -> fixed.getValue().equals(row.get(fixed.getKey())));
  }

  Collection<ModelIndex> indexes() {
    return indexes.values();
  }

  ModelIndex index(String name) {
    return indexes.get(name);
  }

  /** Returns the indexes that belong to a relation itself. */
  List<ModelIndex> indexes(String relation) {
    return indexes.values().stream().filter(index -> index.relation().equals(relation)).toList();
  }

  void add(ModelView view) {
    views.put(view.name(), view);
  }

  void add(ModelIndex index) {
    indexes.put(index.name(), index);
  }

  void drop(ModelIndex index) {
    indexes.remove(index.name());
  }

  void add(String relation, Column column) {
    if (relation.equals(TABLE)) {
      columns.add(column);
    } else {
      views.compute(relation, (name, view) -> view.with(column));
    }
  }

  /** Drops a column of the table, and the indexes that have it in their key. */
  void dropColumn(String column) {
    columns.removeIf(each -> each.name().equals(column));
    for (ModelIndex index : List.copyOf(indexes.values())) {
      if (index.indexed().contains(column)) {
        drop(index);
      } else {
        indexes.put(index.name(), index.without(column));
      }
    }
    rows.replaceAll(
        (key, row) -> {
          Map<String, Object> left = new HashMap<>(row);
          left.remove(column);
          return left;
        });
  }

  /** Returns whether the WHERE of a view reads a column. */
  boolean isFixedByAView(String column) {
    return views.values().stream()
        .anyMatch(view -> view.fixed() != null && view.fixed().name().equals(column));
  }
}
