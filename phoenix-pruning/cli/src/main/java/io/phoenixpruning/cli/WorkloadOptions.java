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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.advise.CopyableTables;
import io.phoenixpruning.cli.advise.LoggedWorkload;
import io.phoenixpruning.cli.advise.QueryLog;
import io.phoenixpruning.cli.advise.Workload;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.StatementPlanner;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for the statements to analyze: from files, from Phoenix's log, or both. */
final class WorkloadOptions {

  @Option(
      names = "--queries",
      arity = "1..*",
      paramLabel = "FILE",
      description = "SQL files in UTF-8.")
  private List<Path> files = List.of();

  @Option(
      names = "--weights",
      split = ",",
      paramLabel = "N",
      description =
          "How often each statement in the files runs, in the order of the statements. Replaces the"
              + " weights in comments.")
  private List<Double> weights = List.of();

  @Option(
      names = "--log",
      description =
          "Reads the statements that Phoenix logged in the cluster's SYSTEM.LOG. The weight of a"
              + " statement is the number of its runs.")
  private boolean log;

  @Option(
      names = "--log-since",
      paramLabel = "TIME",
      converter = Start.class,
      description =
          "Leaves out statements that ran before TIME: an instant such as 2026-11-01T00:00:00Z, or"
              + " a duration before now, such as PT24H.")
  private @Nullable Instant since;

  /** Converts an instant, or a duration before the current time, to an instant. */
  static final class Start implements ITypeConverter<Instant> {

    @Override
    public Instant convert(String value) {
      try {
        return Instant.parse(value);
      } catch (DateTimeParseException noInstant) {
        try {
          return Instant.now().minus(Duration.parse(value));
        } catch (DateTimeException | ArithmeticException e) {
          throw new TypeConversionException(
              "'"
                  + value
                  + "' is not a time. Expected an instant such as 2026-11-01T00:00:00Z, or a"
                  + " duration such as PT24H");
        }
      }
    }
  }

  /**
   * Checks the options before the tables are read.
   *
   * @param onCluster whether the tables are on a cluster
   * @throws RefusedException if the options conflict or a weight is invalid
   */
  void check(boolean onCluster) {
    if (files.isEmpty() && !log) {
      throw new RefusedException(
          "neither --queries nor --log is given. Give --queries to read SQL files, or --log to read"
              + " the statements that Phoenix logged");
    }
    if (log && !onCluster) {
      throw new RefusedException(
          "--log is given with --ddl, but needs a cluster. Give --url instead of --ddl, or"
              + " --queries instead of --log");
    }
    if (since != null && !log) {
      throw new RefusedException(
          "--log-since is given without --log. Add --log, or leave out --log-since");
    }
    if (files.isEmpty() && !weights.isEmpty()) {
      throw new RefusedException(
          "--weights is given without --queries. With --log, the weight is the number of runs. Leave"
              + " out --weights");
    }
    for (double weight : weights) {
      if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new RefusedException("--weights has " + weight + ". Expected numbers above 0");
      }
    }
  }

  /**
   * Returns the statements that can be planned. Statements from files come first.
   *
   * @param onCluster whether the tables are on a cluster; such tables have to be copied for
   *     planning
   * @throws RefusedException if there are no statements at all
   */
  Workload read(Database database, boolean onCluster) throws SQLException {
    Workload workload =
        Workload.read(
            files,
            weights,
            new StatementPlanner(database),
            onCluster ? new CopyableTables(database.connection()) : (plan, sql) -> {});
    if (log) {
      QueryLog logged = new QueryLog(database.connection(), Optional.ofNullable(since));
      workload = workload.plus(LoggedWorkload.read(logged, database));
    }
    if (workload.queries().isEmpty() && workload.problems().isEmpty()) {
      throw new RefusedException(
          "the files of --queries have no statements. Write a statement, or name other files");
    }
    return workload;
  }
}
