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
package org.apache.phoenix.pruning.patch.order;

/** Tells if the current thread tracks the order of functions. */
public final class FunctionTracking {

  private static final ThreadLocal<Boolean> TRACKING = new ThreadLocal<>();

  private FunctionTracking() {}

  /** Starts to track functions. The caller must also call {@link #end}. */
  public static void start() {
    TRACKING.set(true);
  }

  public static void end() {
    TRACKING.remove();
  }

  public static boolean isOn() {
    return TRACKING.get() != null;
  }
}
