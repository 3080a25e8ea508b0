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
package io.phoenixpruning.perf;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.types.PInteger;

/**
 * What a query says about {@code pk1}, of a table with {@code PRIMARY KEY (pk1, pk2)} that is split
 * at every pk1 from 1 on.
 */
public enum Condition {
  POINT("point") {
    @Override
    public int regions(int regions) {
      return 1;
    }

    @Override
    String sql(int regions) {
      return "pk1 = " + regions / 4;
    }

    @Override
    List<ValueRange> ranges(int regions) {
      return List.of(ValueRange.point(value(regions / 4)));
    }
  },

  IN_OF_4("IN of 4") {
    @Override
    public int regions(int regions) {
      return 4;
    }

    @Override
    String sql(int regions) {
      return values(regions)
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(", ", "pk1 IN (", ")"));
    }

    @Override
    List<ValueRange> ranges(int regions) {
      return values(regions).mapToObj(pk1 -> ValueRange.point(value(pk1))).toList();
    }

    private IntStream values(int regions) {
      return IntStream.of(1, regions / 4, regions / 2, regions - 1);
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

    @Override
    List<ValueRange> ranges(int regions) {
      return List.of(
          ValueRange.between(
              ValueBound.before(value(regions / 4)),
              ValueBound.before(value(regions / 4 + regions / 100))));
    }
  },

  /** No key range expresses it: each region is asked. */
  ARITHMETIC("arithmetic, for a point") {
    @Override
    public int regions(int regions) {
      return 1;
    }

    @Override
    String sql(int regions) {
      return "pk1 * 2 + 1 = " + (regions / 2 + 1);
    }

    @Override
    List<ValueRange> ranges(int regions) {
      return List.of(ValueRange.NOT_NULL);
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

    @Override
    List<ValueRange> ranges(int regions) {
      return List.of(ValueRange.NOT_NULL);
    }
  };

  private final String title;

  Condition(String title) {
    this.title = title;
  }

  /** As the tables of results name it. */
  String title() {
    return title;
  }

  /** How many of {@code regions} regions can hold a row that fulfils it. */
  public abstract int regions(int regions);

  abstract String sql(int regions);

  abstract List<ValueRange> ranges(int regions);

  /** WHERE with {@code first} and this. */
  String where(String first, int regions) {
    return Arrays.asList(first, sql(regions)).stream()
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" AND ", "WHERE ", ""));
  }

  KeySpace keySpace(RowKeyLayout layout, int regions) {
    return KeySpace.of(layout, 0, ranges(regions));
  }

  private static byte[] value(int pk1) {
    return PInteger.INSTANCE.toBytes(pk1);
  }
}
