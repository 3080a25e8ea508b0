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

import java.util.Set;
import org.apache.phoenix.compile.RowValueAlternativesAspect;
import org.apache.phoenix.compile.RowValueOrAspect;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Reads the patches of a connection while Phoenix's {@code WhereOptimizer} makes key ranges, for
 * aspects that have no connection at hand. This aspect corrects nothing itself. {@link
 * NullRangesAspect}, {@link PointKeysAspect}, {@link UnboundedUnionAspect}, {@code
 * RowValueAlternativesAspect} and the aspects of the patch {@code skip-scan} read the setting here.
 * The pages of these patches have the issues and examples; most of the defects are not reported.
 *
 * <p>Patches that change the same method of Phoenix do so in the order given here.
 */
public aspect RangePatchesAspect {

  declare precedence :
      NeverTrueAspect, NullRowValueAspect, BooleanConditionAspect, RangePatchesAspect,
      ReverseSkipScanAspect;

  declare precedence : NullRangesAspect, SkipScanSwitchAspect;

  declare precedence :
      NullOrValueAspect, NullRangesAspect, RowValueOrAspect, SkipScanColumnsAspect;

  declare precedence : UnboundedUnionAspect, RowValueAlternativesAspect;

  declare precedence : SubstringRangeAspect, CoercedKeyPartAspect;

  Expression around(StatementContext context) :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, ..) {
    PatchSet outer = RangePatches.enter(context.getConnection());
    try {
      return proceed(context);
    } finally {
      RangePatches.leave(outer);
    }
  }

  boolean around(StatementContext context) :
      execution(static boolean WhereOptimizer.getKeyExpressionCombination(..))
      && args(*, context, ..) {
    PatchSet outer = RangePatches.enter(context.getConnection());
    try {
      return proceed(context);
    } finally {
      RangePatches.leave(outer);
    }
  }
}
