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
/**
 * Projection of Phoenix expressions. {@link NormalFormVisitor} visits an expression by its kind,
 * with NOT pushed down to the leaves. {@link InclusiveKeyProjection} turns a predicate into the set
 * of row keys of all rows for which the predicate can be true. {@link InclusiveRowProjection} does
 * the same for predicates that limit the key only together with conditions on other columns. {@link
 * ResidualCheck} tests regions with predicates that a set of keys cannot express. All are
 * inclusive: an expression that is not supported can have any value.
 */
package org.apache.phoenix.pruning.predicate;
