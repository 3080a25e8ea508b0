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
package io.phoenixpruning.cli.explain;

import java.util.Locale;

/**
 * Warning about a part of a plan that probably costs more than necessary.
 *
 * @param message description of the problem and its remedy
 */
public record Warning(Kind kind, String message) {

  /** Kind of problem. */
  public enum Kind {
    FULL_FAN_OUT,
    REGION_BUDGET,
    STATISTICS_MISSING,
    STATISTICS_STALE,
    FAST_DIFF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
