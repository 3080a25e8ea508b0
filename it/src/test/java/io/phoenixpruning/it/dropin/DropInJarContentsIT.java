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

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Tests the contents of the drop-in jars, and the names of their entries. */
@RunWith(Parameterized.class)
public class DropInJarContentsIT {

  private static final int JAVA_8 = 52;

  /**
   * Allowed classes of the server jar: Phoenix, its relocated dependencies, and libraries that it
   * shares with the application.
   */
  private static final String SERVER =
      "org/apache/(phoenix|omid|htrace|commons/logging)/.*"
          // Phoenix's own classes in HBase's packages
          + "|org/apache/hadoop/hbase/([A-Z]\\w*|(client|coprocessor|ipc|ipc/controller)/\\w+|regionserver/.*)\\.class";

  /**
   * Allowed classes of the client jar: also HBase and Hadoop, and libraries that their public
   * classes expose.
   */
  private static final String CLIENT =
      SERVER
          + "|org/apache/(hadoop|hbase)/.*"
          + "|org/slf4j/.*"
          + "|org/eclipse/jetty/(client|http|io|websocket)/.*";

  /** A library for each of some licenses other than Apache's. */
  private static final Map<String, String> SERVER_LICENCES =
      Map.of(
          "BSD License", "org.antlr:antlr-runtime",
          "Eclipse Public License 2.0", "org.aspectj:aspectjrt",
          "MIT License", "org.jruby.joni:joni");

  private static final Map<String, String> CLIENT_LICENCES =
      Map.of(
          "BSD 3-Clause License", "com.google.protobuf:protobuf-java",
          "CDDL 1.1", "com.sun.jersey:jersey-core",
          "Eclipse Public License 2.0", "org.aspectj:aspectjrt",
          "MIT License", "org.slf4j:slf4j-api");

  @Parameters(name = "{0}")
  public static List<Object[]> jars() {
    return List.of(
        new Object[] {"dropin.server.jar", SERVER, SERVER_LICENCES},
        new Object[] {"dropin.client.jar", CLIENT, CLIENT_LICENCES});
  }

  private final String jar;
  private final Pattern allowed;
  private final Map<String, String> licences;

  public DropInJarContentsIT(String jar, String allowed, Map<String, String> licences) {
    this.jar = jar;
    this.allowed = Pattern.compile(allowed);
    this.licences = licences;
  }

  @Test
  public void holdsEveryEntryOnce() throws IOException {
    Set<String> names = new TreeSet<>();
    Set<String> duplicates = new TreeSet<>();
    try (ZipFile zip = open()) {
      zip.stream().map(ZipEntry::getName).filter(name -> !names.add(name)).forEach(duplicates::add);
    }
    assertThat(duplicates).isEmpty();
  }

  @Test
  public void namesNoClassAsALibraryOfTheApplicationMight() throws IOException {
    try (ZipFile zip = open()) {
      assertThat(
              zip.stream()
                  .map(ZipEntry::getName)
                  .filter(name -> name.endsWith(".class"))
                  .filter(name -> !allowed.matcher(name).matches()))
          .isEmpty();
    }
  }

  @Test
  public void holdsNoLogBinding() throws IOException {
    try (ZipFile zip = open()) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .noneMatch(name -> name.startsWith("org/slf4j/impl/"))
          .noneMatch(name -> name.startsWith("org/apache/log4j/"))
          .noneMatch(name -> name.startsWith("org/apache/logging/log4j/"));
    }
  }

  @Test
  public void loadsOnJava8() throws IOException {
    Set<String> tooNew = new TreeSet<>();
    try (ZipFile zip = open()) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        if (entry.getName().endsWith(".class")) {
          try (DataInputStream in = new DataInputStream(zip.getInputStream(entry))) {
            in.skipNBytes(6);
            if (in.readUnsignedShort() > JAVA_8) {
              tooNew.add(entry.getName());
            }
          }
        }
      }
    }
    assertThat(tooNew).isEmpty();
  }

  @Test
  public void holdsTheWovenClassesAndTheWeaversRuntime() throws IOException {
    try (ZipFile zip = open()) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .contains(
              "org/apache/phoenix/iterate/BaseResultIterators.class",
              "org/apache/phoenix/coprocessor/BaseScannerRegionObserver.class",
              "org/apache/phoenix/pruning/key/KeySpace.class",
              "org/apache/phoenix/pruning/weave/RegionBoundaryAspect.class",
              "org/apache/phoenix/shaded/org/aspectj/lang/JoinPoint.class")
          .doesNotContain("org/aspectj/lang/JoinPoint.class");
    }
  }

  @Test
  public void namesItsVersionAndCommit() throws IOException {
    Attributes manifest;
    try (JarFile jarFile = new JarFile(HBaseProcesses.jar(jar).toFile())) {
      manifest = jarFile.getManifest().getMainAttributes();
    }
    assertThat(manifest.getValue("Implementation-Version")).startsWith("5.2.1-pruning-");
    assertThat(manifest.getValue("Implementation-Commit"))
        .matches("\\p{XDigit}{12}(, changed)?|unknown");
  }

  @Test
  public void keepsPhoenixsServices() throws IOException {
    assertThat(read("META-INF/services/java.sql.Driver"))
        .contains("org.apache.phoenix.jdbc.PhoenixDriver");
    assertThat(read("META-INF/services/org.apache.phoenix.query.GuidePostsCacheFactory"))
        .contains("org.apache.phoenix.query.DefaultGuidePostsCacheFactory");
    assertThat(
            read("META-INF/services/org.apache.phoenix.monitoring.MetricPublisherSupplierFactory"))
        .contains("org.apache.phoenix.monitoring.JmxMetricProvider");
  }

  @Test
  public void saysUnderWhichLicence() throws IOException {
    assertThat(read("META-INF/LICENSE")).contains("Apache License");
    assertThat(read("META-INF/NOTICE")).contains("Phoenix Pruning").contains("Phoenix Core Client");
  }

  @Test
  public void listsBundledLibrariesByLicence() throws IOException {
    Map<String, List<String>> list = thirdParty();
    licences.forEach(
        (licence, library) ->
            assertThat(list.get(licence))
                .as(licence)
                .anyMatch(line -> line.contains("(" + library + ":")));
    assertThat(list).doesNotContainKey("Unknown license");
  }

  @Test
  public void keepsTheLicencesOfTheLibraries() throws IOException {
    try (ZipFile zip = open()) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .anyMatch(name -> name.matches("META-INF/licenses/aspectjrt-.*/LICENSE-EPL-2.0.txt"))
          .anyMatch(name -> name.matches("META-INF/licenses/icu4j-.*/LICENSE"));
    }
  }

  /** Returns the lines that name libraries, by the heading above them. */
  private Map<String, List<String>> thirdParty() throws IOException {
    Map<String, List<String>> libraries = new TreeMap<>();
    List<String> current = new ArrayList<>();
    for (String line : read("META-INF/THIRD-PARTY").lines().toList()) {
      if (line.strip().startsWith("* ")) {
        current.add(line);
      } else if (line.endsWith(":")) {
        current = new ArrayList<>();
        libraries.put(line.strip().replaceFirst(":$", ""), current);
      }
    }
    return libraries;
  }

  private ZipFile open() throws IOException {
    return new ZipFile(HBaseProcesses.jar(jar).toFile());
  }

  private String read(String name) throws IOException {
    try (ZipFile zip = open()) {
      ZipEntry entry = zip.getEntry(name);
      assertThat(entry).as(name).isNotNull();
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
