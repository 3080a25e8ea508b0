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

import java.util.Optional;

/**
 * Cost of an index for each row that is written.
 *
 * @param bytes estimated size of an index row before encoding and compression, including keys,
 *     values and HBase's overhead for each cell
 * @param ratio ratio of the UPSERT times with and without the index; empty if not measured
 */
public record WriteCost(double bytes, Optional<UpsertRatio> ratio) {

  static WriteCost estimated(double bytes) {
    return new WriteCost(bytes, Optional.empty());
  }

  WriteCost measured(UpsertRatio measured) {
    return new WriteCost(bytes, Optional.of(measured));
  }

  public boolean isMeasured() {
    return ratio.isPresent();
  }
}
