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
package io.phoenixpruning.it.differential;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.phoenix.pruning.config.PruningOptions;

/** Generates random tables, with their rows. */
final class KeyTableGenerator {

  private final Random random;

  KeyTableGenerator(Random random) {
    this.random = random;
  }

  /** Generates the table {@code name}. */
  KeyTable table(String name) {
    int count = random.nextInt(4) == 0 ? 2 : random.nextInt(5) == 0 ? 4 : 3;
    List<RandomKeyColumn> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key(i, i == count - 1));
    }
    List<String> properties = new ArrayList<>();
    boolean salted = random.nextInt(5) == 0;
    if (salted) {
      properties.add("SALT_BUCKETS=4");
    }
    if (random.nextInt(6) == 0) {
      properties.add("IMMUTABLE_ROWS=true");
    } else if (random.nextInt(4) == 0) {
      properties.add("COLUMN_ENCODED_BYTES=0");
    }
    boolean immutable = properties.contains("IMMUTABLE_ROWS=true");
    String index = immutable ? null : index(name, keys);
    if (random.nextInt(4) == 0 && (index == null || !index.contains("LOCAL"))) {
      // The client's patches alone must not break a query that Phoenix answers correctly. Along a
      // local index, Phoenix's server returns wrong rows, and the client may choose it more often.
      properties.add("\"" + PruningOptions.PATCHES + "\"='none'");
    }
    return new KeyTable(
        name,
        keys,
        properties.isEmpty() ? "" : " " + String.join(", ", properties),
        index,
        random.nextInt(4) == 0 ? random.nextInt(4) : null,
        salted ? 0 : random.nextInt(4),
        random.nextInt(6) == 0,
        rows(keys),
        partners());
  }

  private RandomKeyColumn key(int i, boolean last) {
    KeyType type =
        random.nextInt(3) > 0
            ? Choices.pick(random, List.of(KeyType.INTEGER, KeyType.INTEGER, KeyType.VARCHAR))
            : Choices.pick(random, List.of(KeyType.values()));
    if (type == KeyType.VARBINARY && !last) {
      type = KeyType.VARCHAR;
    }
    boolean nullable = type.isVariable() && !type.isBytes() && random.nextBoolean();
    boolean descending = !type.isBytes() && random.nextInt(5) < 2;
    return new RandomKeyColumn("K" + (i + 1), type, nullable, descending, i);
  }

  private String index(String name, List<RandomKeyColumn> keys) {
    String on = "INDEX " + name + "_I ON " + name;
    String first = keys.get(0).name();
    return switch (random.nextInt(12)) {
      case 0 -> "CREATE " + on + " (V) INCLUDE (W)";
      case 5 -> "CREATE LOCAL " + on + " (U)";
      case 6 -> "CREATE LOCAL " + on + " (W DESC, U)";
      case 7 -> "CREATE " + on + " (U) INCLUDE (V)";
      case 1 -> "CREATE " + on + " (V DESC, " + keys.get(keys.size() - 1).name() + ")";
      case 2 -> "CREATE LOCAL " + on + " (V)";
      case 3, 11 -> "CREATE LOCAL " + on + " (V DESC) INCLUDE (W)";
      case 4 ->
          "CREATE LOCAL " + on + (keys.get(0).type().isBytes() ? " (W)" : " (" + first + ", V)");
      default -> null;
    };
  }

  private List<List<Object>> rows(List<RandomKeyColumn> keys) {
    Map<List<Object>, List<Object>> rows = new LinkedHashMap<>();
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 220);
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      for (RandomKeyColumn key : keys) {
        row.add(
            key.nullable() && random.nextInt(6) == 0
                ? null
                : Choices.pick(random, key.type().samples()));
      }
      List<Object> key = List.copyOf(row.stream().map(String::valueOf).toList());
      if (row.stream().allMatch(Objects::isNull)) {
        continue;
      }
      row.add(random.nextInt(8) == 0 ? null : Choices.pick(random, KeyTable.V.samples()));
      row.add(random.nextInt(8) == 0 ? null : Choices.pick(random, KeyTable.W.samples()));
      row.add(random.nextInt(8) == 0 ? null : Choices.pick(random, KeyTable.U.samples()));
      rows.putIfAbsent(key, row);
    }
    return new ArrayList<>(rows.values());
  }

  private List<List<Object>> partners() {
    List<List<Object>> partners = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<Object> partner = new ArrayList<>();
      partner.add(KeyType.number(BigDecimal.valueOf(i)));
      // Phoenix joins null with null, and no patch corrects it.
      partner.add(Choices.pick(random, KeyTable.V.samples()));
      partner.add(Choices.pick(random, KeyTable.U.samples()));
      partners.add(partner);
    }
    return partners;
  }
}
