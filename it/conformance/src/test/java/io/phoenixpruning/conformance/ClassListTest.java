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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.Test;

/** Tests the lists of classes. Failsafe would not notice a name that no class has. */
public class ClassListTest {

  @Test
  public void namesTestClassesOnce() throws Exception {
    List<String> classes = ClassList.read("all.txt");
    assertThat(classes).doesNotHaveDuplicates();
    for (String name : classes) {
      assertThat(isOnClassPath(name)).as(name).isTrue();
    }
  }

  @Test
  public void ciRunsSomeOfAll() throws IOException {
    assertThat(ClassList.read("all.txt")).containsAll(ClassList.read("ci.txt"));
  }

  @Test
  public void knownFailuresAreOfTheseClasses() throws IOException {
    assertThat(
            KnownFailures.read(ClassList.folder().resolve("known-failures.txt")).kinds().keySet())
        .extracting(test -> test.substring(0, test.indexOf('#')))
        .isSubsetOf(ClassList.read("all.txt"));
  }

  private static boolean isOnClassPath(String name) {
    return ClassListTest.class.getResource("/" + name.replace('.', '/') + ".class") != null;
  }
}
