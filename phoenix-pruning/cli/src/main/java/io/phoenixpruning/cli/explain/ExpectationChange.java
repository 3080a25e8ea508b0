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
package io.phoenixpruning.cli.explain;

import java.nio.file.Path;
import java.util.List;

/**
 * A change of the expectations of a statement.
 *
 * @param statement position of the statement in the file before the change
 * @param before expectations to remove; may be empty
 * @param after expectations to write instead; may be empty
 */
record ExpectationChange(Path file, Position statement, List<String> before, List<String> after) {

  ExpectationChange {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }
}
