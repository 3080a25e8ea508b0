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

import io.phoenixpruning.it.differential.Trial.Verdict;
import io.phoenixpruning.it.differential.WorkerAnswer.Failure;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class LeftOutVerdictTest {

  private static final List<List<Object>> RIGHT = rows("a", "b", "c");
  private static final List<List<Object>> PHOENIX = rows("a", "x");
  private static final List<List<Object>> ALLOWED = rows("a", "b", "c", "null");
  private static final List<String> TYPES = List.of("S VARCHAR");

  private static final Trial QUERY =
      Trial.query("SELECT S FROM T", List.of(), List.of("VARCHAR"), LeftOutVerdictTest::judge);
  private static final Trial ORDERED =
      Trial.ordered("SELECT S FROM T", List.of(), List.of("VARCHAR"), LeftOutVerdictTest::judge);
  private static final Trial LIMITED =
      Trial.limited(
          "SELECT S FROM T LIMIT 1",
          List.of(),
          List.of("VARCHAR"),
          rows -> rows.size() == 1 && RIGHT.containsAll(rows) ? Verdict.RIGHT : Verdict.WRONG);
  private static final Trial CHANGE =
      Trial.change("DELETE FROM T", List.of(), true, 2, LeftOutVerdictTest::judge);

  private static final Answered ERROR = failed("no such column");

  @Test
  public void mustAgreeIfBothAgree() {
    assertThat(of(QUERY, RIGHT, RIGHT, rows("c", "b", "a"))).isEqualTo(LeftOutVerdict.AS_BOTH);
    assertThat(of(ORDERED, RIGHT, RIGHT, RIGHT)).isEqualTo(LeftOutVerdict.AS_BOTH);
    assertThat(LeftOutVerdict.of(QUERY, ERROR, ERROR, failed("no such column")))
        .isEqualTo(LeftOutVerdict.AS_BOTH);
  }

  @Test
  public void isFaultIfOnlyTheAnswerWithoutThePatchDiffers() {
    assertThat(of(QUERY, RIGHT, RIGHT, rows("a", "b"))).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(of(QUERY, RIGHT, RIGHT, rows("a", "b", "c", "c"))).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(of(QUERY, RIGHT, RIGHT, ALLOWED)).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(of(QUERY, PHOENIX, PHOENIX, RIGHT)).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(of(ORDERED, RIGHT, RIGHT, rows("b", "a", "c"))).isEqualTo(LeftOutVerdict.FAULT);
    Answered right = query(QUERY, TYPES, RIGHT);
    assertThat(LeftOutVerdict.of(QUERY, right, right, ERROR)).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.of(QUERY, right, right, query(QUERY, List.of("S CHAR"), RIGHT)))
        .isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.of(QUERY, ERROR, ERROR, right)).isEqualTo(LeftOutVerdict.FAULT);
  }

  @Test
  public void mayBeAnyRightAnswerToLimit() {
    assertThat(of(LIMITED, rows("a"), rows("a"), rows("b"))).isEqualTo(LeftOutVerdict.RIGHT);
    assertThat(of(LIMITED, rows("a"), rows("a"), rows("x"))).isEqualTo(LeftOutVerdict.FAULT);
  }

  @Test
  public void mayStayCorrectedOrBringTheDefectBack() {
    assertThat(of(QUERY, PHOENIX, RIGHT, RIGHT)).isEqualTo(LeftOutVerdict.AS_EXACT);
    assertThat(of(QUERY, PHOENIX, RIGHT, PHOENIX)).isEqualTo(LeftOutVerdict.AS_PHOENIX);
    Answered right = query(QUERY, TYPES, RIGHT);
    assertThat(LeftOutVerdict.of(QUERY, ERROR, right, failed("no such column")))
        .isEqualTo(LeftOutVerdict.AS_PHOENIX);
  }

  @Test
  public void mayBeRightInAnotherWayThanExact() {
    assertThat(of(QUERY, PHOENIX, RIGHT, ALLOWED)).isEqualTo(LeftOutVerdict.RIGHT);
  }

  @Test
  public void mayHaveSomeOfTheWrongRows() {
    assertThat(of(QUERY, PHOENIX, RIGHT, rows("a", "b")))
        .isEqualTo(LeftOutVerdict.PARTLY_AS_PHOENIX);
    assertThat(of(QUERY, PHOENIX, RIGHT, rows("a", "b", "c", "x")))
        .isEqualTo(LeftOutVerdict.PARTLY_AS_PHOENIX);
  }

  @Test
  public void isFaultIfRowsAreLostThatBothFind() {
    assertThat(of(QUERY, PHOENIX, RIGHT, rows("b", "c"))).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(of(QUERY, PHOENIX, RIGHT, rows())).isEqualTo(LeftOutVerdict.FAULT);
  }

  @Test
  public void isFaultIfRowsAreFoundThatNeitherFinds() {
    assertThat(of(QUERY, PHOENIX, RIGHT, rows("a", "b", "c", "y"))).isEqualTo(LeftOutVerdict.FAULT);
    assertThat(of(QUERY, PHOENIX, RIGHT, rows("a", "a"))).isEqualTo(LeftOutVerdict.FAULT);
  }

  @Test
  public void isFaultIfTheErrorIsNew() {
    assertThat(
            LeftOutVerdict.of(
                QUERY, query(QUERY, TYPES, PHOENIX), query(QUERY, TYPES, RIGHT), ERROR))
        .isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.of(QUERY, ERROR, query(QUERY, TYPES, RIGHT), failed("another error")))
        .isEqualTo(LeftOutVerdict.FAULT);
  }

  /** Tests wrong rows if Phoenix fails. An error cannot be compared with rows. */
  @Test
  public void isFaultIfTheRowsAreWrongAndPhoenixFails() {
    assertThat(
            LeftOutVerdict.of(
                QUERY, ERROR, query(QUERY, TYPES, RIGHT), query(QUERY, TYPES, PHOENIX)))
        .isEqualTo(LeftOutVerdict.FAULT);
  }

  /** An error of Phoenix hides the defect of the patch that is left out. */
  @Test
  public void mayShowOneOfTwoDefects() {
    Answered error = failed("no such column");
    assertThat(LeftOutVerdict.ofTwoDefects(QUERY, ERROR, error))
        .isEqualTo(LeftOutVerdict.AS_PHOENIX_WITHOUT_ONE_MORE);
    assertThat(
            LeftOutVerdict.ofTwoDefects(
                QUERY, query(QUERY, TYPES, PHOENIX), query(QUERY, TYPES, PHOENIX)))
        .isEqualTo(LeftOutVerdict.AS_PHOENIX_WITHOUT_ONE_MORE);
    assertThat(LeftOutVerdict.ofTwoDefects(QUERY, ERROR, failed("another error")))
        .isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.ofTwoDefects(QUERY, ERROR, query(QUERY, TYPES, RIGHT)))
        .as("as mode exact with all patches")
        .isEqualTo(LeftOutVerdict.FAULT);
  }

  /** A patch that is left out may not break what works on Phoenix. */
  @Test
  public void isFaultIfPhoenixIsRightAndAnotherPatchHelps() {
    Answered right = query(QUERY, TYPES, RIGHT);
    assertThat(LeftOutVerdict.ofTwoDefects(QUERY, right, right)).isEqualTo(LeftOutVerdict.FAULT);
    Answered allowed = query(QUERY, TYPES, ALLOWED);
    assertThat(LeftOutVerdict.ofTwoDefects(QUERY, allowed, allowed))
        .isEqualTo(LeftOutVerdict.FAULT);
  }

  @Test
  public void mayHaveTypesOfPhoenixWithTheRowsOfExact() {
    Answered exact = query(QUERY, TYPES, RIGHT);
    Answered phoenix = query(QUERY, List.of("S DECIMAL"), PHOENIX);
    assertThat(LeftOutVerdict.of(QUERY, phoenix, exact, query(QUERY, List.of("S DECIMAL"), RIGHT)))
        .isEqualTo(LeftOutVerdict.RIGHT);
    assertThat(LeftOutVerdict.of(QUERY, phoenix, exact, query(QUERY, List.of("S DATE"), RIGHT)))
        .isEqualTo(LeftOutVerdict.FAULT);
  }

  @Test
  public void comparesTheCellsAndCountsOfStatementsThatWrite() {
    Answered phoenix = change(PHOENIX, 1, "a");
    Answered exact = change(RIGHT, 2, "a", "b");
    assertThat(LeftOutVerdict.of(CHANGE, exact, exact, change(RIGHT, 2, "a", "b")))
        .isEqualTo(LeftOutVerdict.AS_BOTH);
    assertThat(LeftOutVerdict.of(CHANGE, phoenix, exact, change(PHOENIX, 1, "a")))
        .isEqualTo(LeftOutVerdict.AS_PHOENIX);
    assertThat(LeftOutVerdict.of(CHANGE, exact, exact, change(RIGHT, 2, "a")))
        .isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.of(CHANGE, phoenix, exact, change(RIGHT, 2, "a", "z")))
        .isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.of(CHANGE, phoenix, exact, change(RIGHT, 3, "a", "b")))
        .isEqualTo(LeftOutVerdict.FAULT);
    assertThat(LeftOutVerdict.of(CHANGE, phoenix, exact, change(rows("c"), 2, "a", "b")))
        .isEqualTo(LeftOutVerdict.FAULT);
  }

  private static LeftOutVerdict of(
      Trial trial,
      List<List<Object>> phoenix,
      List<List<Object>> exact,
      List<List<Object>> without) {
    return LeftOutVerdict.of(
        trial,
        query(trial, TYPES, phoenix),
        query(trial, TYPES, exact),
        query(trial, TYPES, without));
  }

  private static Verdict judge(List<List<Object>> rows) {
    List<String> found = Answers.multiset(rows);
    return found.equals(Answers.multiset(RIGHT))
        ? Verdict.RIGHT
        : found.equals(Answers.multiset(ALLOWED)) ? Verdict.ALLOWED : Verdict.WRONG;
  }

  private static Answered query(Trial trial, List<String> columns, List<List<Object>> rows) {
    return Answered.of(trial, new WorkerAnswer(columns, rows, -1, null, List.of()), rows);
  }

  private static Answered change(List<List<Object>> rows, int count, String... cells) {
    return Answered.of(
        CHANGE, new WorkerAnswer(List.of(), List.of(), count, null, List.of(cells)), rows);
  }

  private static Answered failed(String message) {
    return Answered.of(
        QUERY, WorkerAnswer.failed(new Failure("SQLException", 1, message, "")), List.of());
  }

  private static List<List<Object>> rows(String... values) {
    return Arrays.stream(values).map(List::<Object>of).toList();
  }
}
