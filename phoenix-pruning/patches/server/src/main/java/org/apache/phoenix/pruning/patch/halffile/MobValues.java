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
package org.apache.phoenix.pruning.patch.halffile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.mob.MobCell;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.HMobStore;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Reads large values of a region's family with {@code IS_MOB}. HBase stores such values in MOB
 * files, and a reference with the same key in the store file. It finds a value only by the key of
 * the reference, so a value must be read before the key is changed.
 */
final class MobValues {

  private final RegionCoprocessorEnvironment environment;

  private MobValues(RegionCoprocessorEnvironment environment) {
    this.environment = environment;
  }

  /** Returns null if no family of the region's table has {@code IS_MOB}. */
  static @Nullable MobValues of(RegionCoprocessorEnvironment environment) {
    for (ColumnFamilyDescriptor family :
        environment.getRegion().getTableDescriptor().getColumnFamilies()) {
      if (family.isMobEnabled()) {
        return new MobValues(environment);
      }
    }
    return null;
  }

  /**
   * Returns a copy of the cell that {@code cell} refers to, or {@code cell} itself if it is no
   * reference.
   *
   * @param cell cell with the key of the store file
   * @throws IOException if the MOB file cannot be read, or has no such cell
   */
  Cell resolve(Cell cell) throws IOException {
    if (!MobUtils.isMobReferenceCell(cell)) {
      return cell;
    }
    Store store = environment.getRegion().getStore(CellUtil.cloneFamily(cell));
    if (!(store instanceof HMobStore)) {
      // IS_MOB was switched off. HBase then takes each reference for a value.
      return cell;
    }
    try (MobCell found = ((HMobStore) store).resolve(cell, false, false)) {
      // HBase returns the next cell of the file, or an empty value, if there is no such key.
      if (!MobUtils.hasValidMobRefCellValue(cell)
          || found.getCell().getValueLength() != MobUtils.getMobValueLength(cell)
          || !CellUtil.equals(found.getCell(), cell)) {
        throw missing(cell);
      }
      return KeyValueUtil.copyToNewKeyValue(found.getCell());
    }
  }

  private IOException missing(Cell cell) {
    return new DoNotRetryIOException(
        "The value of index row "
            + Bytes.toStringBinary(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength())
            + " in "
            + environment.getRegionInfo().getRegionNameAsString()
            + " is not in its MOB file. An earlier split or merge without the patch mob-index"
            + " changed the row's key. See docs/patches/mob-index.md");
  }
}
