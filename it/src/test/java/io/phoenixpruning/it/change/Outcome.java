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

/** Outcome of a statement. */
enum Outcome {
  DONE,
  /**
   * The statement is done, but its regions moved while it read them. If a server had to start a
   * deletion or copy again, it did not count the rows of its first attempt.
   */
  INTERRUPTED,
  /** The statement failed, and a part of its work may be done. */
  FAILED
}
