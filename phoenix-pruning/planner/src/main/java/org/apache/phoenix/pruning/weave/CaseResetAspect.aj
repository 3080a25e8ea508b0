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

import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;

/** Lets AND and OR in a CASE forget the nulls of the row before. */
public aspect CaseResetAspect {

  after(CaseExpression expression) returning :
      execution(void CaseExpression.reset()) && this(expression) {
    expression.getChildren().forEach(Expression::reset);
  }
}
