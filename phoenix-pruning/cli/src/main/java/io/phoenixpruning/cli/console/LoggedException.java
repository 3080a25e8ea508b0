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
package io.phoenixpruning.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A failure with the path of a log that has more details. */
public final class LoggedException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient Path log;

  private LoggedException(Throwable failure, Path log) {
    super(failure.getMessage(), failure);
    this.log = log;
  }

  /**
   * Runs {@code work}. If the work fails, throws a {@link LoggedException} that names the log.
   * Throws the original failure if there is no log, if the input was refused, or if the JVM is
   * shutting down.
   *
   * @param log finds the log; called only after a failure
   */
  public static <T> T callAndNameLog(Callable<Optional<Path>> log, Callable<T> work)
      throws Exception {
    try {
      return work.call();
    } catch (RefusedException refused) {
      throw refused;
    } catch (Exception | Error failure) {
      Optional<Path> found = JvmExit.hasBegun() ? Optional.empty() : findLog(log, failure);
      if (found.isEmpty()) {
        throw failure;
      }
      throw new LoggedException(failure, found.get());
    }
  }

  /** Returns the log, or empty if the log cannot be copied, such as on a full disk. */
  private static Optional<Path> findLog(Callable<Optional<Path>> log, Throwable failure)
      throws Exception {
    try {
      return log.call();
    } catch (IOException e) {
      failure.addSuppressed(new IOException("the log could not be copied: " + e.getMessage(), e));
      return Optional.empty();
    }
  }

  /**
   * Copies {@code log}, which is about to be deleted, to the folder for temporary files.
   *
   * @return the copy, or empty if {@code log} does not exist
   */
  public static Optional<Path> copyLog(Path log, String prefix) throws IOException {
    if (!Files.exists(log)) {
      return Optional.empty();
    }
    Path copy = Files.createTempFile(Path.of(System.getProperty("java.io.tmpdir")), prefix, ".log");
    try {
      return Optional.of(Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING));
    } catch (IOException e) {
      Files.deleteIfExists(copy);
      throw e;
    }
  }

  public Path log() {
    return log;
  }
}
