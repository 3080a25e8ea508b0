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
package org.apache.phoenix.pruning.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why a region could not be looked at: at WARN for the first failure with a cause, at DEBUG
 * for the others. A cause is a class of exception and the place that threw it.
 */
final class ProbeFailures {

  /** The causes that are remembered; failures with another one are logged at DEBUG. */
  static final int MAX_CAUSES = 100;

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeFailures.class);

  private final Set<String> causes = ConcurrentHashMap.newKeySet();

  /** Logs that {@code subject} has to be scanned because of {@code failure}. */
  void log(Object subject, Throwable failure) {
    if (isNew(failure)) {
      LOGGER.warn(
          "Clients have to scan {} because looking at it failed. Further failures with this cause"
              + " are logged at DEBUG, and counted as {}",
          subject,
          ProbeServerMetrics.FAILED,
          failure);
    } else {
      LOGGER.debug("Clients have to scan {} because looking at it failed", subject, failure);
    }
  }

  /** Returns whether this is the first failure with its cause. */
  boolean isNew(Throwable failure) {
    return causes.size() < MAX_CAUSES && causes.add(cause(failure));
  }

  private static String cause(Throwable failure) {
    Throwable root = failure;
    // A chain of causes may be a circle.
    for (int depth = 0; root.getCause() != null && depth < MAX_CAUSES; depth++) {
      root = root.getCause();
    }
    StackTraceElement[] trace = root.getStackTrace();
    return root.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
