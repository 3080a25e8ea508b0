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
package org.apache.phoenix.pruning.patch.write;

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.UpsertCompiler;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SortOrder;

/**
 * Adds the right constant of a view to the rows of an UPSERT SELECT, if the view fixes a descending
 * column. Phoenix's {@code UpsertCompiler} reads the bytes of the constant as those of an ascending
 * value (not reported).
 *
 * <p>Example: {@code UPSERT INTO W (K1, K3) SELECT K1, 7 FROM W} stores -31 in K2 if W is a view
 * with {@code WHERE K2 = 30} and K2 is a descending BIGINT.
 */
public aspect DescendingConstantAspect {

  byte[] around(PColumn column) :
      call(byte[] PColumn.getViewConstant())
      && withincode(static SelectStatement UpsertCompiler.prependTenantAndViewConstants(
          PTable, SelectStatement, ..))
      && target(column) {
    byte[] constant = proceed(column);
    if (column.getSortOrder() == SortOrder.ASC || !Patches.isOn(Patch.DESCENDING_CONSTANT)) {
      return constant;
    }
    // Phoenix ignores the last byte, which tells a null from no constant.
    int length = constant.length - 1;
    byte[] ascending = Bytes.copy(constant);
    SortOrder.invert(constant, 0, ascending, 0, length);
    return ascending;
  }
}
