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

import io.phoenixpruning.it.fuzz.ValueType.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.avatica.util.ByteString;

/** Generates random tables, and random regions for them. */
final class TableGenerator {

  private static final int MAX_ROWS = 250;
  private static final int MAX_SPLITS = 11;

  private static final ByteString LAST_INDEX_ID = new ByteString(new byte[] {(byte) 0x80, 0x7f});

  private final Random random;

  TableGenerator(Random random) {
    this.random = random;
  }

  RandomTable table() {
    boolean tenant = random.nextInt(6) == 0;
    List<Column> columns = new ArrayList<>();
    int keys = 1 + random.nextInt(4) + (tenant ? 1 : 0);
    for (int i = 0; i < keys; i++) {
      columns.add(key(i, keys, tenant));
    }
    int values = 2 + random.nextInt(3);
    String[] families = random.nextInt(3) == 0 ? new String[] {null, "A", "B"} : new String[1];
    for (int i = 0; i < values; i++) {
      ValueType type = i == 0 ? ValueType.INTEGER : pick(ValueType.values());
      columns.add(Column.value("V" + (i + 1), type, pick(families)));
    }
    int salt = tenant || random.nextInt(4) > 0 ? 0 : random.nextBoolean() ? 4 : 16;
    boolean dense = random.nextInt(4) > 0;
    List<List<Object>> rows = rows(columns, keys, dense);
    List<Column> partnerColumns = List.of(partner("X1", columns), partner("X2", columns));
    return new RandomTable(
        columns,
        properties(salt, tenant),
        salt,
        indexes(columns, tenant),
        tenant || random.nextInt(3) > 0 ? 0 : viewConstants(columns),
        tenant,
        null,
        random.nextInt(3) == 0,
        random.nextInt(4) == 0,
        rows,
        partnerColumns,
        partners(partnerColumns));
  }

  /**
   * Returns the number of columns that a view fixes: one or two leading columns, or none if that is
   * not possible.
   */
  private int viewConstants(List<Column> columns) {
    int constants = 0;
    for (Column column : columns.subList(0, 1 + random.nextInt(2))) {
      if (!column.key()
          || column.nullable()
          || Set.of(Kind.TIME, Kind.BYTES, Kind.FLOATING).contains(column.type().kind)) {
        break;
      }
      constants++;
    }
    return constants;
  }

  private Column key(int i, int keys, boolean tenant) {
    String name = "K" + (i + 1);
    if (tenant && i == 0) {
      return Column.key(name, ValueType.VARCHAR, false, false);
    }
    boolean last = i == keys - 1;
    ValueType type = pick(ValueType.values());
    while (type == ValueType.BOOLEAN || (type == ValueType.VARBINARY && !last)) {
      type = pick(ValueType.values());
    }
    boolean nullable = i > 0 && !type.isFixedWidth() && random.nextBoolean();
    boolean descending =
        random.nextInt(3) == 0 && type.kind != Kind.BYTES && type != ValueType.CHAR;
    return Column.key(name, type, nullable, descending);
  }

  private Column partner(String name, List<Column> columns) {
    return Column.value(name, pick(columns.toArray(Column[]::new)).type(), null);
  }

  private String properties(int salt, boolean tenant) {
    List<String> properties = new ArrayList<>();
    if (salt > 0) {
      properties.add("SALT_BUCKETS=" + salt);
    }
    if (tenant) {
      properties.add("MULTI_TENANT=true");
    }
    if (random.nextInt(3) == 0) {
      properties.add("IMMUTABLE_ROWS=true");
      if (random.nextBoolean()) {
        properties.add("IMMUTABLE_STORAGE_SCHEME=ONE_CELL_PER_COLUMN");
      }
    } else if (random.nextBoolean()) {
      properties.add("COLUMN_ENCODED_BYTES=0");
    }
    return properties.isEmpty() ? "" : " " + String.join(", ", properties);
  }

