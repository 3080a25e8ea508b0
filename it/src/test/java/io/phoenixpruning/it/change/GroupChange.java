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
package io.phoenixpruning.it.change;

/** Kind of change to region server groups while statements read a table. */
enum GroupChange {
  /** The table moves to another group, and its regions to the servers of this group. */
  TABLE,
  /** A server of the table's group moves to another group. Its regions stay in their group. */
  SERVER,
  /** A server and the table move to another group. */
  SERVER_AND_TABLE,
  /** The balancer moves regions between the servers of the table's group. */
  BALANCE,
  /**
   * A group is created, and gets a server and the table. After the statements have continued, the
   * server and the table return, and the group is removed.
   */
  NEW_GROUP
}
