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
package io.phoenixpruning.it.differential;

import io.phoenixpruning.it.differential.AnswerDifference.Case;
import java.util.List;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * A statement whose answer in mode exact without one patch is neither Phoenix's nor that with all
 * patches. The text has the DDL and the statement for a SQL shell.
 *
 * @param companions other patches. If one of them is also left out, the answer is that of Phoenix
 *     or of mode exact
 */
record LeftOutFault(
    Patch patch,
    LeftOutVerdict verdict,
    Case testCase,
    Answered phoenix,
    Answered exact,
    Answered without,
    List<Patch> companions) {

  @Override
  public String toString() {
    return String.format(
        "%s without %s, -Ddifferential.seed=%d, statement %d:%n%s%n%s;%nPhoenix, %s%nexact, %s%n"
            + "exact without %s, %s%nAlso without one of these patches, the answer is as Phoenix or exact: %s%n",
        verdict.label(),
        patch.id(),
        testCase.seed(),
        testCase.number(),
        testCase.table(),
        testCase.trial(),
        shown(phoenix),
        shown(exact),
        patch.id(),
        shown(without),
        companions.stream().map(Patch::id).toList());
  }

  private String shown(Answered answered) {
    String answer =
        answered.verdict() + ": " + AnswerDifference.shown(Answers.shown(answered.answer()));
    return testCase.trial().isQuery()
        ? answer
        : answer
            + "\nrows afterwards: "
            + AnswerDifference.shown(Answers.multiset(answered.rows()));
  }
}
