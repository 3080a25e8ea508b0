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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.WholeFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The results of a run, in a CSV file to which one case is added at a time. A case is written
 * completely or not at all, so an interrupted run can be continued.
 */
public final class Results {

  private static final List<String> FIGURES =
      List.of("measure", "unit", "count", "min", "p5", "median", "p95", "p99", "p99.9", "max");

  private final Path file;
  private final List<String> dimensions;
  private final List<Result> all = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  private Results(Path file, List<String> dimensions) {
    this.file = file;
    this.dimensions = List.copyOf(dimensions);
  }

  /**
   * Opens the results in {@code file}, which is created if it is missing.
   *
   * @param dimensions dimensions of the benchmark
   * @throws RefusedException if the file belongs to another benchmark or cannot be parsed
   */
  public static Results open(Path file, List<String> dimensions) throws IOException {
    Results results = new Results(file, dimensions);
    if (Files.exists(file)) {
      results.read();
    } else {
      results.write(line(Stream.concat(dimensions.stream(), FIGURES.stream()).toList()));
    }
    return results;
  }

  private void read() throws IOException {
    try (Reader reader = Files.newBufferedReader(file);
        CSVParser parser = new CSVParser(reader, CSVFormat.RFC4180.withHeader())) {
      List<String> expected = Stream.concat(dimensions.stream(), FIGURES.stream()).toList();
      if (!List.copyOf(parser.getHeaderMap().keySet()).equals(expected)) {
        throw new RefusedException(
            "'%s' has the columns %s. Expected %s. Choose another folder with --out"
                .formatted(file, parser.getHeaderMap().keySet(), expected));
      }
      for (CSVRecord line : parser) {
        all.add(result(line));
      }
    }
    text.append(Files.readString(file));
  }

  private Result result(CSVRecord line) {
    try {
      Map<String, String> at = new LinkedHashMap<>();
      dimensions.forEach(dimension -> at.put(dimension, line.get(dimension)));
      return new Result(
          at,
          line.get("measure"),
          line.get("unit"),
          new Summary(
              Long.parseLong(line.get("count")),
              number(line, "min"),
              number(line, "p5"),
              number(line, "median"),
              number(line, "p95"),
              number(line, "p99"),
              number(line, "p99.9"),
              number(line, "max")));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          "line %d of '%s' cannot be read (%s). Correct it, or choose another folder with --out"
              .formatted(line.getRecordNumber(), file, e.getMessage()),
          e);
    }
  }

  private static double number(CSVRecord line, String column) {
    return Double.parseDouble(line.get(column));
  }

  /** Adds a case: all results that were measured together. */
  public void add(List<Result> results) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Result result : results) {
      if (!List.copyOf(result.at().keySet()).equals(dimensions)) {
        throw new IllegalArgumentException(result.at() + " does not match " + dimensions);
      }
      Summary summary = result.summary();
      List<Object> values = new ArrayList<>(result.at().values());
      Collections.addAll(
          values,
          result.measure(),
          result.unit(),
          summary.count(),
          summary.min(),
          summary.p5(),
          summary.median(),
          summary.p95(),
          summary.p99(),
          summary.p999(),
          summary.max());
      lines.append(line(values));
    }
    write(lines.toString());
    all.addAll(results);
  }

  private static String line(List<?> values) {
    return CSVFormat.RFC4180.format(values.toArray()) + "\r\n";
  }

  private void write(String lines) throws IOException {
    text.append(lines);
    WholeFile.write(file, text.toString());
  }

  /** Returns all results in the order in which they were measured. */
  public List<Result> all() {
    return Collections.unmodifiableList(all);
  }

  /**
   * Returns whether there is a result with these values of dimensions. Its other dimensions may
   * have any value.
   */
  public boolean has(Map<String, String> values) {
    return all.stream().anyMatch(result -> result.at().entrySet().containsAll(values.entrySet()));
  }
}
