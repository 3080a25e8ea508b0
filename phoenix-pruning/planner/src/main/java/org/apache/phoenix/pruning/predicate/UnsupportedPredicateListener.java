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
package org.apache.phoenix.pruning.predicate;

import org.apache.phoenix.expression.Expression;

/** Receives conditions that could not be projected to row keys and so prune no regions. */
public interface UnsupportedPredicateListener {

  /** Reports a part of a WHERE clause that uses key columns in a way that is not supported. */
  void unsupported(Expression expression);

  /** Reports a part of a WHERE clause whose analysis failed with an exception. */
  void failed(Expression expression, RuntimeException cause);
}
