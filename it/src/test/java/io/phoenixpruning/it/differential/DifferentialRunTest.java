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

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.differential.AnswerDifference.Case;
import io.phoenixpruning.it.differential.Trial.Verdict;
import io.phoenixpruning.it.differential.WorkerAnswer.Failure;
import java.util.List;
import org.junit.Test;

/** Tests which statements may write a descending DECIMAL of the key as another number. */
public class DifferentialRunTest {

  private static final String UPSERT = "UPSERT INTO T SELECT * FROM T WHERE V = 1";
  private static final RandomKeyColumn DECIMAL =
      new RandomKeyColumn("K1", KeyType.SCALED, false, true, 0);

  private static final WorkerAnswer TWO_ROWS = changed(2);

  @Test
  public void mayWriteDescendingDecimalsOfTheKey() {
    assertThat(writes(DECIMAL, change(UPSERT), TWO_ROWS)).isTrue();
  }

  @Test
  public void mayNotWriteAnotherNumberOfRows() {
    assertThat(writes(DECIMAL, change(UPSERT), changed(1))).isFalse();
    assertThat(writes(DECIMAL, change(UPSERT), changed(3))).isFalse();
  }

  @Test
  public void mayNotFail() {
    WorkerAnswer failed = WorkerAnswer.failed(new Failure("SQLException", 1, "no column", ""));
    assertThat(writes(DECIMAL, change(UPSERT), failed)).isFalse();
  }

  @Test
  public void mustBeUpsertSelect() {
    assertThat(writes(DECIMAL, change("DELETE FROM T WHERE V = 1"), TWO_ROWS)).isFalse();
    Trial query =
        Trial.query("SELECT V FROM T", List.of(), List.of("INTEGER"), rows -> Verdict.RIGHT);
    assertThat(writes(DECIMAL, query, WorkerAnswer.of(List.of()))).isFalse();
  }

  @Test
  public void mustHaveADescendingDecimalInTheKey() {
    RandomKeyColumn ascending = new RandomKeyColumn("K1", KeyType.SCALED, false, false, 0);
    assertThat(writes(ascending, change(UPSERT), TWO_ROWS)).isFalse();
    RandomKeyColumn integer = new RandomKeyColumn("K1", KeyType.INTEGER, false, true, 0);
    assertThat(writes(integer, change(UPSERT), TWO_ROWS)).isFalse();
  }

  private static boolean writes(RandomKeyColumn key, Trial trial, WorkerAnswer ofExact) {
    KeyTable table =
        new KeyTable("T", List.of(key), "", null, null, 0, false, List.of(), List.of());
    return DifferentialRun.writesDescendingDecimals(new Case(1, 0, table, trial), ofExact);
  }

  private static Trial change(String sql) {
    return Trial.change(sql, List.of(), true, 2, rows -> Verdict.WRONG);
  }

  private static WorkerAnswer changed(int count) {
    return new WorkerAnswer(List.of(), List.of(), count, null, List.of());
  }
}
