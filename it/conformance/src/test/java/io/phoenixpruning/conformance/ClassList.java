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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the lists of Phoenix's test classes to run. Failsafe reads the same files. */
final class ClassList {

  private ClassList() {}

  static Path folder() {
    return Path.of("src", "test", "resources", "conformance");
  }

  /** Returns the classes that {@code file} names, in their order. */
  static List<String> read(String file) throws IOException {
    return Files.readAllLines(folder().resolve(file)).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .collect(Collectors.toList());
  }
}
