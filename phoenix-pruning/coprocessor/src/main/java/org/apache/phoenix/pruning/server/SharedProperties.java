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

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.phoenix.util.ReadOnlyProps;

/** Shares properties that are the same. */
public final class SharedProperties {

  /** The keys are the maps of the values, so they are there as long as these. */
  private static final Map<Map<String, String>, WeakReference<ReadOnlyProps>> SHARED =
      new WeakHashMap<>();

  private SharedProperties() {}

  /** Those with the same entries that were shared first, if anybody still has them. */
  public static synchronized ReadOnlyProps share(ReadOnlyProps properties) {
    WeakReference<ReadOnlyProps> shared = SHARED.get(properties.asMap());
    ReadOnlyProps first = shared == null ? null : shared.get();
    if (first != null) {
      return first;
    }
    SHARED.remove(properties.asMap());
    SHARED.put(properties.asMap(), new WeakReference<>(properties));
    return properties;
  }
}
