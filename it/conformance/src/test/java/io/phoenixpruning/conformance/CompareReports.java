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

import static io.phoenixpruning.conformance.TestReports.Outcome.FAILED;
import static io.phoenixpruning.conformance.TestReports.Outcome.PASSED;

import io.phoenixpruning.conformance.TestReports.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Compares two folders of Surefire's XML reports: {@code CompareReports WOVEN STOCK}. For each
 * class, prints how many tests ran and failed in both. Also names the tests whose outcomes differ.
 */
public final class CompareReports {

  private final TestReports woven;
  private final TestReports stock;

  CompareReports(TestReports woven, TestReports stock) {
    this.woven = woven;
    this.stock = stock;
  }

  public static void main(String[] folders) throws IOException {
    new CompareReports(TestReports.read(Path.of(folders[0])), TestReports.read(Path.of(folders[1])))
        .print(System.out);
  }

  void print(PrintStream out) {
    SortedSet<String> classes = new TreeSet<>(woven.classes());
    classes.addAll(stock.classes());
    out.printf("%-80s %6s %6s %6s %6s%n", "class", "woven", "failed", "stock", "failed");
    for (String name : classes) {
      out.printf(
          "%-80s %6s %6s %6s %6s%n",
          name, ran(woven, name), failed(woven, name), ran(stock, name), failed(stock, name));
    }
    print(out, "fail on the woven jars, pass on stock's", tests(FAILED, PASSED));
    print(out, "pass on the woven jars, fail on stock's", tests(PASSED, FAILED));
    print(out, "fail on both", tests(FAILED, FAILED));
    print(out, "fail on the woven jars, did not run on stock's", tests(FAILED, null));
  }

  private static void print(PrintStream out, String what, SortedSet<String> tests) {
    out.printf("%n%d %s%n", tests.size(), what);
    tests.forEach(test -> out.println("  " + test));
  }

  /**
   * Returns the tests with these outcomes.
   *
   * @param onStock outcome on stock's jars; null for a test that did not run
   */
  SortedSet<String> tests(Outcome onWoven, Outcome onStock) {
    SortedSet<String> tests = woven.tests(onWoven);
    tests.removeIf(test -> stock.outcomes().get(test) != onStock);
    return tests;
  }

  private static String ran(TestReports reports, String name) {
    return count(reports, name, PASSED, FAILED);
  }

  private static String failed(TestReports reports, String name) {
    return count(reports, name, FAILED);
  }

  private static String count(TestReports reports, String name, Outcome... outcomes) {
    if (!reports.classes().contains(name)) {
      return "-";
    }
    long tests = 0;
    for (Outcome outcome : outcomes) {
      tests += reports.tests(outcome).stream().filter(t -> t.startsWith(name + "#")).count();
    }
    return Long.toString(tests);
  }
}
