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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Outcomes of tests, read from a folder of Surefire's XML reports. A test is named {@code
 * class#method}, with the parameters that it ran with: {@code
 * com.example.ScanTest#reads[salted=true]}. A failure outside of a method, such as in the start of
 * a class, is named {@code class#}.
 */
final class TestReports {

  /** Outcome of a test. If a test ran more than once, its worst outcome. */
  enum Outcome {
    SKIPPED,
    PASSED,
    FAILED
  }

  private final SortedSet<String> classes = new TreeSet<>();
  private final TreeMap<String, Outcome> outcomes = new TreeMap<>();

  private TestReports() {}

  /**
   * Reads all reports in {@code folder}.
   *
   * @throws IOException if the folder has no reports
   */
  static TestReports read(Path folder) throws IOException {
    TestReports reports = new TestReports();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
      for (Path file : files) {
        reports.add(file);
      }
    }
    if (reports.classes.isEmpty()) {
      throw new IOException("no reports in " + folder);
    }
    return reports;
  }

  private void add(Path file) throws IOException {
    Element suite = parse(file).getDocumentElement();
    classes.add(suite.getAttribute("name"));
    NodeList tests = suite.getElementsByTagName("testcase");
    for (int i = 0; i < tests.getLength(); i++) {
      Element test = (Element) tests.item(i);
      outcomes.merge(
          test.getAttribute("classname") + "#" + test.getAttribute("name"),
          outcome(test),
          (a, b) -> a.compareTo(b) < 0 ? b : a);
    }
  }

  private static Outcome outcome(Element test) {
    if (has(test, "failure") || has(test, "error")) {
      return Outcome.FAILED;
    }
    return has(test, "skipped") ? Outcome.SKIPPED : Outcome.PASSED;
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  private static Document parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("not a report: " + file, e);
    }
  }

  /** Returns the classes that ran to their end. */
  SortedSet<String> classes() {
    return classes;
  }

  Map<String, Outcome> outcomes() {
    return outcomes;
  }

  /** Returns the tests with an outcome, in order. */
  SortedSet<String> tests(Outcome outcome) {
    SortedSet<String> tests = new TreeSet<>(outcomes.keySet());
    tests.removeIf(test -> outcomes.get(test) != outcome);
    return tests;
  }
}
