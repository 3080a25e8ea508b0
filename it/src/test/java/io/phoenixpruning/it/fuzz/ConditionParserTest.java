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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexNode;
import org.junit.Test;

/** Compares the short way of {@link ConditionParser} with Calcite's own way to parse conditions. */
public class ConditionParserTest {

  private static final int SEEDS = 10;
  private static final int CONDITIONS = 40;

  /** Both must have boxes for the same conditions, and the boxes must have the same rows. */
  @Test
  public void findsTheRowsThatCalciteFinds() throws Exception {
    int found = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Random random = new Random(seed);
      RandomTable table = new TableGenerator(random).table();
      OracleTables tables = new OracleTables(table);
      OracleParser queries = new OracleParser(tables);
      ConditionParser conditions =
          new ConditionParser(tables.types(), tables.row(table.columns()), tables.number());
      ConditionTreeGenerator generator =
          new ConditionTreeGenerator(random, table.relations().get(0));
      for (int i = 0; i < CONDITIONS; i++) {
        String where = generator.where().sql().calcite();
        Optional<ConditionBoxes> boxes = ConditionBoxes.of(conditions.parse(where), tables.types());
        Optional<ConditionBoxes> ofCalcite =
            ConditionBoxes.of(condition(queries, where), tables.types());
        assertThat(boxes.map(ConditionBoxes::isExact))
            .as("seed %d, condition %d: %s", seed, i, where)
            .isEqualTo(ofCalcite.map(ConditionBoxes::isExact));
        if (boxes.isPresent()) {
          List<List<Object>> rows = rows(table, ofCalcite.get());
          found += rows.size();
          assertThat(rows(table, boxes.get()))
              .as("seed %d, condition %d: %s", seed, i, where)
              .isEqualTo(rows);
        }
      }
    }
    assertThat(found).isGreaterThan(SEEDS * CONDITIONS);
  }

  private static RexNode condition(OracleParser queries, String where) throws Exception {
    RelNode plan = queries.query("SELECT * FROM $T WHERE " + where);
    return ((Filter) plan.getInput(0)).getCondition();
  }

  private static List<List<Object>> rows(RandomTable table, ConditionBoxes boxes) {
    return table.rows().stream()
        .filter(row -> boxes.boxes().stream().anyMatch(box -> isIn(row, box)))
        .toList();
  }

  private static boolean isIn(List<Object> row, Map<Integer, Domain> box) {
    return box.entrySet().stream()
        .allMatch(
            column -> {
              Object value = row.get(column.getKey());
              Domain domain = column.getValue();
              return value == null
                  ? domain.nullable()
                  : domain.ranges().contains(ConditionBoxes.comparable(value));
            });
  }
}
