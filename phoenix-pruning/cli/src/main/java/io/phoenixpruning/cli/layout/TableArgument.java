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
package io.phoenixpruning.cli.layout;

import io.phoenixpruning.cli.RefusedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.phoenix.util.SchemaUtil;

/**
 * The name of a table, as a user gave it.
 *
 * @param given as the user wrote it
 * @param name as the catalog has it, with its schema
 */
public record TableArgument(String given, String name) {

  private static final String IDENTIFIER = "(\\w+|\"[^\".\\s]+\")";
  private static final Pattern SYNTAX = Pattern.compile("(?:" + IDENTIFIER + "\\.)?" + IDENTIFIER);

  /**
   * Reads a name as SQL does: in upper case, unless it is in quotes.
   *
   * @throws RefusedException if it is no name of a table
   */
  public static TableArgument parse(String given) {
    Matcher parts = SYNTAX.matcher(given);
    if (!parts.matches()) {
      throw new RefusedException(
          "TABLE is '"
              + given
              + "', but has to be the name of a table, such as T, SCHEMA.T, or '\"t\"' with its quotes"
              + " if it is in lower case: mend it");
    }
    String schema = parts.group(1) == null ? "" : SchemaUtil.normalizeIdentifier(parts.group(1));
    return new TableArgument(
        given, SchemaUtil.getTableName(schema, SchemaUtil.normalizeIdentifier(parts.group(2))));
  }

  /** What to say where the name is of something else. */
  RefusedException refused(String what, String advice) {
    return new RefusedException("TABLE is '" + given + "', " + what + ": " + advice);
  }
}
