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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.avatica.util.ByteString;

/** Generates random tables, views, indexes and values for statements that write. */
final class WrittenTableGenerator {

  private static final int POOL = 4;

  private final Random random;

  /** Few values for each column, so that statements meet the same rows. */
  private final Map<String, List<Object>> pools = new HashMap<>();

  private int names;

  WrittenTableGenerator(Random random) {
    this.random = random;
  }

  WrittenTableDefinition table() {
    List<Column> columns = new ArrayList<>();
    int keys = 1 + random.nextInt(3);
    for (int i = 0; i < keys; i++) {
      columns.add(key("K" + (i + 1), i, keys));
    }
    String[] families = random.nextInt(3) == 0 ? new String[] {null, "A"} : new String[1];
    columns.add(Column.value("V1", ValueType.INTEGER, pick(families)));
    int values = 1 + random.nextInt(3);
    for (int i = 0; i < values; i++) {
      columns.add(value("V" + (i + 2), pick(families)));
    }
    int salt = random.nextInt(4) > 0 ? 0 : 3;
    boolean immutable = random.nextInt(4) == 0;
    return new WrittenTableDefinition(columns, properties(salt, immutable), salt, immutable, null);
  }

  private Column key(String name, int position, int keys) {
    boolean last = position == keys - 1;
    ValueType type = pick(ValueType.values());
    while (type == ValueType.BOOLEAN || (type == ValueType.VARBINARY && !last)) {
      type = pick(ValueType.values());
    }
    boolean nullable = position > 0 && !type.isFixedWidth() && random.nextBoolean();
    // The patch descending-decimal-bytes is off by default.
    boolean descending =
        random.nextInt(3) == 0
            && type.kind != Kind.BYTES
            && type != ValueType.CHAR
            && type != ValueType.SCALED;
    return Column.key(name, type, nullable, descending);
  }

  Column value(String name, String family) {
    return Column.value(
        name, random.nextInt(3) == 0 ? ValueType.VARCHAR : pick(ValueType.values()), family);
  }

  private String properties(int salt, boolean immutable) {
    List<String> properties = new ArrayList<>();
    if (salt > 0) {
      properties.add("SALT_BUCKETS=" + salt);
    }
    if (immutable) {
      properties.add("IMMUTABLE_ROWS=true");
      if (random.nextBoolean()) {
        properties.add("IMMUTABLE_STORAGE_SCHEME=ONE_CELL_PER_COLUMN");
      }
    } else if (random.nextBoolean()) {
      properties.add("COLUMN_ENCODED_BYTES=0");
    }
    return properties.isEmpty() ? "" : " " + String.join(", ", properties);
  }

