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
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.protocol.RebuildRequest;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks the dependencies between the packages of the planner. */
public class ArchitectureTest {

  private static final String ROOT = "org.apache.phoenix.pruning.";

  private static final Path ARCHITECTURE = Path.of("..", "..", "docs", "architecture", "README.md");

  /** Aspects of patches that are in a package of Phoenix. */
  private static final DescribedPredicate<JavaClass> COMPILE_ASPECTS =
      resideInAPackage("org.apache.phoenix.compile")
          .and(nameMatching(".*Aspect(\\$.*)?"))
          .as("aspects in org.apache.phoenix.compile");

  private static final DescribedPredicate<JavaClass> PATCHES =
      resideInAPackage(ROOT + "patch.*").or(COMPILE_ASPECTS).as("patches");

  private static JavaClasses planner;

  @BeforeClass
  public static void importClasses() {
    planner =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("org.apache.phoenix.pruning", "org.apache.phoenix.compile")
            .that(resideInAPackage("org.apache.phoenix.pruning..").or(COMPILE_ASPECTS));
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
   * planner. Only a request names patches.
   */
  @Test
  public void protocolDependsOnLayoutOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "protocol")
            .and(not(belongToAnyOf(PatchRequest.class)))
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.apache.phoenix.pruning..")
                    .and(not(resideInAnyPackage(ROOT + "protocol", ROOT + "layout")))));
    check(
        noClasses()
            .that(belongToAnyOf(PatchRequest.class))
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.apache.phoenix.pruning..")
                    .and(not(resideInAnyPackage(ROOT + "protocol", ROOT + "patch")))));
  }

  @Test
  public void patchesDependOnTheirSwitchAndLayoutOnly() {
    check(
        noClasses()
            .that(resideInAPackage(ROOT + "patch..").or(COMPILE_ASPECTS))
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.apache.phoenix.pruning..")
                    .and(
                        not(resideInAnyPackage(ROOT + "patch..", ROOT + "config", ROOT + "layout")))
                    .and(not(belongToAnyOf(PatchRequest.class, RebuildRequest.class)))));
  }

  /**
   * Pruning works without any patch. The code may read the switches of patches, but use none of
   * their classes.
   */
  @Test
  public void pruningDependsOnNoPatch() {
    assertThat(planner.that(COMPILE_ASPECTS)).as("classes of %s", COMPILE_ASPECTS).isNotEmpty();
    check(noClasses().that(not(PATCHES)).should().dependOnClassesThat(PATCHES));
  }

  /** The packages are in the order of two tables of the documentation. */
  @Test
  public void packagesDependOnPackagesAboveThemOnly() throws IOException {
    List<List<String>> tables = tablesOfPackages();
    List<String> packages = new ArrayList<>(tables.get(1));
    packages.addAll(tables.get(0));
    for (int i = 0; i < packages.size(); i++) {
      String[] below = packages.subList(i + 1, packages.size()).toArray(new String[0]);
      if (below.length > 0) {
        check(
            noClasses()
                .that()
                .resideInAPackage(packages.get(i))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(below));
      }
    }
    Set<String> found =
        planner.that(not(COMPILE_ASPECTS)).stream()
            .map(JavaClass::getPackageName)
            .collect(Collectors.toSet());
    assertThat(packages).containsExactlyInAnyOrderElementsOf(found);
  }

  /** Returns the packages in the first column of each table of packages. */
  private static List<List<String>> tablesOfPackages() throws IOException {
    Pattern name = Pattern.compile("`([a-z.]+)`");
    List<List<String>> tables = new ArrayList<>();
    boolean isTable = false;
    for (String line : Files.readAllLines(ARCHITECTURE)) {
      if (line.equals("| package | content |")) {
        isTable = true;
        tables.add(new ArrayList<>());
      } else if (!line.startsWith("|")) {
        isTable = false;
      } else if (isTable) {
        name.matcher(line.split("\\|", 3)[1])
            .results()
            .forEach(found -> tables.get(tables.size() - 1).add(ROOT + found.group(1)));
      }
    }
    return tables;
  }
}
