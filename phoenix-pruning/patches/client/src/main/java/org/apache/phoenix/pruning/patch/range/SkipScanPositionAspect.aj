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
package org.apache.phoenix.pruning.patch.range;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.schema.RowKeySchema;

/**
 * Finds an earlier column by reading the key from its start for the patch {@code skip-scan}.
 * Phoenix's {@code RowKeySchema.reposition} reads backward to the previous separator, but misses a
 * separator with which the key begins (not reported). A key begins with a separator if its first
 * column is null.
 *
 * <p>Example: {@code SELECT * FROM T WHERE K1 IS NULL AND K2 IN ('a', 'b') AND K3 < 4} loses rows,
 * or fails.
 */
public privileged aspect SkipScanPositionAspect {

  Boolean around(
      SkipScanFilter filter,
      RowKeySchema schema,
      ImmutableBytesWritable value,
      int from,
      int to,
      int begin,
      int end,
      int further) :
      call(Boolean RowKeySchema.reposition(ImmutableBytesWritable, int, int, int, int, int))
      && within(SkipScanFilter)
      && this(filter)
      && target(schema)
      && args(value, from, to, begin, end, further) {
    if (to >= from || !filter.isPatched) {
      return proceed(filter, schema, value, from, to, begin, end, further);
    }
    return schema.iterator(value.get(), begin, end - begin, value, to + 1, further);
  }
}
