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

import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.jdbc.PhoenixStatement;

/**
 * Context of the rows of a FETCH. The plan of a cursor has the statement of DECLARE CURSOR, so that
 * {@code getResultSet} of the statement with the FETCH would have no rows.
 */
public final class FetchContext extends StatementContext {

  private final PhoenixStatement statement;

  public FetchContext(StatementContext declared, PhoenixStatement statement) {
    super(declared);
    this.statement = statement;
  }

  @Override
  public PhoenixStatement getStatement() {
    return statement;
  }
}
