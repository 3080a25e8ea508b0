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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.optimize.PinnedCompilation;
import org.apache.phoenix.pruning.optimize.PlanStampCheck;
import org.apache.phoenix.pruning.optimize.SnapshotCompilation;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.protocol.RebuildRequest;
import org.apache.phoenix.pruning.scan.ReaderScans;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks the dependencies between the packages of the server side. */
public class ArchitectureTest {

  private static final String ROOT = "org.apache.phoenix.pruning.";

  /** Aspects of patches that are in a package of Phoenix. */
  private static final DescribedPredicate<JavaClass> COMPILE_ASPECTS =
      resideInAPackage("org.apache.phoenix.compile")
          .and(nameMatching(".*Aspect(\\$.*)?"))
          .as("aspects in org.apache.phoenix.compile");

  private static final DescribedPredicate<JavaClass> PATCHES =
      resideInAPackage(ROOT + "patch.*").or(COMPILE_ASPECTS).as("patches");

  /** All other packages of a server's code that the server's packages may use. */
  private static final List<String> USED_BY_SERVER =
      List.of("check", "config", "layout", "patch", "protocol");

  private static JavaClasses classes;

  /** The classes of this module, without the modules that it uses. */
  private static JavaClasses coprocessor;

  @BeforeClass
  public static void importClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("org.apache.phoenix.pruning");
    coprocessor =
        new ClassFileImporter()
            .importPath(Path.of("target", "classes", "org", "apache", "phoenix", "pruning"));
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
        .dependOnClassesThat(
            otherThan(
                Stream.concat(Stream.of("server.."), USED_BY_SERVER.stream())
                    .toArray(String[]::new)))
        .check(coprocessor);
  }

  /** Jobs read scans that a client has planned, so they use some classes of the planner. */
  @Test
  public void jobsDependOnReadersOfPlansOnly() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "mapreduce")
        .should()
        .dependOnClassesThat(
            otherThan("mapreduce")
                .and(
                    not(
                        belongToAnyOf(
                            PlanStampCheck.class, ReaderScans.class, SnapshotCompilation.class))))
        .check(coprocessor);
  }

  /** Aspects call the server and jobs. Only the aspect on the input format also calls a planner. */
  @Test
  public void aspectsDependOnServerAndJobsOnly() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "weave")
        .should()
        .dependOnClassesThat(
            otherThan("weave", "server..", "mapreduce", "config")
                .and(not(belongToAnyOf(PinnedCompilation.class, SnapshotCompilation.class))))
        .check(coprocessor);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "weave")
        .and(not(nameMatching(".*\\.InputFormatAspect(\\$.*)?")))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + "optimize")
        .check(coprocessor);
  }

  private static DescribedPredicate<JavaClass> otherThan(String... packages) {
    return resideInAPackage("org.apache.phoenix.pruning..")
        .and(not(resideInAnyPackage(Stream.of(packages).map(ROOT::concat).toArray(String[]::new))));
  }

  @Test
  public void patchesDependOnTheirSwitchAndLayoutOnly() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "patch.*")
        .should()
        .dependOnClassesThat(
            otherThan("patch..", "config", "layout")
                .and(not(belongToAnyOf(PatchRequest.class, RebuildRequest.class))))
        .check(classes);
  }

  @Test
  public void serverDependsOnNoPatch() {
    noClasses().should().dependOnClassesThat(PATCHES).check(coprocessor);
  }

  /**
   * Repeats two rules for the imports of sources. A class file does not show where an inlined
   * constant comes from.
   */
  @Test
  public void sourcesImportNoPatchAndNoPlanning() throws IOException {
    Pattern patch =
        Pattern.compile(
            "org\\.apache\\.phoenix\\.(pruning\\.patch\\.[a-z]|compile\\.\\w+Aspect\\b).*");
    Pattern usedByServer =
        Pattern.compile(
            "org\\.apache\\.phoenix\\.pruning\\.(server\\..*|("
                + String.join("|", USED_BY_SERVER)
                + ")\\.[A-Z].*)");
    Map<Path, List<String>> imports = importsOfPruning();
    assertThat(imports.keySet().toString()).contains("ProbeGate.java", "weave/OptimizerAspect.aj");
    imports.forEach(
        (source, imported) -> {
          assertThat(imported).as("%s", source).noneMatch(name -> patch.matcher(name).matches());
          if (source.toString().contains("/pruning/server/")) {
            assertThat(imported)
                .as("%s", source)
                .filteredOn(name -> name.startsWith(ROOT))
                .allMatch(name -> usedByServer.matcher(name).matches());
          }
        });
  }

  /** Returns what each source of the modules of pruning imports. */
  private static Map<Path, List<String>> importsOfPruning() throws IOException {
    Pattern imports = Pattern.compile("(?m)^import (?:static )?([\\w.*]+);");
    Map<Path, List<String>> found = new TreeMap<>();
    for (String module :
        List.of("keyspace", "layout", "patches/catalog", "planner", "coprocessor")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          found.put(
              file,
              imports
                  .matcher(Files.readString(file))
                  .results()
                  .map((MatchResult result) -> result.group(1))
                  .collect(Collectors.toList()));
        }
      }
    }
    return found;
  }
}
