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
package io.phoenixpruning.cli.advise;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.parse.UpsertStatement;

/**
 * Finds the target table of an UPSERT. The plan of an UPSERT SELECT needs this table, although the
 * statement does not read it.
 */
final class UpsertTarget {

  private UpsertTarget() {}

  /**
   * Returns the full name of the target table as Phoenix stores it, or empty if {@code sql} is not
   * an UPSERT.
   */
  static Optional<String> of(Connection connection, String sql) throws SQLException {
    if (!(new SQLParser(sql + "\n").parseStatement() instanceof UpsertStatement upsert)) {
      return Optional.empty();
    }
    return Optional.of(StatementParts.fullName(upsert.getTable().getName(), connection));
  }
}
