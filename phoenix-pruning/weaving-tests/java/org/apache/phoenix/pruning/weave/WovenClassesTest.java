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
package org.apache.phoenix.pruning.weave;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.Test;

/**
 * Checks which of Phoenix's classes the aspects of this module change. {@code woven-classes.txt} in
 * the test resources lists them. The test fails if a listed class is unchanged or an unlisted class
 * has changed.
 */
public class WovenClassesTest {

  private static final Path WOVEN = Paths.get("target", "classes");

  @Test
  public void onlyTheListedClassesDifferFromTheOriginals() throws IOException {
    Set<String> differing = new TreeSet<>();
    try (JarFile original = new JarFile(System.getProperty("original.jar"))) {
      for (ZipEntry entry : Collections.list(original.entries())) {
        if (entry.getName().endsWith(".class")) {
          Path woven = WOVEN.resolve(entry.getName());
          assertThat(woven).as("woven, or copied as it is").exists();
          if (!Arrays.equals(read(original, entry), Files.readAllBytes(woven))) {
            differing.add(className(entry));
          }
        }
      }
    }
    assertThat(differing).containsExactlyElementsOf(listed());
  }

  private static String className(ZipEntry entry) {
    return entry.getName().replace('/', '.').replaceFirst("\\.class$", "");
  }

  private static byte[] read(JarFile jar, ZipEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] bytes = new byte[Math.toIntExact(entry.getSize())];
      int length = 0;
      while (length < bytes.length) {
        length += in.read(bytes, length, bytes.length - length);
      }
      return bytes;
    }
  }

  private static List<String> listed() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                WovenClassesTest.class.getResourceAsStream("/woven-classes.txt"), UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
