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
package org.apache.phoenix.pruning.patch.scan;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.cache.HashCache;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.schema.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an anti-join's subquery. A row with a match is joined with an empty list, and so it
 * is dropped. A row without a match gets null, and is returned once.
 */
public final class AntiJoinCache implements HashCache {

  private final HashCache cache;

  public AntiJoinCache(HashCache cache) {
    this.cache = cache;
  }

  @Override
  public int getClientVersion() {
    return cache.getClientVersion();
  }

  @Override
  public @Nullable List<Tuple> get(ImmutableBytesPtr key) throws IOException {
    return cache.get(key) == null ? null : Collections.emptyList();
  }

  @Override
  public void close() throws IOException {
    cache.close();
  }
}
