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
package org.apache.phoenix.pruning.protocol;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Scan attribute with which a client tells the server that a scan rebuilds a local index. A scan
 * that builds a new index has the same attributes otherwise.
 *
 * <p>The server replaces the value by the timestamp of the rebuilt index rows.
 */
public final class RebuildRequest {

  /** Name of the scan attribute. */
  public static final String ATTRIBUTE = "_PruningRebuild";

  private RebuildRequest() {}

  /** Requests a rebuild. */
  public static void set(Scan scan) {
    setTimestamp(scan, 0);
  }

  /** Returns whether {@code scan} requests a rebuild. */
  public static boolean isSet(Scan scan) {
    return scan.getAttribute(ATTRIBUTE) != null;
  }

  /** Removes the request. */
  public static void remove(Scan scan) {
    scan.setAttribute(ATTRIBUTE, null);
  }

  /** Replaces the request by the timestamp of the rebuilt index rows. */
  public static void setTimestamp(Scan scan, long timestamp) {
    scan.setAttribute(ATTRIBUTE, Bytes.toBytes(timestamp));
  }

  /** Returns the timestamp of the rebuilt index rows, or 0 if {@code scan} rebuilds no index. */
  public static long timestamp(Scan scan) {
    byte[] value = scan.getAttribute(ATTRIBUTE);
    return value == null ? 0 : Bytes.toLong(value);
  }
}
