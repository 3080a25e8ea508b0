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
package io.phoenixpruning.cli;

/** Whether the JVM is about to end. */
public final class JvmExit {

  private JvmExit() {}

  /** Whether shutdown hooks run, for example because of Ctrl-C. */
  public static boolean hasBegun() {
    try {
      // Of no effect, but refused once the hooks run.
      Runtime.getRuntime().removeShutdownHook(new Thread("never added"));
      return false;
    } catch (IllegalStateException ending) {
      return true;
    }
  }
}
