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
package org.apache.phoenix.pruning.probe;

import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Result;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeAnswer.Finding;
import org.jspecify.annotations.Nullable;

/** Answer of a server, or the reason why there is none. */
final class ProbeOutcome {

  private final @Nullable ProbeAnswer answer;
  private final ProbeCause cause;

  private ProbeOutcome(@Nullable ProbeAnswer answer, ProbeCause cause) {
    this.answer = answer;
    this.cause = cause;
  }

  static ProbeOutcome of(ProbeAnswer answer) {
    return answer.isRejected()
        ? unanswered(ProbeCause.REJECTED)
        : new ProbeOutcome(answer, ProbeCause.MAY_MATCH);
  }

  static ProbeOutcome unanswered(ProbeCause cause) {
    return new ProbeOutcome(null, cause);
  }

  /** Returns the finding for the range at {@code index}. */
  Finding finding(int index) {
    return answer == null ? Finding.MAY_MATCH : answer.finding(index);
  }

  /** Returns the rows of the range at {@code index}, if its finding is {@link Finding#ROWS}. */
  List<Result> rows(int index) {
    return Objects.requireNonNull(answer).rowsOf(index);
  }

  /** Returns whether the request was sent to the server. */
  boolean isSent() {
    return cause != ProbeCause.NOT_SENT;
  }

  /** Returns the reason why scans that may match are sent. */
  ProbeCause cause() {
    return cause;
  }

  @Override
  public String toString() {
    return answer == null ? cause.toString() : answer.toString();
  }
}
