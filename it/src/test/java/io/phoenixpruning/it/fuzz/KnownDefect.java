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

import java.util.Optional;
import java.util.Set;

/**
 * Cases in which Phoenix 5.2.1 returns wrong rows, or fails, without any pruning. The page
 * docs/known-defects.md describes them. A statement with such a defect is not compared with the
 * oracle. Mode exact must still return the same rows as mode none.
 */
enum KnownDefect {
  /**
   * A range of a VARBINARY key of a salted table is too wide: {@code K <= X'01'} finds {@code
   * X'0100'}.
   */
  SALTED_VARBINARY {
    @Override
    boolean appliesTo(RandomTable table, RandomQuery query) {
      return table.saltBuckets() > 0
          && table.keys().stream().anyMatch(key -> key.type() == ValueType.VARBINARY);
    }
  },
  /** A subquery occurs in one part of a UNION ALL. */
  SUBQUERY_IN_UNION {
    @Override
    boolean appliesTo(RandomTable table, RandomQuery query) {
      return query.form() == RandomQuery.Form.UNION && hasSubquery(query);
    }
  },
  /**
   * UPSERT SELECT stores some values of a descending DECIMAL with a scale as the bytes of another
   * number. The patch {@code descending-decimal-bytes} is off by default.
   */
  DESCENDING_DECIMAL {
    @Override
    boolean appliesTo(RandomTable table, RandomQuery query) {
      return query.form() == RandomQuery.Form.UPSERT
          && table.keys().stream()
              .anyMatch(key -> key.descending() && key.type() == ValueType.SCALED);
    }
  },
  /** FLOOR is applied to a descending key column, of the table or of an index. */
  FLOOR {
    @Override
    boolean appliesTo(RandomTable table, RandomQuery query) {
      return query.sql().phoenix().contains("FLOOR(")
          && (table.keys().stream().anyMatch(Column::descending)
              || table.indexes().stream().anyMatch(index -> index.contains(" DESC")));
    }
  };

  abstract boolean appliesTo(RandomTable table, RandomQuery query);

  /** Returns a defect that can explain a wrong answer. */
  static Optional<KnownDefect> of(RandomTable table, RandomQuery query) {
    for (KnownDefect defect : values()) {
      if (defect.appliesTo(table, query)) {
        return Optional.of(defect);
      }
    }
    return Optional.empty();
  }

  private static boolean hasSubquery(RandomQuery query) {
    Set<String> kinds = query.where().kinds();
    return kinds.stream().anyMatch(kind -> kind.endsWith("subquery"));
  }
}
