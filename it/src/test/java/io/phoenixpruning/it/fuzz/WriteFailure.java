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
package io.phoenixpruning.it.fuzz;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A difference between a table on a cluster and the table in memory, or an error.
 *
 * @param kind kind of failure, without names and values
 */
record WriteFailure(String kind, String detail) {

  private static final Pattern CAUSE = Pattern.compile("Caused by: (.*)");

  /** Returns the failure of a statement that threw an exception. */
  static WriteFailure of(Object where, Throwable error) {
    StringBuilder trace = new StringBuilder(String.valueOf(where));
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      trace.append("\n  ").append(cause);
      for (int i = 0; i < Math.min(8, cause.getStackTrace().length); i++) {
        trace.append("\n    at ").append(cause.getStackTrace()[i]);
      }
    }
    String message = String.valueOf(error.getMessage());
    // The message of an error of a server has the server's stack trace.
    Matcher cause = CAUSE.matcher(message);
    String first = cause.find() ? cause.group(1) : message.lines().findFirst().orElse("");
    String general = first.replaceAll("\\b[\\w.-]*\\d[\\w.,-]*", "#");
    return new WriteFailure(
        error.getClass().getSimpleName()
            + ": "
            + general.substring(0, Math.min(90, general.length())),
        trace.toString());
  }

  @Override
  public String toString() {
    return kind + ": " + detail;
  }
}
