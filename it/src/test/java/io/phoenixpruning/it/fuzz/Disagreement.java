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

/**
 * Two answers to one statement that differ.
 *
 * @param source description of the wrong answer, such as its mode
 * @param byPruning whether pruning causes the difference
 * @param expected rows, or the exception that was thrown
 * @param actual rows, or the exception that was thrown
 */
record Disagreement(String source, boolean byPruning, Object expected, Object actual) {

  private static final int MAX_LENGTH = 1_500;

  @Override
  public String toString() {
    return source + "\n  expected " + cut(expected) + "\n  but was  " + cut(actual);
  }

  private static String cut(Object value) {
    String text = String.valueOf(value);
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
  }
}
