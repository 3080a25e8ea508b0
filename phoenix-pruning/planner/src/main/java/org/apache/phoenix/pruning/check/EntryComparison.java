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
package org.apache.phoenix.pruning.check;

import java.util.List;
import org.apache.phoenix.pruning.protocol.IndexDifference;

/** Compares the entries that data rows require with the stored ones, in any order. */
interface EntryComparison {

  /** Adds an entry that a data row requires. */
  void addRequired(IndexEntry entry);

  /** Adds an entry that is stored. */
  void addStored(IndexEntry entry);

  /** Returns the buckets of each index that another request has to read. */
  List<int[]> buckets();

  /** Returns the entries that differ, as far as they were compared. */
  List<IndexDifference> differences();
}
