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
package org.apache.phoenix.pruning.patch.type;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.function.LpadFunction;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.util.StringUtil;

/**
 * Fills bytes with the text of a column. Phoenix's {@code StringUtil} loops forever if the text is
 * not at the start of its array. Phoenix's {@code LpadFunction} takes the bytes of a text for its
 * letters, and so also counts bytes after the text (not reported).
 *
 * <p>Example: {@code SELECT LPAD(A, 10, B) FROM T} never ends, on the client or on a region server.
 */
public aspect EndlessPaddingAspect {

  void around(
      byte[] filled,
      int start,
      int end,
      byte[] text,
      int textStart,
      int textEnd,
      boolean isInverted) :
      execution(static void StringUtil.fill(byte[], int, int, byte[], int, int, boolean))
      && args(filled, start, end, text, textStart, textEnd, isInverted) {
    if (!Patches.isOn(Patch.ENDLESS_PADDING)) {
      proceed(filled, start, end, text, textStart, textEnd, isInverted);
      return;
    }
    for (int i = start; i < end; i++) {
      byte next = text[textStart + (i - start) % (textEnd - textStart)];
      filled[i] = isInverted ? (byte) ~next : next;
    }
  }

  int around(ImmutableBytesWritable text, int letters) :
      call(int LpadFunction.getSubstringByteLength(
          ImmutableBytesWritable, int, SortOrder, boolean))
      && withincode(boolean LpadFunction.evaluate(..))
      && args(text, letters, ..) {
    // A text has at least as many bytes as letters, so this is the whole text.
    return letters == text.getLength() && Patches.isOn(Patch.ENDLESS_PADDING)
        ? letters
        : proceed(text, letters);
  }
}
