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
package io.phoenixpruning.it.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Compares the classes of our client jar with those of the client jar that Phoenix published for
 * HBase 2.5, entry by entry. Phoenix published no client jar for HBase 2.6.
 */
public class ClientJarEntriesIT {

  private static final String SHADED = "org/apache/phoenix/shaded/";

  /** Libraries that Phoenix's jar keeps under their own names and ours relocates. */
  private static final Pattern RELOCATED_BY_US = Pattern.compile("^(edu|kotlin|okhttp3)/");

  /** Entries that nobody loads by name, or that Java 8 does not load. */
  private static final Pattern IGNORED =
      Pattern.compile("META-INF/.*|[^/]*\\.class|.*/package-info\\.class|module-info\\.class");

  /** Libraries whose version differs from Phoenix's: HBase itself, and libraries of HBase 2.6. */
  private static final Pattern OF_OTHER_VERSIONS =
      Pattern.compile(
          "org/apache/hadoop/hbase/.*"
              + "|org/apache/hadoop/metrics2/impl/MetricsExportHelper\\.class"
              + "|org/apache/hbase/thirdparty/.*"
              + "|org/eclipse/jetty/http/compression/.*"
              + "|"
              + SHADED
              + "org/(HdrHistogram|apache/commons/math3)/.*");

  private static final Pattern OURS =
      Pattern.compile(
          "org/apache/phoenix/pruning/.*"
              + "|org/apache/phoenix/\\w+/\\w+Aspect(\\$\\w+)?\\.class"
              + "|org/apache/phoenix/compile/(KeySlotRanges|RowValue(And|Or|Slots|Visitor))\\.class"
              + "|org/apache/phoenix/.*\\$AjcClosure\\d+\\.class"
              + "|"
              + SHADED
              + "org/aspectj/.*");

  private static Set<String> ours;
  private static Set<String> published;

  @BeforeClass
  public static void readJars() throws IOException {
    ours = classes(HBaseProcesses.jar("dropin.client.jar"));
    published = classes(HBaseProcesses.jar("dropin.published.client.jar"));
  }

  private static Set<String> classes(Path jar) throws IOException {
    Set<String> names = new TreeSet<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.endsWith(".class"))
          .filter(name -> !IGNORED.matcher(name).matches())
          .map(name -> RELOCATED_BY_US.matcher(name).replaceFirst(SHADED + "$1/"))
          .filter(name -> !OF_OTHER_VERSIONS.matcher(name).matches())
          .forEach(names::add);
    }
    return names;
  }

  private static Set<String> difference(Set<String> all, Set<String> without) {
    Set<String> difference = new TreeSet<>(all);
    difference.removeAll(without);
    return difference;
  }

  @Test
  public void holdsAllThatPhoenixsJarHolds() {
    assertThat(published).hasSizeGreaterThan(40_000);
    assertThat(difference(published, ours)).isEmpty();
  }

  @Test
  public void addsOnlyPruningAndTheWeaversRuntime() {
    assertThat(difference(ours, published)).allMatch(name -> OURS.matcher(name).matches());
  }
}
