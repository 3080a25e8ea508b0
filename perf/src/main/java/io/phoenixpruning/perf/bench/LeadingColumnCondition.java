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

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A condition on {@code pk1} in a query. The table has {@code PRIMARY KEY (pk1, pk2)} and is split
 * at every value of {@code pk1} from 1.
 */
public enum LeadingColumnCondition {
  POINT("point") {
    @Override
    public int regions(int regions) {
      return 1;
    }

    @Override
    String sql(int regions) {
      return "pk1 = " + regions / 4;
    }
  },

  ROW_VALUE("row value") {
    @Override
    public int regions(int regions) {
      return 1;
    }

    @Override
    String sql(int regions) {
      return "(pk1, pk2) = (%d, 5)".formatted(regions / 4);
    }
  },

  BETWEEN("BETWEEN of 3") {
    @Override
    public int regions(int regions) {
      return 3;
    }

    @Override
    String sql(int regions) {
      return "pk1 BETWEEN %d AND %d".formatted(regions / 4, regions / 4 + 2);
    }
  },

  IN_OF_4("IN of 4") {
    @Override
    public int regions(int regions) {
      return 4;
    }

    @Override
    String sql(int regions) {
      return points(regions)
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(", ", "pk1 IN (", ")"));
    }
  },

  ONE_PERCENT("1 % of the regions") {
    @Override
    public int regions(int regions) {
      return regions / 100;
    }

    @Override
    String sql(int regions) {
      return "pk1 >= %d AND pk1 < %d".formatted(regions / 4, regions / 4 + regions / 100);
    }
  },

  OR("OR of two points") {
    @Override
    public int regions(int regions) {
      return 2;
    }

    @Override
    String sql(int regions) {
      return "((v1 = 1 AND pk1 = 1) OR (v1 = 6 AND pk1 = %d))".formatted(regions / 4);
    }
  },

  NOT("NOT, of all but 3") {
    @Override
    public int regions(int regions) {
      return 3;
    }

    @Override
    String sql(int regions) {
      return "NOT (pk1 < %d OR pk1 > %d)".formatted(regions / 4, regions / 4 + 2);
    }
  },

  /** Cannot be expressed as a key range, so the residual predicate is evaluated for each region. */
  ARITHMETIC("arithmetic, for a point") {
    @Override
    public int regions(int regions) {
      return 1;
    }

    @Override
    String sql(int regions) {
      return "pk1 * 2 + 1 = " + (regions / 2 + 1);
    }
  },

  NONE("all regions") {
    @Override
    public int regions(int regions) {
      return regions;
    }

    @Override
    String sql(int regions) {
      return "";
    }
  };

  private final String title;

  LeadingColumnCondition(String title) {
    this.title = title;
  }

  /** Returns the name of the condition in tables of results. */
  public String title() {
    return title;
  }

  /** Returns how many of {@code regions} regions can hold a row that fulfills the condition. */
  public abstract int regions(int regions);

  abstract String sql(int regions);

  /** Returns the values of {@code pk1} in {@link #IN_OF_4}. */
  static IntStream points(int regions) {
    return IntStream.of(1, regions / 4, regions / 2, regions - 1);
  }

  /** Returns a WHERE clause with {@code first} and this condition. An empty part is left out. */
  public String where(String first, int regions) {
    return Stream.of(first, sql(regions))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" AND ", "WHERE ", ""));
  }
}
