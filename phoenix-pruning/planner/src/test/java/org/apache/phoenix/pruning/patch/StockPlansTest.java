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
package org.apache.phoenix.pruning.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.plan.PruningOptions;
import org.junit.Test;

/**
 * Compares mode {@code stock} with Phoenix's own jar, which runs in a class loader of its own:
 * EXPLAIN, scans, and the rows that they find.
 */
public class StockPlansTest {

  private static final Path WOVEN = Path.of("target", "classes").toAbsolutePath();
  private static final Path PHOENIX = Path.of(System.getProperty("original.jar"));

  /** Finds ANY, CASE, and comparisons of two columns. */
  private static final Pattern MENDED_IN_THE_JVM =
      Pattern.compile("ANY\\(|CASE |\\b[ABC] [<>=]+ [ABC]\\b");

  private static final int TABLES = 20;

  /** With the whole JVM in mode {@code stock}. */
  @Test
  public void areThoseOfPhoenix() throws Exception {
    List<String> ofPhoenix = onPhoenix();
    System.setProperty(PruningOptions.MODE, "stock");
    try {
      assertSame(onOurs("stock"), ofPhoenix);
    } finally {
      System.clearProperty(PruningOptions.MODE);
    }
    List<String> patched = onOurs("exact");
    patched.removeAll(ofPhoenix);
    assertThat(patched).as("different if patched").hasSizeGreaterThan(100);
  }

  /** The patches of the JVM are on, so statements that meet them may find other rows. */
  @Test
  public void areThoseOfPhoenixOnAConnection() throws Exception {
    assertSame(unmended(onOurs("stock")), unmended(onPhoenix()));
  }

  private static List<String> unmended(List<String> descriptions) {
    return descriptions.stream()
        .filter(description -> !MENDED_IN_THE_JVM.matcher(description).find())
        .collect(Collectors.toList());
  }

  /** In all modes, and whatever is written: bytes on disk are Phoenix's. */
  @Test
  public void storeTheSameBytes() throws Exception {
    List<String> ofPhoenix = describe(PhoenixBytes.class, "stock", PHOENIX);
    assertSame(describe(PhoenixBytes.class, "stock", WOVEN), ofPhoenix);
    assertSame(stored(describe(PhoenixBytes.class, "exact", WOVEN)), stored(ofPhoenix));
    System.setProperty(PruningOptions.PATCHES, "all,+descending-decimal-bytes");
    try {
      List<String> patched = stored(describe(PhoenixBytes.class, "exact", WOVEN));
      patched.removeAll(ofPhoenix);
      assertThat(patched).isNotEmpty().allMatch(line -> line.startsWith("DECIMAL(10,2) DESC "));
    } finally {
      System.clearProperty(PruningOptions.PATCHES);
    }
  }

  private static List<String> stored(List<String> descriptions) {
    return descriptions.stream()
        .filter(line -> line.contains(" literal ") || line.contains(" parameter "))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static void assertSame(List<String> ours, List<String> ofPhoenix) {
    List<String> different = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      if (!ours.get(i).equals(ofPhoenix.get(i))) {
        different.add(ours.get(i) + "\nPhoenix's:\n" + ofPhoenix.get(i));
      }
    }
    assertThat(different).isEmpty();
    assertThat(ours).hasSameSizeAs(ofPhoenix);
  }

  private static List<String> onPhoenix() throws Exception {
    return describe(PhoenixPlans.class, "stock", PHOENIX);
  }

  private static List<String> onOurs(String mode) throws Exception {
    return describe(PhoenixPlans.class, mode, WOVEN);
  }

  /** Runs {@code description} on {@code phoenix} and the other class path. */
  @SuppressWarnings("unchecked")
  private static List<String> describe(Class<?> description, String mode, Path phoenix)
      throws Exception {
    List<URL> classPath = new ArrayList<>();
    classPath.add(phoenix.toUri().toURL());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!Path.of(entry).toAbsolutePath().equals(WOVEN)) {
        classPath.add(Path.of(entry).toUri().toURL());
      }
    }
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    // Stays open: Phoenix's threads load classes until the JVM ends.
    URLClassLoader loader =
        new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    try {
      Thread.currentThread().setContextClassLoader(loader);
      BiFunction<String, Integer, List<String>> plans =
          (BiFunction<String, Integer, List<String>>)
              loader.loadClass(description.getName()).getDeclaredConstructor().newInstance();
      List<String> descriptions = plans.apply(mode, TABLES);
      return new ArrayList<>(descriptions);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
