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
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.pruning.scan.LocalIndexScanPlanner;
import org.apache.phoenix.pruning.server.boundary.RegionBoundaryCheck;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks the reports of Phoenix's tests, which ran before on the same class path. */
public class ConformanceIT {

  private static TestReports reports;
  private static KnownFailures known;

  @BeforeClass
  public static void readReports() throws IOException {
    reports = TestReports.read(reportsFolder());
    known = KnownFailures.read(ClassList.folder().resolve("known-failures.txt"));
  }

  private static Path reportsFolder() {
    return Path.of(System.getProperty("conformance.reports"));
  }

  private static boolean withRegions() {
    return System.getProperty("conformance.jars").equals("explain");
  }

  @Test
  public void noTestFailsThatStockPasses() {
    SortedSet<String> failed = reports.tests(FAILED);
    failed.removeIf(test -> known.mayFail(test, withRegions()));
    assertThat(failed).as("failed, and not in known-failures.txt").isEmpty();
  }

  @Test
  public void knownDifferencesAreStillOnes() {
    SortedSet<String> passed = reports.tests(PASSED);
    passed.removeIf(test -> !known.mustFail(test, withRegions()));
    assertThat(passed).as("passed, and must not by known-failures.txt").isEmpty();
  }

  /**
   * Checks that all classes have a report. A class that hangs, or whose JVM dies, has no report.
   */
  @Test
  public void allClassesRan() throws IOException {
    assumeTrue("all classes were to run", System.getProperty("conformance.chosen", "").isEmpty());
    assertThat(reports.classes())
        .containsAll(ClassList.read(System.getProperty("conformance.classes")));
  }

  @Test
  public void noForkCrashedOrTimedOut() throws IOException {
    assertThat(Files.readString(reportsFolder().resolve("failsafe-summary.xml")))
        .contains("timeout=\"false\"")
        .containsPattern("<failureMessage[^>]*/>");
  }

  @Test
  public void phoenixIsWoven() {
    assertThat(location(BaseResultIterators.class))
        .isEqualTo(location(LocalIndexScanPlanner.class));
    assertThat(location(BaseScannerRegionObserver.class))
        .isEqualTo(location(RegionBoundaryCheck.class));
  }

  private static URL location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
