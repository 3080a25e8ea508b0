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
package org.apache.phoenix.pruning.weave;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.phoenix.coprocessor.UncoveredLocalIndexRegionScanner;

/**
 * Keeps the data rows of a page of index rows. Phoenix reads them with a scanner that it closes
 * before it looks at them, and then HBase may read other blocks into the memory of their values.
 */
public privileged aspect DataRowsAspect {

  Result around(List<Cell> row) :
      call(static Result Result.create(List))
      && withincode(void UncoveredLocalIndexRegionScanner.scanDataRows(..))
      && args(row) {
    List<Cell> copy =
        row.stream().map(KeyValueUtil::copyToNewKeyValue).collect(Collectors.toList());
    return proceed(copy);
  }
}
