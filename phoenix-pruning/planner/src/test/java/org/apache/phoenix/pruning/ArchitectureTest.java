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
package org.apache.phoenix.pruning;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks the dependencies between the packages of the planner. */
public class ArchitectureTest {

  private static final String ROOT = "org.apache.phoenix.pruning.";

  private static JavaClasses planner;

  @BeforeClass
  public static void importClasses() {
    planner =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("org.apache.phoenix.pruning");
  }

  private static void check(ArchRule rule) {
    rule.check(planner);
  }

  @Test
  public void packagesHaveNoCycles() {
    check(slices().matching(ROOT + "(**)").should().beFreeOfCycles());
  }

  /** Phoenix's woven classes call the aspects; no class of the planner does. */
  @Test
  public void nothingDependsOnAspects() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "weave")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + "weave"));
  }

  /**
   * The classes of the protocol are sent over the network, so they must not change with the
   * planner.
   */
  @Test
  public void protocolDependsOnLayoutOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "protocol")
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.apache.phoenix.pruning..")
                    .and(not(resideInAnyPackage(ROOT + "protocol", ROOT + "layout")))));
  }

  @Test
  public void patchesDependOnTheirSwitchAndLayoutOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "patch..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.apache.phoenix.pruning..")
                    .and(
                        not(
                            resideInAnyPackage(
                                ROOT + "patch..", ROOT + "config", ROOT + "layout")))));
  }

  /**
   * Pruning works without any patch. The code may read the switches of patches, but use none of
   * their classes.
   */
  @Test
  public void pruningDependsOnNoPatch() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "patch..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + "patch.*"));
  }
}
