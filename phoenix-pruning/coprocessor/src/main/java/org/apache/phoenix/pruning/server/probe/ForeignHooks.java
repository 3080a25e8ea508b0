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

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;

/**
 * Detects coprocessors that can add rows to the result of a region's scan. The coprocessors of
 * HBase and Phoenix add no rows.
 */
final class ForeignHooks {

  private static final Set<String> HOOKS_THAT_ADD_ROWS =
      new HashSet<>(Arrays.asList("postScannerOpen", "preScannerNext", "postScannerNext"));

  private static final ClassValue<Boolean> IS_FOREIGN =
      new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> observer) {
          return Arrays.stream(observer.getMethods()).anyMatch(ForeignHooks::isForeign);
        }
      };

  private ForeignHooks() {}

  private static boolean isForeign(Method method) {
    String declaredBy = method.getDeclaringClass().getName();
    return HOOKS_THAT_ADD_ROWS.contains(method.getName())
        && !declaredBy.startsWith("org.apache.hadoop.hbase.")
        && !declaredBy.startsWith("org.apache.phoenix.");
  }

  /** Returns whether a scan can return a row even if the region has no row in the scan's range. */
  static boolean canAddRows(RegionCoprocessorHost host) {
    for (RegionCoprocessor coprocessor : host.findCoprocessors(RegionCoprocessor.class)) {
      RegionObserver observer = coprocessor.getRegionObserver().orElse(null);
      if (observer != null && IS_FOREIGN.get(observer.getClass())) {
        return true;
      }
    }
    return false;
  }
}
