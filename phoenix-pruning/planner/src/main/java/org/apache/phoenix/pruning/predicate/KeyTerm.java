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

/** An expression that depends on one column of the data row key, and on nothing else. */
interface KeyTerm {

  /** The index of the column in {@link DataKey}. */
  int column();

  /**
   * The values of the column for which {@code term operator constant} may be true: all of them, and
   * perhaps some more. Null if nothing is known.
   */
  List<ValueRange> where(CompareOperator operator, Constant constant);

  /**
   * The values of the column for which the term may start with {@code prefix}, UTF-8 text. Null if
   * nothing is known.
   */
  List<ValueRange> whereStartsWith(byte[] prefix);

  /** Whether the term is null exactly where the column is. */
  boolean isNullWithColumn();
}
