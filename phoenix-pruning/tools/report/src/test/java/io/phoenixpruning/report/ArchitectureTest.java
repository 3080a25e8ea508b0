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
package io.phoenixpruning.report;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.Test;

/** Checks the dependencies of reports. */
public class ArchitectureTest {

  private static final String REPORT = "io.phoenixpruning.report";

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(REPORT);

  @Test
  public void packagesHaveNoCycles() {
    slices().matching(REPORT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** The command line and the benchmarks use reports, and not the reverse. */
  @Test
  public void usesOnlyJavaAndLibrariesForCharts() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            REPORT + "..",
            "java..",
            "javax.xml..",
            "org.w3c.dom..",
            "org.xml.sax..",
            "org.jspecify.annotations",
            "org.knowm.xchart..",
            "de.erichseifert.vectorgraphics2d..")
        .check(CLASSES);
  }
}
