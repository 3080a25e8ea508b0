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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.fanout.ScanConcurrency;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Fails a statement if one of its scans was cancelled. Phoenix's {@code
 * BaseResultIterators.getIterators} logs the exception and omits the scan (not reported). {@code
 * SELECT COUNT(*) FROM T} returns a smaller number if another thread closes the statement while it
 * runs.
 */
public privileged aspect CancelledScanAspect {

  before(BaseResultIterators iterators, CancellationException cancelled) throws SQLException :
      handler(CancellationException)
      && withincode(private List BaseResultIterators.getIterators(List, ..))
      && this(iterators) && args(cancelled) {
    if (iterators.scanLimiter != null
        && Patches.isOn(Patch.CANCELLED_SCAN, iterators.context.getConnection())) {
      throw ScanConcurrency.cancelled(iterators.getTable().getName().getString(), cancelled);
    }
  }
}
