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
package io.phoenixpruning.cli.explain;

import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Recognizes misspelled words. */
final class Spelling {

  private static final int TYPING_ERRORS = 2;

  private Spelling() {}

  /**
   * Returns true if {@code written} is {@code word}, another form of it or a misspelling.
   *
   * @param word the correct word in lower case
   * @param written the word to check, in any case
   */
  static boolean isLike(String word, String written) {
    String lower = written.toLowerCase(Locale.ROOT);
    return lower.startsWith(word) || new LevenshteinDistance(TYPING_ERRORS).apply(word, lower) >= 0;
  }
}
