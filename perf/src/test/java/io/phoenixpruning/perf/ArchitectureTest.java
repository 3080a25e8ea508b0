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
package io.phoenixpruning.perf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.Test;

/** Checks the dependencies between the packages of the benchmarks. */
public class ArchitectureTest {

  private static final String PERF = "io.phoenixpruning.perf";

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(PERF);

  @Test
  public void packagesHaveNoCycles() {
    slices().matching(PERF + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  public void harnessKnowsNoBenchmark() {
    noClasses()
        .that()
        .resideInAPackage(PERF + ".harness..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(PERF + ".bench..", PERF + ".storage..")
        .check(CLASSES);
  }

  @Test
  public void studiesOfStorageKnowOnlyTheHarness() {
    noClasses()
        .that()
        .resideInAPackage(PERF + ".storage..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(PERF + ".bench..")
        .check(CLASSES);
  }
}
