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

import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.ByteString;

/**
 * A table before its first row.
 *
 * @param columns first the key columns, in the order of the key
 * @param properties properties of CREATE TABLE
 * @param immutable whether rows are written once
 * @param splits region boundaries; null before they are chosen
 */
record WrittenTableDefinition(
    List<Column> columns,
    String properties,
    int saltBuckets,
    boolean immutable,
    List<ByteString> splits) {

  WrittenTableDefinition withSplits(List<ByteString> newSplits) {
    return new WrittenTableDefinition(columns, properties, saltBuckets, immutable, newSplits);
  }

  String ddl() {
    return "CREATE TABLE $T ("
        + columns.stream().map(Column::ddl).collect(Collectors.joining(", "))
        + " CONSTRAINT PK PRIMARY KEY ("
        + columns.stream()
            .filter(Column::key)
            .map(key -> key.name() + (key.descending() ? " DESC" : ""))
            .collect(Collectors.joining(", "))
        + "))"
        + properties;
  }
}
