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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.ExplainPlanAttributes.ExplainPlanAttributesBuilder;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.schema.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row of a cursor when it is fetched, and not before. Phoenix's cursor peeks at the next
 * row to find out if there is one. But the client keeps the aggregates of one group only, so the
 * aggregates of the fetched group would be lost. Here, a cursor ends when no row is left to fetch.
 */
public final class CursorRows implements PeekingResultIterator {

  private final ResultIterator rows;
  private @Nullable Tuple current;

  public CursorRows(ResultIterator rows) {
    this.rows = rows;
  }

  @Override
  public @Nullable Tuple next() throws SQLException {
    current = rows.next();
    return current;
  }

  /** Returns the row that {@link #next} has returned, or null after the last row. */
  @Override
  public @Nullable Tuple peek() {
    return current;
  }

  @Override
  public void close() throws SQLException {
    rows.close();
  }

  @Override
  public void explain(List<String> steps) {
    rows.explain(steps);
  }

  @Override
  public void explain(List<String> steps, ExplainPlanAttributesBuilder attributes) {
    rows.explain(steps, attributes);
  }
}
