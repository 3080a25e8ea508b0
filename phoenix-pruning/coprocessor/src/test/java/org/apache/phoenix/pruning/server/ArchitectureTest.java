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
package org.apache.phoenix.pruning.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks the dependencies between the packages of the server side. */
public class ArchitectureTest {

  private static final String ROOT = "org.apache.phoenix.pruning.";

  private static JavaClasses classes;

  @BeforeClass
  public static void importClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("org.apache.phoenix.pruning");
  }

  @Test
  public void packagesHaveNoCycles() {
    slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  public void nothingDependsOnAspects() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "weave")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + "weave")
        .check(classes);
  }

  /** The server runs scans; it does not plan them. */
  @Test
  public void serverDependsOnNoPlanning() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "server..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "prune",
            ROOT + "predicate",
            ROOT + "region",
            ROOT + "probe",
            ROOT + "scan",
            ROOT + "fanout",
            ROOT + "optimize")
        .check(classes);
  }
}
