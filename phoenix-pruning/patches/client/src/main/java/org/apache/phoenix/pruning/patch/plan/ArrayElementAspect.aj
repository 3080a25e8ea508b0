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

import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.ProjectionCompiler;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.UpsertCompiler;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Lets the client take an element of an array unless the server is sure to return the right one.
 * Phoenix's {@code ProjectionCompiler} lets the server replace the array with the element before
 * the rows are sorted, skipped or joined. The client then finds another column, or null (not
 * reported).
 *
 * <p>Example: {@code SELECT ARR[1] FROM T WHERE V = 1 ORDER BY W} along an index on V that includes
 * ARR and W returns null.
 */
public privileged aspect ArrayElementAspect {

  /** Statements whose rows are joined, or written, before their elements are read. */
  pointcut isPartOfAnother() :
      cflow(execution(* QueryCompiler.compileJoinQuery(..)))
      || cflow(execution(* UpsertCompiler.compile(..)));

  /** Says that a statement has aggregates, because Phoenix leaves their elements to the client. */
  boolean around(ExpressionCompiler visitor, SelectStatement statement) :
      call(boolean SelectStatement.isAggregate())
      && withincode(* ProjectionCompiler.*.visitLeave(FunctionParseNode, List))
      && this(visitor)
      && target(statement)
      && !isPartOfAnother() {
    return proceed(visitor, statement)
        || (Patches.isOn(Patch.ARRAY_ELEMENT, visitor.context.getConnection())
            && !ArrayElements.areReadOnServer(visitor.context, statement));
  }

  boolean around(ExpressionCompiler visitor) :
      call(boolean SelectStatement.isAggregate())
      && withincode(* ProjectionCompiler.*.visitLeave(FunctionParseNode, List))
      && this(visitor)
      && isPartOfAnother() {
    return proceed(visitor)
        || Patches.isOn(Patch.ARRAY_ELEMENT, visitor.context.getConnection());
  }
}
