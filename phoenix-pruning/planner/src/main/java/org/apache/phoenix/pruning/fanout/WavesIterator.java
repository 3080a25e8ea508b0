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
package org.apache.phoenix.pruning.fanout;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.ExplainPlanAttributes.ExplainPlanAttributesBuilder;
import org.apache.phoenix.iterate.ConcatResultIterator;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.schema.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the rows of one wave after the other. Each wave is opened when its first row is
 * needed.
 */
public final class WavesIterator implements PeekingResultIterator {

  private final ScanWaves waves;
  private PeekingResultIterator wave = EMPTY_ITERATOR;
  private boolean closed;

  /** Creates an iterator that has not opened the first wave. */
  public WavesIterator(ScanWaves waves) {
    this.waves = waves;
  }

  @Override
  public @Nullable Tuple peek() throws SQLException {
    Tuple tuple = wave.peek();
    while (tuple == null && !closed && waves.hasNext()) {
      wave.close();
      wave = ConcatResultIterator.newIterator(waves.open());
      tuple = wave.peek();
    }
    return tuple;
  }

  @Override
  public @Nullable Tuple next() throws SQLException {
    return peek() == null ? null : wave.next();
  }

  @Override
  public void close() throws SQLException {
    closed = true;
    wave.close();
  }

  /** Does nothing, because the scans explain themselves. */
  @Override
  public void explain(List<String> steps) {}

  @Override
  public void explain(List<String> steps, ExplainPlanAttributesBuilder attributes) {}
}
