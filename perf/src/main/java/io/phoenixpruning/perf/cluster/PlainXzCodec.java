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
package io.phoenixpruning.perf.cluster;

import io.sensesecure.hadoop.xz.XZCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * LZMA2 in the format of XZ, for HBase: whatever the streams of {@link XZCodec} do, they do without
 * its compressors, which support nothing that HBase asks of them.
 */
public final class PlainXzCodec extends XZCodec {

  @Override
  public Compressor createCompressor() {
    return null;
  }

  @Override
  public Decompressor createDecompressor() {
    return null;
  }
}
