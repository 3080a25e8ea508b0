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
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which statements to advise on: those of files, those of Phoenix's log, or both. */
final class WorkloadOptions {

  @Option(
      names = "--queries",
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files of statements, in UTF-8.")
  private List<Path> files = List.of();

  @Option(
      names = "--weights",
      split = ",",
      paramLabel = "N",
      description =
          "How often each statement of the files runs, in their order; instead of comments.")
  private List<Double> weights = List.of();

  @Option(
      names = "--log",
      description =
          "The statements that Phoenix logged in the cluster's SYSTEM.LOG, each as often as it"
              + " ran.")
  private boolean log;

  @Option(
      names = "--log-since",
      paramLabel = "TIME",
      converter = Start.class,
      description =
          "Leaves out what ran before: an instant such as 2026-11-01T00:00:00Z, or how long ago it"
              + " was, such as PT24H.")
  private Instant since;

  /** The instant that the user gave, or as long ago as the user gave. */
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
              "it is '"
                  + value
                  + "', but has to be an instant such as 2026-11-01T00:00:00Z, or a duration such"
                  + " as PT24H");
        }
      }
    }
  }

  /**
   * Checks what can be without the tables.
   *
   * @param onCluster whether these are on one
   * @throws RefusedException if the options do not go together
   */
  void check(boolean onCluster) {
    if (files.isEmpty() && !log) {
      throw new RefusedException(
          "neither --queries nor --log is given: give files of statements with --queries, or --log"
              + " for those that Phoenix logged");
    }
    if (log && !onCluster) {
      throw new RefusedException(
          "--log is given with --ddl, but has to read a cluster: give its --url instead, or"
              + " --queries without --log");
    }
    if (since != null && !log) {
      throw new RefusedException("--log-since is given without --log: give both, or none");
    }
    if (files.isEmpty() && !weights.isEmpty()) {
      throw new RefusedException(
          "--weights is given without --queries, but the log says how often its statements ran:"
              + " leave it out");
    }
    for (double weight : weights) {
      if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new RefusedException(
            "--weights has " + weight + ", but has to have numbers above 0: mend it");
      }
    }
  }

  /**
   * The statements that can be planned, those of files first.
   *
   * @param onCluster whether the tables are on one, so that what is planned are copies of them
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
          "--queries has no statements in its files, but has to have one: write it, or name other"
              + " files");
    }
    return workload;
  }
}
