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
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.Test;

/**
 * Compares mode {@code stock} with Phoenix's own jar: EXPLAIN, scans, and the rows that the scans
 * find. Phoenix's jar runs in its own class loader.
 */
public class StockPlansTest {

  private static final Path WOVEN = Path.of("target", "classes").toAbsolutePath();
  private static final Path PHOENIX = Path.of(System.getProperty("original.jar"));

  /**
   * Matches ANY, CASE, and comparisons of two columns. Patches of the JVM change such statements.
   */
  private static final Pattern PATCHED_IN_THE_JVM =
      Pattern.compile("ANY\\(|CASE |\\b[ABC] [<>=]+ [ABC]\\b");

  private static final int TABLES =
      Math.max(1, Math.min(200, Integer.getInteger("tests.cases", 10_000) / 1_000));

  /** Plans of Phoenix's jar. The first test that needs them makes them. */
  private static List<String> plansOfPhoenix;

  /** The whole JVM is in mode {@code stock}. */
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
    assertThat(patched).as("different if patched").hasSizeGreaterThan(5 * TABLES);
  }

  /**
   * The patches of the JVM are on, so statements that they change may find other rows. These
   * statements are not compared.
   */
  @Test
  public void areThoseOfPhoenixOnAConnection() throws Exception {
    assertSame(withoutPatched(onOurs("stock")), withoutPatched(onPhoenix()));
  }

  private static List<String> withoutPatched(List<String> descriptions) {
    return descriptions.stream()
        .filter(description -> !PATCHED_IN_THE_JVM.matcher(description).find())
        .collect(Collectors.toList());
  }

  /** Bytes on disk are those of Phoenix, in all modes and for all values. */
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

  private static void assertSame(List<String> ofOurs, List<String> ofPhoenix) {
    List<String> different = new ArrayList<>();
    for (int i = 0; i < ofOurs.size(); i++) {
      if (!ofOurs.get(i).equals(ofPhoenix.get(i))) {
        different.add(ofOurs.get(i) + "\nPhoenix's:\n" + ofPhoenix.get(i));
      }
    }
    assertThat(different).isEmpty();
    assertThat(ofOurs).hasSameSizeAs(ofPhoenix);
  }

  private static synchronized List<String> onPhoenix() throws Exception {
    if (plansOfPhoenix == null) {
      plansOfPhoenix = List.copyOf(describe(PhoenixPlans.class, "stock", PHOENIX));
    }
    return plansOfPhoenix;
  }

  private static List<String> onOurs(String mode) throws Exception {
    return describe(PhoenixPlans.class, mode, WOVEN);
  }

  /**
   * Runs {@code description} in a new class loader.
   *
   * @param phoenix classes of Phoenix, original or woven, which come before the rest of the class
   *     path
   */
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
