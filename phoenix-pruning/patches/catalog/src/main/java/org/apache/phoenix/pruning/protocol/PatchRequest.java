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

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.phoenix.filter.PagingFilter;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.jspecify.annotations.Nullable;

/**
 * Scan attribute that names the patches with which the client plans the scan. The server's part of
 * a patch acts only on scans that name the patch.
 *
 * <p>Format: the attribute {@link #ATTRIBUTE} is the UTF-8 text {@code all} or {@code local-index}.
 * It is followed by {@code ,-ID} for each requested patch that is left out, in the order of {@link
 * Patch}. Without the attribute, or with any other value, no patch of {@link
 * Patch.Scope#CONNECTION} is on.
 *
 * <p>The sets of patches that {@code all} and {@code local-index} denote never change. Otherwise a
 * newer server could apply its part of a patch that the client lacks. If a patch of {@link
 * Patch.Scope#CONNECTION} is added after the first release, it must be named by another value. If
 * the server has no part of it, it need not be named at all.
 */
public final class PatchRequest {

  public static final String ATTRIBUTE = "_PruningPatches";

  private static final int MAX_LENGTH = 1_000;

  private PatchRequest() {}

  /** Names {@code patches} in {@code scan}. */
  public static void set(Scan scan, PatchSet patches) {
    PatchSet requested = patches.requested();
    scan.setAttribute(
        ATTRIBUTE,
        requested.isEmpty() ? null : requested.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the patches that {@code scan} names. */
  public static PatchSet of(Scan scan) {
    return parse(scan.getAttribute(ATTRIBUTE));
  }

  /** Reads a value of {@link #ATTRIBUTE}, which may be null or hostile. */
  private static PatchSet parse(byte @Nullable [] value) {
    if (value == null || value.length > MAX_LENGTH) {
      return PatchSet.NONE;
    }
    String text = new String(value, StandardCharsets.UTF_8);
    PatchSet requested = PatchSet.parseKnown(text);
    return requested == null || !requested.requested().toString().equals(text)
        ? PatchSet.NONE
        : requested;
  }

  /**
   * Passes the patches that {@code scan} names to its filters. A server calls this method before
   * the scan reads its first row.
   */
  public static void apply(Scan scan) {
    Filter filter = scan.getFilter();
    if (filter != null) {
      PatchSet patches = of(scan);
      if (patches.has(Patch.SKIP_SCAN)) {
        apply(patches, filter);
      }
    }
  }

  private static void apply(PatchSet patches, Filter filter) {
    if (filter instanceof Patched) {
      ((Patched) filter).setPatches(patches);
    } else if (filter instanceof FilterList) {
      for (Filter member : ((FilterList) filter).getFilters()) {
        apply(patches, member);
      }
    } else if (filter instanceof PagingFilter) {
      Filter delegate = ((PagingFilter) filter).getDelegateFilter();
      if (delegate != null) {
        apply(patches, delegate);
      }
    }
  }

  /** Filter whose behaviour a patch changes. */
  public interface Patched {
    void setPatches(PatchSet patches);
  }
}