  private List<String> indexes(List<Column> columns, boolean tenant) {
    List<String> indexes = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      indexes.add(index(columns, tenant));
    }
    return indexes;
  }

  private String index(List<Column> columns, boolean tenant) {
    List<Column> values =
        columns.stream()
            .filter(column -> !column.key() && column.type().kind != Kind.BYTES)
            .toList();
    Column value = values.get(random.nextInt(values.size()));
    String indexed = value.name();
    if (value.type() == ValueType.VARCHAR && random.nextInt(3) == 0) {
      indexed = "UPPER(" + indexed + ")";
    } else if (value.type() == ValueType.INTEGER && random.nextInt(4) == 0) {
      indexed = indexed + " + 1";
    } else if (value.type().kind != Kind.BYTES && random.nextInt(3) == 0) {
      indexed = indexed + " DESC";
    }
    Column first = columns.get(0);
    String text =
        switch (random.nextInt(4)) {
          case 0 ->
              tenant || first.type().kind == Kind.BYTES ? indexed : first.name() + ", " + indexed;
          case 1 ->
              indexed
                  + values.stream()
                      .filter(other -> !other.equals(value))
                      .map(other -> ", " + other.name())
                      .findFirst()
                      .orElse("");
          default -> indexed;
        };
    String included =
        values.stream()
            .map(Column::name)
            .filter(name -> !text.contains(name) && random.nextInt(3) > 0)
            .reduce((one, two) -> one + ", " + two)
            .map(names -> " INCLUDE (" + names + ")")
            .orElse("");
    return "(" + text + ")" + included;
  }

  /**
   * Generates rows with different keys. Values come from small pools, in which one value is
   * frequent.
   */
  private List<List<Object>> rows(List<Column> columns, int keys, boolean dense) {
    List<List<Object>> pools = new ArrayList<>();
    for (Column column : columns) {
      List<Object> pool = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        pool.add(column.type().random(random));
      }
      pools.add(pool);
    }
    if (columns.get(0).name().equals("K1") && columns.get(0).type() == ValueType.VARCHAR) {
      pools.set(0, new ArrayList<>(List.of("a", "b", "c", "bb", "d")));
    }
    Map<List<Object>, List<Object>> rows = new LinkedHashMap<>();
    int count = random.nextInt(8) == 0 ? random.nextInt(4) + 1 : 1 + random.nextInt(MAX_ROWS);
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        Column column = columns.get(c);
        List<Object> pool = pools.get(c);
        int at = random.nextInt(3) == 0 ? 0 : random.nextInt(pool.size());
        row.add(
            column.nullable() && (column.key() || !dense) && random.nextInt(5) == 0
                ? null
                : column.key() && random.nextInt(3) == 0
                    ? column.type().random(random)
                    : pool.get(at));
      }
      rows.putIfAbsent(row.subList(0, keys), row);
    }
    return new ArrayList<>(rows.values());
  }

  private List<List<Object>> partners(List<Column> columns) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<Object> row = new ArrayList<>();
      row.add(ValueType.number(BigDecimal.valueOf(i)));
      for (Column column : columns) {
        row.add(random.nextInt(5) == 0 ? null : column.type().random(random));
      }
      rows.add(row);
    }
    return rows;
  }

  /**
   * Chooses boundaries near real row keys: whole keys, truncated keys, keys with more bytes at the
   * end, and changed leading columns. For a salted table, most bucket boundaries are added.
   */
  List<ByteString> splits(RandomTable table, List<byte[]> rowKeys) {
    TreeSet<ByteString> splits = new TreeSet<>();
    for (int bucket = 1; bucket < table.saltBuckets(); bucket++) {
      if (random.nextInt(8) > 0) {
        splits.add(new ByteString(new byte[] {(byte) bucket}));
      }
    }
    int count = random.nextInt(MAX_SPLITS + 1);
    for (int i = 0; i < count; i++) {
      byte[] key = rowKeys.get(random.nextInt(rowKeys.size()));
      byte[] split =
          switch (random.nextInt(4)) {
            case 0 -> key;
            case 1 -> Arrays.copyOf(key, 1 + random.nextInt(key.length));
            case 2 -> Arrays.copyOf(key, key.length + 1 + random.nextInt(2));
            default -> changed(key);
          };
      splits.add(new ByteString(split));
    }
    return writable(splits);
  }

  /**
   * Removes boundaries of regions for which HBase would refuse index rows. The key of an index row
   * begins with the region's start key, followed by the index ID, and must lie before the region's
   * end key. In the first region, zeros replace the start key, as many as the end key has bytes.
   */
  private static List<ByteString> writable(Set<ByteString> splits) {
    List<ByteString> writable = new ArrayList<>();
    ByteString previous = null;
    for (ByteString split : splits) {
      ByteString start = previous == null ? new ByteString(new byte[split.length()]) : previous;
      if (start.concat(LAST_INDEX_ID).compareTo(split) < 0) {
        writable.add(split);
        previous = split;
      }
    }
    return writable;
  }

  private byte[] changed(byte[] key) {
    byte[] changed = Arrays.copyOf(key, 1 + random.nextInt(key.length));
    changed[changed.length - 1] += (byte) (1 + random.nextInt(3));
    return changed;
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
