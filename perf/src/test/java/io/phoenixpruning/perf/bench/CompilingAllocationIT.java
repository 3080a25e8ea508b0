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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.perf.harness.StockJars;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.Test;

/**
 * Counts the bytes that compiling allocates, with Phoenix's own jars and with ours, in two
 * processes.
 */
public class CompilingAllocationIT {

  /** Maximum ratio of our allocation to Phoenix's. */
  private static final double LIMIT = 1.05;

  /** Runs {@link CompilingAllocationMain} and returns the bytes of each statement. */
  private static Map<String, Long> bytes(String classPath) throws Exception {
    Path tests =
        Path.of(
            CompilingAllocationIT.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Without C2, the allocated bytes do not depend on when methods are compiled.
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-cp",
            tests + File.pathSeparator + classPath,
            CompilingAllocationMain.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Map<String, Long> bytes = new LinkedHashMap<>();
    List<String> lines;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      lines = out.lines().collect(Collectors.toList());
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
    assertThat(process.waitFor()).as("exit code after %s", lines).isZero();
    for (String line : lines) {
      String[] parts = line.split(" ", 2);
      bytes.put(parts[1], Long.valueOf(parts[0]));
    }
    return bytes;
  }

  @Test
  public void compilesPlainStatementsWithoutAllocatingMore() throws Exception {
    Map<String, Long> phoenix = bytes(StockJars.classPath());
    Map<String, Long> ours = bytes(System.getProperty("java.class.path"));
    assertThat(ours).hasSizeGreaterThan(10).containsOnlyKeys(phoenix.keySet());
    SoftAssertions softly = new SoftAssertions();
    phoenix.forEach(
        (sql, bytes) -> {
          double ratio = (double) ours.get(sql) / bytes;
          System.out.printf("%.3f of %,d bytes: %s%n", ratio, bytes, sql);
          softly.assertThat(ratio).as("%s, %,d bytes", sql, bytes).isLessThanOrEqualTo(LIMIT);
        });
    softly.assertAll();
  }
}