  /** Chooses region boundaries at and near possible row keys. */
  List<ByteString> boundaries(WrittenTableDefinition definition, WrittenTable table)
      throws Exception {
    TreeSet<ByteString> boundaries = new TreeSet<>();
    for (int bucket = 1; bucket < definition.saltBuckets(); bucket++) {
      boundaries.add(new ByteString(new byte[] {(byte) bucket}));
    }
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      boundaries.add(boundary(new ModelTable(definition), table));
    }
    List<ByteString> writable = new ArrayList<>();
    byte[] start = {};
    for (ByteString boundary : boundaries) {
      if (WrittenRegions.isWritable(start, boundary.getBytes())) {
        writable.add(boundary);
        start = boundary.getBytes();
      }
    }
    return writable;
  }

  /** Returns a key at or near a possible row. */
  ByteString boundary(ModelTable model, WrittenTable table) throws Exception {
    List<Object> key = new ArrayList<>();
    for (Column column : model.keys()) {
      key.add(pooled(column));
    }
    byte[] bytes = table.rowKey(key);
    return new ByteString(
        switch (random.nextInt(3)) {
          case 0 -> Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
          case 1 ->
              KnownWriteDefect.KEY_END.isIncluded()
                  ? Arrays.copyOf(bytes, bytes.length + 1)
                  : afterLastByte(bytes);
          default -> bytes;
        });
  }

  /** Returns a key that is not the key of a row, because its last byte is one too large. */
  private static byte[] afterLastByte(byte[] key) {
    byte[] after = key.clone();
    after[after.length - 1]++;
    return after;
  }

  String newName(String first) {
    names++;
    return first + names;
  }

  /** Returns a view of a relation, or null if the relation cannot have this view. */
  ModelView view(ModelTable table) {
    String parent = pick(table.relations().toArray(String[]::new));
    Set<String> fixed = table.fixed(parent).keySet();
    List<Column> possible =
        table.columns(parent).stream()
            .filter(
                column ->
                    !column.nullable() == column.key()
                        && !fixed.contains(column.name())
                        && !Set.of(Kind.TIME, Kind.BYTES, Kind.FLOATING)
                            .contains(column.type().kind))
            .toList();
    boolean keyColumn = random.nextBoolean();
    List<Column> ofKind = possible.stream().filter(column -> column.key() == keyColumn).toList();
    Column column =
        ofKind.isEmpty() || random.nextInt(4) == 0 ? null : pick(ofKind.toArray(Column[]::new));
    if (column != null && column.key() && table.keys().size() == fixedKeys(table, parent) + 1) {
      return null;
    }
    List<Column> added =
        random.nextInt(3) == 0 ? List.of(value(newName("X"), viewFamily(table))) : List.of();
    return new ModelView(
        newName("$W"), parent, column, column == null ? null : nonNull(column), added);
  }

  /** Returns the family of the columns that views add. It must be one that the table has. */
  String viewFamily(ModelTable table) {
    return KnownWriteDefect.VIEW_FAMILY.isIncluded()
        ? null
        : table.columns(ModelTable.TABLE).stream()
            .filter(column -> column.name().equals("V1"))
            .findFirst()
            .orElseThrow()
            .family();
  }

  private static long fixedKeys(ModelTable table, String relation) {
    Set<String> fixed = table.fixed(relation).keySet();
    return table.keys().stream().filter(key -> fixed.contains(key.name())).count();
  }

  /** Returns a local index of a relation. */
  ModelIndex index(ModelTable table, String relation) {
    Set<String> fixed = table.fixed(relation).keySet();
    List<Column> columns =
        table.columns(relation).stream()
            .filter(column -> !fixed.contains(column.name()) && column.type().kind != Kind.BYTES)
            .toList();
    List<Column> values = columns.stream().filter(column -> !column.key()).toList();
    List<Column> keys = columns.stream().filter(Column::key).toList();
    List<String> parts = new ArrayList<>();
    Set<String> indexed = new HashSet<>();
    if (random.nextInt(3) == 0 && !keys.isEmpty()) {
      Column key = random.nextInt(3) > 0 ? keys.get(0) : pick(keys.toArray(Column[]::new));
      parts.add(key.name());
      indexed.add(key.name());
    }
    int count = parts.isEmpty() || random.nextInt(8) > 0 ? 1 + random.nextInt(2) : 0;
    for (int i = 0; i < count && !values.isEmpty(); i++) {
      Column column = pick(values.toArray(Column[]::new));
      if (indexed.add(column.name())) {
        parts.add(part(column));
      }
    }
    if (parts.isEmpty()) {
      parts.add(keys.get(0).name());
      indexed.add(keys.get(0).name());
    }
    List<String> included =
        table.columns(relation).stream()
            .filter(
                column ->
                    !column.key()
                        && !fixed.contains(column.name())
                        && !indexed.contains(column.name())
                        && random.nextInt(3) == 0)
            .map(Column::name)
            .toList();
    return new ModelIndex(newName("$I"), relation, parts, indexed, included);
  }

  private String part(Column column) {
    String name = column.name();
    // The functions are never null for a value. Indexes on nulls of expressions are a known defect.
    if (column.type() == ValueType.VARCHAR && random.nextInt(3) == 0) {
      return random.nextBoolean() ? "UPPER(" + name + ")" : "SUBSTR(" + name + ", 1, 2)";
    }
    if (name.equals("V1") && random.nextInt(3) == 0) {
      return random.nextBoolean() ? "V1 + 1" : "COALESCE(V1, 3)";
    }
    boolean descending = random.nextInt(3) == 0;
    return name + (descending ? " DESC" : "");
  }

  /** Returns one of the values of a column, or null if the column is nullable. */
  Object pooled(Column column) {
    return column.nullable() && random.nextInt(5) == 0 ? null : nonNull(column);
  }

  Object nonNull(Column column) {
    List<Object> pool =
        pools.computeIfAbsent(
            column.name(),
            name -> {
              List<Object> values = new ArrayList<>();
              for (int i = 0; i < POOL; i++) {
                // Statements add to V1, so its values are small.
                values.add(
                    name.equals("V1")
                        ? ValueType.number(BigDecimal.valueOf(i))
                        : column.type().random(random));
              }
              return values;
            });
    return pool.get(random.nextInt(pool.size()));
  }

  @SafeVarargs
  final <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
