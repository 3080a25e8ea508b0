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
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table with indexes, and queries for which there is more than one plan.
 *
 * <p>Each table has three key columns: {@code PK1} has {@link #leading} values, {@code PK2} has ten
 * for each of them, and {@code PK3} numbers the rest. {@code V} has {@link #VALUES} values,
 * uniformly at random; {@code W} has only ten. {@code X} is a text of 100 characters.
 *
 * @param name name of the workload in results
 * @param keyTypes types of the three key columns, with NOT NULL and the sort order
 * @param options options of CREATE TABLE
 * @param regions number of regions, with evenly spaced boundaries of PK1; 1 if the options split
 *     the table
 * @param leading number of values of PK1
 * @param rows number of rows
 * @param key returns the value of a key column for a number
 * @param indexes CREATE INDEX statements without CREATE, with {@code %s} for the table name
 * @param statistics whether a second table of this kind has statistics
 */
record ChoiceWorkload(
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

  /** Names of the workloads of a quick run: one with two layouts, and one that is salted. */
  private static final List<String> QUICK = List.of("BOTH_LAYOUTS");

  /** Returns all workloads, or small ones of the same kinds for a quick run. */
  static List<ChoiceWorkload> all(boolean quick) {
    int regions = quick ? 5 : 200;
    int rows = quick ? 1_000 : 200_000;
    List<String> integers = List.of("INTEGER NOT NULL", "INTEGER NOT NULL", "INTEGER NOT NULL");
    IntFunction<Object> number = i -> i;
    List<ChoiceWorkload> all =
        List.of(
            new ChoiceWorkload(
                "BOTH_LAYOUTS",
                integers,
                "",
                regions,
                5 * regions,
                rows,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "LOCAL INDEX %s_PK1_V ON %s (PK1, V)"),
                true),
            new ChoiceWorkload(
                "LOCAL_AND_GLOBAL",
                integers,
                "",
                regions,
                5 * regions,
                rows,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "INDEX %s_G ON %s (V)"),
                true),
            new ChoiceWorkload(
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
            new ChoiceWorkload(
                "FEW_REGIONS",
                integers,
                "",
                3,
                1_000,
                rows / 2,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "LOCAL INDEX %s_W ON %s (W)"),
                true),
            new ChoiceWorkload(
                "MANY_REGIONS",
                integers,
                "",
                10 * regions,
                10 * regions,
                rows / 2,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)"),
                false),
            new ChoiceWorkload(
                "SALTED",
                integers,
                "SALT_BUCKETS = 16",
                1,
                1_000,
                rows / 2,
                number,
                List.of("LOCAL INDEX %s_V ON %s (V)", "INDEX %s_G ON %s (V)"),
                false),
            new ChoiceWorkload(
                "TEXT_KEYS",
                List.of("VARCHAR NOT NULL", "VARCHAR NOT NULL DESC", "VARCHAR NOT NULL"),
                "",
                regions / 2,
                5 * regions,
                rows / 2,
                "k%06d"::formatted,
                List.of("LOCAL INDEX %s_V ON %s (V)", "LOCAL INDEX %s_PK1_V ON %s (PK1, V)"),
                true));
    return quick ? all.stream().filter(workload -> QUICK.contains(workload.name())).toList() : all;
  }

  /** Returns CREATE TABLE and CREATE INDEX for {@code table}, which has one region. */
  List<String> ddl(String table) {
    String create =
        "CREATE TABLE %s (PK1 %s, PK2 %s, PK3 %s, V INTEGER, W INTEGER, X VARCHAR"
                .formatted(
                    table,
                    column(keyTypes.get(0)),
                    column(keyTypes.get(1)),
                    column(keyTypes.get(2)))
            + " CONSTRAINT PK PRIMARY KEY (PK1, PK2%s, PK3)) "
                .formatted(keyTypes.get(1).endsWith("DESC") ? " DESC" : "")
            + options;
    return Stream.concat(
            Stream.of(create),
            indexes.stream().map(index -> "CREATE " + index.replace("%s", table)))
        .toList();
  }

  private static String column(String keyType) {
    return keyType.replace(" DESC", "");
  }

  /** Returns the values of PK1 at which regions start, except the first region. */
  List<Object> splits() {
    return IntStream.range(1, regions)
        .mapToObj(i -> key.apply((int) ((long) leading * i / regions)))
        .toList();
  }

  /** Returns the queries, without SELECT and with {@code %s} for the table name. */
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
        .map(query -> query.formatted("FROM %s"))
        .toList();
  }

  private String literal(int i) {
    Object value = key.apply(i);
    return value instanceof String ? "'" + value + "'" : value.toString();
  }
}
