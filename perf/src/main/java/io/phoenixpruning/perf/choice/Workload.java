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
package io.phoenixpruning.perf.choice;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table with indexes, and queries that several of them can answer.
 *
 * <p>Each table has three key columns: {@code PK1} tells {@link #leading} values, {@code PK2} ten
 * of each, and {@code PK3} the rest. {@code V} has {@link #VALUES} values, evenly and at random;
 * {@code W} only ten; {@code X} is a text of 100 characters.
 *
 * @param keyTypes of the three key columns, with NOT NULL and an order
 * @param options of CREATE TABLE
 * @param regions how many regions split PK1 evenly; 1 if the options say it
 * @param key a literal of a value of a key column
 * @param indexes a CREATE INDEX each, with {@code %s} for the table
 * @param statistics whether the queries run once more with statistics
 */
record Workload(
    String name,
    List<String> keyTypes,
    String options,
    int regions,
    int leading,
    int rows,
    IntFunction<Object> key,
    List<String> indexes,
    boolean statistics) {

  static final int VALUES = 1_000;

  /** All workloads, or small ones of the same kinds for a quick run. */
  static List<Workload> all(boolean quick) {
    int regions = quick ? 10 : 200;
    int rows = quick ? 2_000 : 200_000;
    List<String> integers = List.of("INTEGER NOT NULL", "INTEGER NOT NULL", "INTEGER NOT NULL");
    IntFunction<Object> number = i -> i;
    List<Workload> all =
        List.of(
            new Workload(
                "BOTH_LAYOUTS",
                integers,
                "",
                regions,
                5 * regions,
                rows,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "LOCAL INDEX %s_PK1_V ON %s (PK1, V)"),
                true),
            new Workload(
                "LOCAL_AND_GLOBAL",
                integers,
                "",
                regions,
                5 * regions,
                rows,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "INDEX %s_G ON %s (V)"),
                true),
            new Workload(
                "COVERED",
                integers,
                "",
                regions / 5,
                regions,
                rows / 2,
                number,
                List.of(
                    "LOCAL INDEX %s_V ON %s (V) INCLUDE (X)", "INDEX %s_G ON %s (V) INCLUDE (X)"),
                false),
            new Workload(
                "FEW_REGIONS",
                integers,
                "",
                3,
                1_000,
                rows / 2,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "LOCAL INDEX %s_W ON %s (W)"),
                true),
            new Workload(
                "MANY_REGIONS",
                integers,
                "",
                10 * regions,
                10 * regions,
                rows / 2,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)"),
                false),
            new Workload(
                "SALTED",
                integers,
                "SALT_BUCKETS = 16",
                1,
                1_000,
                rows / 2,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "INDEX %s_G ON %s (V)"),
                false),
            new Workload(
                "TEXT_KEYS",
                List.of("VARCHAR NOT NULL", "VARCHAR NOT NULL DESC", "VARCHAR NOT NULL"),
                "",
                regions / 2,
                5 * regions,
                rows / 2,
                "k%06d"::formatted,
                List.of("LOCAL INDEX %s_V ON %s (V)", "LOCAL INDEX %s_PK1_V ON %s (PK1, V)"),
                true));
    return all;
  }

  /** CREATE TABLE and CREATE INDEX, in one region. */
  List<String> ddl() {
    String create =
        "CREATE TABLE %s (PK1 %s, PK2 %s, PK3 %s, V INTEGER, W INTEGER, X VARCHAR"
                .formatted(
                    name, column(keyTypes.get(0)), column(keyTypes.get(1)), column(keyTypes.get(2)))
            + " CONSTRAINT PK PRIMARY KEY (PK1, PK2%s, PK3)) "
                .formatted(keyTypes.get(1).endsWith("DESC") ? " DESC" : "")
            + options;
    return Stream.concat(
            Stream.of(create), indexes.stream().map(index -> "CREATE " + index.replace("%s", name)))
        .toList();
  }

  private static String column(String keyType) {
    return keyType.replace(" DESC", "");
  }

  /** The values of PK1 at which regions start, but the first one. */
  List<Object> splits() {
    return IntStream.range(1, regions)
        .mapToObj(i -> key.apply((int) ((long) leading * i / regions)))
        .toList();
  }

  /** SELECTs that more than one plan can answer. */
  List<String> queries() {
    String one = literal(leading / 3);
    String several =
        IntStream.of(1, leading / 4, leading / 2, leading - 2)
            .mapToObj(this::literal)
            .collect(Collectors.joining(", ", "(", ")"));
    String tenth = "BETWEEN " + literal(leading / 5) + " AND " + literal(leading * 3 / 10);
    String second = literal(3);
    return Stream.of(
            "V %s WHERE V = 5",
            "X %s WHERE V = 5",
            "V %s WHERE V = 5 AND PK1 = " + one,
            "X %s WHERE V = 5 AND PK1 = " + one,
            "V %s WHERE V > 500 AND PK1 = " + one,
            "X %s WHERE V BETWEEN 5 AND 50 AND PK1 = " + one + " AND PK2 = " + second,
            "V %s WHERE V = 5 AND PK1 " + tenth,
            "X %s WHERE V = 5 AND PK1 " + tenth,
            "X %s WHERE V BETWEEN 5 AND 8 AND PK1 IN " + several,
            "V %s WHERE V IN (5, 6, 7) AND PK1 IN " + several,
            "X %s WHERE PK1 = " + one,
            "V %s WHERE V = 5 AND PK2 = " + second,
            "COUNT(*) %s WHERE PK1 " + tenth,
            "COUNT(*) %s WHERE V < 100 AND PK1 " + tenth,
            "V %s ORDER BY V LIMIT 10",
            "X %s WHERE W = 5 AND PK1 = " + one)
        .map(query -> query.formatted("FROM " + name))
        .toList();
  }

  private String literal(int i) {
    Object value = key.apply(i);
    return value instanceof String ? "'" + value + "'" : value.toString();
  }
}
