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
package org.apache.phoenix.pruning.patch.plan;

import java.util.regex.Pattern;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Quotes the family of a column in the text of a condition or an indexed expression, if it needs
 * quotes. Phoenix stores the condition of a view and the expressions of an index as texts.
 * Phoenix's {@code ColumnParseNode} adds the family of a column to the text, and quotes it only if
 * the statement names it in quotes (not reported).
 *
 * <p>Example: A view of T with {@code WHERE A.C = 5} inherits a local index that includes C. The
 * family of C in the index is L#A, so queries of the view fail with {@code Unexpected char: '#'}.
 */
public aspect QuotedFamilyAspect {

  private static final Pattern UNQUOTED = Pattern.compile("[A-Z][A-Z0-9_]*");

  StringBuilder around(ColumnParseNode column, String family) :
      call(StringBuilder StringBuilder.append(String))
      && withincode(void ColumnParseNode.toSQL(ColumnResolver, StringBuilder))
      && this(column)
      && args(family) {
    // A name that is in the statement is not looked up, and stays as it is.
    boolean lacksQuotes =
        !column.isTableNameCaseSensitive()
            && !family.equals(column.getTableName())
            && !UNQUOTED.matcher(family).matches()
            && Patches.isOn(Patch.QUOTED_FAMILY);
    return proceed(column, lacksQuotes ? '"' + family + '"' : family);
  }
}
