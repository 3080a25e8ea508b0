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

import java.io.Serializable;
import java.util.List;

/**
 * The answer of a worker to a command. All values are compared, except for {@link Failure#trace}.
 *
 * @param columns label and type of each column, for a query
 * @param rows the values of the rows, as canonical objects, see {@link Worker}
 * @param updateCount the number of changed rows; -1 for a query
 * @param failure the error; null if there was none
 * @param cells the cells that the statement wrote, without timestamps
 */
record WorkerAnswer(
    List<String> columns,
    List<List<Object>> rows,
    int updateCount,
    Failure failure,
    List<String> cells)
    implements Serializable {

  /**
   * Separates the row of a cell from its column. Nothing else in the text contains this character.
   */
  static final char AFTER_ROW = '\t';

  static final WorkerAnswer EMPTY = new WorkerAnswer(List.of(), List.of(), -1, null, List.of());

  static WorkerAnswer of(List<List<Object>> rows) {
    return new WorkerAnswer(List.of(), rows, -1, null, List.of());
  }

  static WorkerAnswer failed(Failure failure) {
    return new WorkerAnswer(List.of(), List.of(), -1, failure, List.of());
  }

  WorkerAnswer withCells(List<String> written) {
    return new WorkerAnswer(columns, rows, updateCount, failure, written);
  }

  /**
   * An error.
   *
   * @param type the class of the exception
   * @param code the SQL error code; 0 if the exception has none
   * @param message the message, without parts that differ between clusters, such as ports
   */
  record Failure(String type, int code, String message, String trace) implements Serializable {

    /** The type of failure of a statement that took too long and was stopped. */
    static final String TIMEOUT = "timeout";

    /**
     * Returns whether the statement does not end. Phoenix plans some statements again and again,
     * until the stack overflows or the time limit is reached.
     */
    boolean isEndless() {
      return type.equals(TIMEOUT) || type.equals(StackOverflowError.class.getName());
    }

    /** Compares all but the stack trace. All statements that do not end are equal. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Failure failure
          && (isEndless()
              ? failure.isEndless()
              : type.equals(failure.type)
                  && code == failure.code
                  && message.equals(failure.message));
    }

    @Override
    public int hashCode() {
      return isEndless() ? 0 : message.hashCode();
    }

    @Override
    public String toString() {
      return type + " (" + code + "): " + message;
    }
  }
}
