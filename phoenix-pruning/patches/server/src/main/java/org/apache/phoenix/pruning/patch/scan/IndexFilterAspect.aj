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
package org.apache.phoenix.pruning.patch.scan;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.iterate.RegionScannerFactory;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.PatchRequest;

/**
 * Resets the WHERE condition of an index scan before each row. Phoenix's {@code
 * RegionScannerFactory} never resets the condition. After a row with a null, AND and OR then lose
 * all further rows. If a row has no value for a column, Phoenix uses the last evaluated value as
 * the result. Not reported.
 *
 * <p>The condition is wrapped when the scanner is created, so no advice runs for a row.
 *
 * <p>Example: {@code SELECT K1 FROM T WHERE V = 1 AND K2 BETWEEN 'b' AND 'y'} along an index on V
 * finds no rows after a row in which K2 is null.
 */
public aspect IndexFilterAspect {

  pointcut wrapping(Scan scan) :
      execution(RegionScanner RegionScannerFactory.getWrappedScanner(..))
      && args(*, *, *, *, *, scan, ..)
      && if (PatchRequest.of(scan).has(Patch.INDEX_ROW_CONDITION));

  Expression around() :
      call(Expression ExpressionType.newInstance())
      && within(RegionScannerFactory)
      && cflow(wrapping(*)) {
    return new IndexRowCondition(proceed());
  }
}
