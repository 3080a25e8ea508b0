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
package org.apache.phoenix.pruning.patch.order;

import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/** Bytes of descending BOOLEANs. */
public final class DescendingBooleans {

  private static final byte TRUE = SortOrder.invert(PDataType.TRUE_BYTES[0]);
  private static final byte FALSE = SortOrder.invert(PDataType.FALSE_BYTES[0]);

  private DescendingBooleans() {}

  /** Returns whether a byte is the inverted byte of an ascending BOOLEAN. */
  public static boolean isInverted(byte value) {
    return value == TRUE || value == FALSE;
  }

  /** Returns the value of an inverted byte. */
  public static boolean isTrue(byte inverted) {
    return inverted == TRUE;
  }
}
