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
package io.phoenixpruning.testing;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.Test;

/** Checks the dependencies of the embedded cluster. */
public class ArchitectureTest {

  private static final String TESTING = "io.phoenixpruning.testing";

  /** Benchmarks and tests run these classes with Phoenix's own jars, without ours. */
  @Test
  public void usesNothingElseOfThisProject() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.phoenixpruning..", "org.apache.phoenix.pruning..")
                .and(resideOutsideOfPackage(TESTING)))
        .check(
            new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests())
                .importPackages(TESTING));
  }
}
