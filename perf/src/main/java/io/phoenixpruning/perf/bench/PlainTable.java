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
package io.phoenixpruning.perf.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A kind of table without a local index. */
enum PlainTable {
  PLAIN,
  SALTED,
  INDEXED;

  /** Number of regions of a table. */
  static final int REGIONS = 4;

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  String tableName() {
    return "PLAIN_" + name();
  }

  /** Returns the name of the table of the same kind that is written while costs are measured. */
  String writtenTableName() {
    return tableName() + "_WRITTEN";
  }

  /** Returns the statements that create a table of this kind, for {@code rows} rows. */
  List<String> ddl(String name, int rows) {
    String create =
        "CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V1 INTEGER, V2 INTEGER, NAME VARCHAR CONSTRAINT PK PRIMARY KEY (K1, K2)) "
            .formatted(name);
    int values = rows / PlainOperation.K2_VALUES;
    String splits =
        IntStream.range(1, REGIONS)
            .mapToObj(i -> Integer.toString(values * i / REGIONS))
            .collect(Collectors.joining(", ", "SPLIT ON (", ")"));
    return switch (this) {
      case PLAIN -> List.of(create + splits);
      case SALTED -> List.of(create + "SALT_BUCKETS = " + REGIONS);
      case INDEXED ->
          List.of(create + splits, "CREATE INDEX %1$s_I ON %1$s (V1) INCLUDE (V2)".formatted(name));
    };
  }
}
