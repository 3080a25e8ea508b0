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
package org.apache.phoenix.pruning.patch.range;

import java.util.List;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.schema.RowKeySchema;

/**
 * Decides for each {@code SkipScanFilter} whether {@link Patch#SKIP_SCAN} is on. On a client, the
 * patches of the connection decide. On a server, the request of the scan decides.
 *
 * <p>This aspect corrects nothing itself. {@link SkipScanSeekAspect}, {@link SkipScanNullsAspect},
 * {@link SkipScanPositionAspect}, {@link SkipScanBoundAspect}, {@link SkipScanRegionAspect}, {@link
 * SkipScanReadAspect} and {@link SkipScanColumnsAspect} correct the defects of Phoenix's filter
 * (not reported).
 */
public privileged aspect SkipScanSwitchAspect {

  declare parents : SkipScanFilter implements PatchRequest.Patched;

  boolean SkipScanFilter.isPatched;

  public void SkipScanFilter.setPatches(PatchSet patches) {
    isPatched = patches.has(Patch.SKIP_SCAN);
    if (isPatched) {
      restoreReadSlots();
    }
  }

  after() returning(SkipScanFilter filter) :
      call(SkipScanFilter.new(List, int[], RowKeySchema, boolean))
      && withincode(ScanRanges.new(..)) {
    filter.isPatched = RangePatches.isOn(Patch.SKIP_SCAN);
  }

  after(SkipScanFilter copy, SkipScanFilter original) returning :
      execution(SkipScanFilter.new(SkipScanFilter, ..)) && this(copy) && args(original, ..) {
    copy.isPatched = original.isPatched;
  }

  after(SkipScanFilter filter) returning(SkipScanFilter part) :
      execution(SkipScanFilter SkipScanFilter.intersect(byte[], byte[])) && this(filter) {
    if (part != null) {
      part.isPatched = filter.isPatched;
    }
  }
}
