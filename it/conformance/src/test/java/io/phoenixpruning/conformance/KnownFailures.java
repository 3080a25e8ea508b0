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
package io.phoenixpruning.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tests that may fail, read from a file with lines {@code KIND class#method}. Comments start
 * with {@code #}. A name without parameters stands for the test with all its parameters.
 */
final class KnownFailures {

  enum Kind {
    /**
     * Asserts the text of EXPLAIN. Must fail if EXPLAIN names the regions, and must not fail
     * otherwise.
     */
    EXPLAIN,
    /** Asserts a plan that only stock produces. Must fail. */
    PLAN,
    /** Fails on stock's jars, too, always or sometimes. */
    STOCK
  }

  private final SortedMap<String, Kind> kinds = new TreeMap<>();

  static KnownFailures read(Path file) throws IOException {
    KnownFailures known = new KnownFailures();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] words = line.trim().split(" +", 2);
        if (words.length < 2 || known.kinds.put(words[1], Kind.valueOf(words[0])) != null) {
          throw new IOException("not KIND class#method, or twice: " + line);
        }
      }
    }
    return known;
  }

  /**
   * Returns whether {@code test} may fail.
   *
   * @param withRegions whether EXPLAIN names the regions
   */
  boolean mayFail(String test, boolean withRegions) {
    return mustFail(test, withRegions) || kind(test) == Kind.STOCK;
  }

  boolean mustFail(String test, boolean withRegions) {
    return kind(test) == Kind.PLAN || (kind(test) == Kind.EXPLAIN && withRegions);
  }

  private Kind kind(String test) {
    return kinds.getOrDefault(test, kinds.get(withoutParameters(test)));
  }

  SortedMap<String, Kind> kinds() {
    return kinds;
  }

  private static String withoutParameters(String test) {
    int parameters = test.indexOf('[');
    return parameters < 0 ? test : test.substring(0, parameters);
  }
}
