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

import io.phoenixpruning.cli.console.RefusedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.phoenix.util.SchemaUtil;

/**
 * The name of a table as given by the user.
 *
 * @param given name as the user wrote it
 * @param name name in the catalog, with its schema
 */
public record TableArgument(String given, String name) {

  private static final String IDENTIFIER = "(\\w+|\"[^\".\\s]+\")";
  private static final Pattern SYNTAX = Pattern.compile("(?:" + IDENTIFIER + "\\.)?" + IDENTIFIER);

  /**
   * Parses a name like SQL: converts it to upper case unless it is quoted.
   *
   * @throws RefusedException if {@code given} is not the name of a table
   */
  public static TableArgument parse(String given) {
    Matcher parts = SYNTAX.matcher(given);
    if (!parts.matches()) {
      throw new RefusedException(
          "TABLE '"
              + given
              + "' is not the name of a table. Expected T, SCHEMA.T, or '\"t\"' with quotes for a"
              + " name in lower case");
    }
    String schema = parts.group(1) == null ? "" : SchemaUtil.normalizeIdentifier(parts.group(1));
    return new TableArgument(
        given, SchemaUtil.getTableName(schema, SchemaUtil.normalizeIdentifier(parts.group(2))));
  }

  /** Returns an exception for a name that the command cannot use. */
  public RefusedException refused(String what, String advice) {
    return new RefusedException("TABLE '" + given + "' " + what + ". " + advice);
  }
}
