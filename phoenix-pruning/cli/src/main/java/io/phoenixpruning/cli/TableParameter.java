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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.layout.TableArgument;
import picocli.CommandLine.Parameters;

/** The parameter {@code TABLE} of the commands that read a table with local indexes. */
final class TableParameter {

  @Parameters(
      paramLabel = "TABLE",
      description =
          "A table with local indexes, named as in SQL: T, SCHEMA.T, or '\"t\"' in lower case.")
  private String table;

  /**
   * Parses the name.
   *
   * @throws io.phoenixpruning.cli.console.RefusedException if the value is not the name of a table
   */
  TableArgument parse() {
    return TableArgument.parse(table);
  }
}
