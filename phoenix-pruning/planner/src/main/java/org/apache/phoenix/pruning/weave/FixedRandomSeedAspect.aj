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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.optimize.GenSubqueryParamValuesRewriter;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Makes the choice of a plan repeatable if the statement has a subquery. Phoenix's {@code
 * GenSubqueryParamValuesRewriter} replaces the values of the subquery with random sample values. A
 * fixed seed makes these values the same each time.
 */
public privileged aspect FixedRandomSeedAspect {

  before(StatementContext context) throws SQLException :
      execution(ParseNode GenSubqueryParamValuesRewriter.replaceWithDummyValues(
          ParseNode, StatementContext))
      && args(*, context) {
    if (PruningOptions.modeOf(context.getConnection()) != PruningMode.STOCK) {
      PDataType.RANDOM.get().setSeed(0);
    }
  }
}
