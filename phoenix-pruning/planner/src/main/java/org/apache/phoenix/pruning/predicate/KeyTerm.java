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

import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.pruning.key.ValueRange;
import org.jspecify.annotations.Nullable;

/**
 * Expression that depends on exactly one column, and on nothing else. The column is one of the data
 * row key or one of {@link NonKeyColumns}.
 */
interface KeyTerm {

  /**
   * Returns the index of the column in {@link DataKey}. It is negative for a column that is not
   * part of the key: see {@link KeyTerms#nonKey}.
   */
  int column();

  /**
   * Returns the values of the column for which {@code term operator constant} may be true. The
   * result contains all such values, and possibly others.
   *
   * @return the values, or null if nothing is known
   */
  @Nullable List<ValueRange> where(CompareOperator operator, Constant constant);

  /**
   * Returns the values of the column for which the term may start with {@code prefix}.
   *
   * @param prefix text in UTF-8
   * @return the values, or null if nothing is known
   */
  @Nullable List<ValueRange> whereStartsWith(byte[] prefix);

  /** Returns whether the term is null for exactly the rows in which the column is null. */
  boolean isNullWithColumn();
}
