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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Description of a run: its benchmark, its settings, the measured versions, and the machine.
 *
 * @param benchmark name of the benchmark
 * @param settings values of the options, including defaults
 * @param seed seed of all random values
 * @param started start time in ISO 8601
 * @param versions versions of the measured software
 * @param machine properties of the machine
 */
public record RunDescription(
    String benchmark,
    Map<String, String> settings,
    long seed,
    String started,
    Map<String, String> versions,
    Map<String, String> machine) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Describes a run that starts now.
   *
   * @param product name and version of the measured product
   */
  static RunDescription of(
      String benchmark, Map<String, String> settings, long seed, String product) {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("product", product);
    commit().ifPresent(commit -> versions.put("commit", commit));
    versions.put("HBase", VersionInfo.getVersion());
    versions.put("Hadoop", org.apache.hadoop.util.VersionInfo.getVersion());
    versions.put(
        "Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    return new RunDescription(
        benchmark,
        new LinkedHashMap<>(settings),
        seed,
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        versions,
        Machine.description());
  }

  /**
   * Returns the commit from which the benchmarks were built, or empty if they were built without a
   * repository.
   */
  private static Optional<String> commit() {
    Properties properties = new Properties();
    try (InputStream in = RunDescription.class.getResourceAsStream("commit.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.ofNullable(properties.getProperty("git.commit.id.describe"));
  }

  /** Returns whether both runs have the same versions and the same machine. */
  boolean hasSameEnvironment(RunDescription other) {
    return versions.equals(other.versions) && machine.equals(other.machine);
  }

  /**
   * Reads a description that {@link #write} has written.
   *
   * @throws RefusedException if the file is missing or cannot be read
   */
  public static RunDescription read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new RefusedException(
          "'" + file + "' is missing, so its folder holds no run. Name the folder of a run");
    }
    try {
      return JSON.readValue(file.toFile(), RunDescription.class);
    } catch (JsonProcessingException e) {
      throw new RefusedException(
          "'%s' cannot be read (%s). Name the folder of another run"
              .formatted(file, e.getOriginalMessage()),
          e);
    }
  }

  void write(Path file) throws IOException {
    WholeFile.write(file, JSON.writeValueAsString(this) + "\n");
  }
}
