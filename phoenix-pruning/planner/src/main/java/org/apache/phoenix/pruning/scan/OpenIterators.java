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
package org.apache.phoenix.pruning.scan;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.ExplainPlanAttributes.ExplainPlanAttributesBuilder;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterators;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.util.SQLCloseables;

/** Iterators that are already open. */
final class OpenIterators implements ResultIterators {

  private final List<PeekingResultIterator> iterators;
  private final List<Scan> scans;

  OpenIterators(List<PeekingResultIterator> iterators, List<Scan> scans) {
    this.iterators = iterators;
    this.scans = scans;
  }

  @Override
  public int size() {
    return iterators.size();
  }

  @Override
  public List<KeyRange> getSplits() {
    return Collections.emptyList();
  }

  @Override
  public List<List<Scan>> getScans() {
    return Collections.singletonList(scans);
  }

  @Override
  public List<PeekingResultIterator> getIterators() {
    return iterators;
  }

  /** Adds nothing, because EXPLAIN reads no rows. */
  @Override
  public void explain(List<String> planSteps) {}

  @Override
  public void explain(List<String> planSteps, ExplainPlanAttributesBuilder attributes) {}

  @Override
  public void close() throws SQLException {
    SQLCloseables.closeAll(iterators);
  }
}
