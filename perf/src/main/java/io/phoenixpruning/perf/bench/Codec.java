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
package io.phoenixpruning.perf.bench;

import io.phoenixpruning.perf.cluster.ClusterProcesses;

/** What the servers of {@link ClusterProcesses} compress with. */
enum Codec {
  NONE("none"),
  SNAPPY("xerial"),
  LZ4("lz4-java"),
  GZ("Java"),
  ZSTD("zstd-jni");

  private final String implementation;

  Codec(String implementation) {
    this.implementation = implementation;
  }

  String title() {
    return this == NONE ? name() : name() + " (" + implementation + ")";
  }
}
