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
package org.apache.phoenix.pruning.layout;

import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/** Finds the column families that store the cells of a table or an index. */
public final class ColumnFamilies {

  private ColumnFamilies() {}

  /**
   * Returns the names of the column families of {@code table}, which may be an index. The names are
   * sorted. The result includes the family of the empty cell of each row, even if no column has a
   * family.
   */
  public static Set<String> of(PTable table) {
    Set<String> families = new TreeSet<>();
    families.add(Bytes.toString(SchemaUtil.getEmptyColumnFamily(table)));
    table.getColumnFamilies().forEach(family -> families.add(family.getName().getString()));
    return families;
  }
}
