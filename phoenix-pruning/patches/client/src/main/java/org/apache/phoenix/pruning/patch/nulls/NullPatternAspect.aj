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
package org.apache.phoenix.pruning.patch.nulls;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.util.regex.AbstractBasePattern;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Makes LIKE of a null column null. Phoenix's {@code LikeExpression} matches the pattern with the
 * empty value of the column, so LIKE or NOT LIKE is true (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE S NOT LIKE 'z%'} along an index on S also finds the rows
 * in which S is null.
 */
public aspect NullPatternAspect {

  void around(LikeExpression like, ImmutableBytesWritable value) :
      call(void AbstractBasePattern.matches(ImmutableBytesWritable))
      && withincode(boolean LikeExpression.evaluate(..))
      && this(like)
      && args(value) {
    // A literal can be an empty string.
    if (value.getLength() > 0
        || like.getChildren().get(0).isStateless()
        || !Patches.isOn(Patch.NULL_PATTERN)) {
      proceed(like, value);
    }
  }
}
