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
package io.phoenixpruning.perf.harness;

import com.sun.management.OperatingSystemMXBean;
import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes the machine that this JVM runs on. */
final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final Path MEMORY = Path.of("/proc/meminfo");

  private Machine() {}

  static Map<String, String> description() {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put(
        "system",
        "%s %s, %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")));
    find(PROCESSORS, "model name\\s*: (.*)").ifPresent(model -> machine.put("processor", model));
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("memory", Figures.bytes(system().getTotalMemorySize()));
    return machine;
  }

  /** Returns the bytes that processes can allocate without making others swap. */
  static long availableMemory() {
    // MemAvailable, if the system reports it, includes caches that can be reclaimed.
    return find(MEMORY, "MemAvailable:\\s*(\\d+) kB")
        // A container may have less memory than the system.
        .map(kilobytes -> Math.min(Long.parseLong(kilobytes) << 10, system().getTotalMemorySize()))
        .orElseGet(() -> system().getFreeMemorySize());
  }

  private static OperatingSystemMXBean system() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  private static Optional<String> find(Path file, String pattern) {
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try {
      Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
