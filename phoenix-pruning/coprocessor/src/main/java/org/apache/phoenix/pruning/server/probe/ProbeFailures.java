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
package org.apache.phoenix.pruning.server.probe;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of failed region probes. The first failure with a cause is logged at WARN, later failures at
 * DEBUG. A cause is an exception class and the place that threw the exception.
 */
final class ProbeFailures {

  /** Maximum number of remembered causes. Failures with other causes are logged at DEBUG. */
  static final int MAX_CAUSES = 100;

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeFailures.class);

  private final Set<String> causes = ConcurrentHashMap.newKeySet();

  /** Logs that {@code subject} has to be scanned because of {@code failure}. */
  void log(Object subject, Throwable failure) {
    if (isNew(failure)) {
      LOGGER.warn(
          "Cannot probe {}, so clients scan it. Further failures with this cause are logged at"
              + " DEBUG and counted in the metric {}",
          subject,
          ProbeServerMetrics.FAILED,
          failure);
    } else {
      LOGGER.debug("Cannot probe {}, so clients scan it", subject, failure);
    }
  }

  /**
   * Returns whether this is the first failure with its cause. Returns false for a new cause if
   * {@value #MAX_CAUSES} causes are already remembered.
   */
  boolean isNew(Throwable failure) {
    return causes.size() < MAX_CAUSES && causes.add(cause(failure));
  }

  private static String cause(Throwable failure) {
    Throwable root = failure;
    // A chain of causes may be circular.
    for (int depth = 0; root.getCause() != null && depth < MAX_CAUSES; depth++) {
      root = root.getCause();
    }
    StackTraceElement[] trace = root.getStackTrace();
    return root.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
