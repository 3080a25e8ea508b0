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
package org.apache.phoenix.pruning.patch.plan;

import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Frees the hash table of a join only once. Phoenix's {@code DeleteCompiler} closes the scan of a
 * DELETE twice. If the DELETE scans nothing, {@code ServerCache.close} frees the hash table each
 * time, and the second call fails with a {@code NullPointerException} (not reported).
 *
 * <p>Example: {@code DELETE FROM T WHERE (A, B) IN ((3, 5), (0, 5)) AND B < 5 AND V IN (SELECT X
 * FROM D)} fails, because no key matches.
 */
public aspect ServerCacheAspect {

  private boolean ServerCache.isClosed;

  void around(ServerCache cache) :
      execution(void ServerCache.close())
      && this(cache) {
    if (!cache.isClosed || !Patches.isOn(Patch.SERVER_CACHE)) {
      cache.isClosed = true;
      proceed(cache);
    }
  }
}
