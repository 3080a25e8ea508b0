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
package org.apache.phoenix.pruning.patch.write;

import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTableImpl;

/**
 * Stores a null of a CHAR or BINARY column without padding. If Phoenix's {@code PTableImpl} cannot
 * delete the column instead, it fills the null with blanks or zero bytes (PHOENIX-6583).
 *
 * <p>Example: after {@code UPSERT INTO T VALUES (1, NULL) ON DUPLICATE KEY IGNORE}, {@code SELECT K
 * FROM T WHERE C IS NULL} finds no rows.
 */
public privileged aspect NullPaddingAspect {

  void around(PColumn column, byte[] value) :
      execution(void PTableImpl.PRowImpl.setValue(PColumn, byte[]))
      && args(column, value) {
    boolean isNull = value == null || value.length == 0;
    proceed(
        isNull && Patches.isOn(Patch.NULL_PADDING) ? NullColumn.of(column) : column, value);
  }
}
