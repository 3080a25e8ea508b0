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
package io.phoenixpruning.cli.advise;

import java.util.List;
import java.util.Optional;

/**
 * Recommended action for one local index.
 *
 * @param queries numbers of the queries that read the index after the changes; for an index to
 *     drop, numbers of the queries that read it now
 * @param reason a sentence without its period
 */
public record IndexAdvice(
    Action action, IndexDefinition index, WriteCost write, List<Integer> queries, String reason) {

  /** Action for an index. */
  public enum Action {
    CREATE,
    KEEP,
    DROP
  }

  public IndexAdvice {
    queries = List.copyOf(queries);
  }

  /** Returns this advice with a measured write cost. */
  IndexAdvice with(WriteCost measured) {
    return new IndexAdvice(action, index, measured, queries, reason);
  }

  /** Returns the statement to run, without a semicolon, or empty if the index is kept. */
  public Optional<String> ddl() {
    return switch (action) {
      case CREATE -> Optional.of(index.create());
      case KEEP -> Optional.empty();
      case DROP -> Optional.of(index.drop());
    };
  }
}
