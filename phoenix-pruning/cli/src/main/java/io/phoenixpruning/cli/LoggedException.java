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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A failure, and the log that says more about it. */
public final class LoggedException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient Path log;

  private LoggedException(Throwable failure, Path log) {
    super(failure.getMessage(), failure);
    this.log = log;
  }

  /**
   * Runs {@code work}. A failure names the log, unless there is none, the input was refused, or the
   * JVM is ending.
   *
   * @param log finds the log when there is a failure
   */
  public static <T> T naming(Callable<Optional<Path>> log, Callable<T> work) throws Exception {
    try {
      return work.call();
    } catch (RefusedException refused) {
      throw refused;
    } catch (Exception | Error failure) {
      Optional<Path> found = JvmExit.hasBegun() ? Optional.empty() : find(log, failure);
      if (found.isEmpty()) {
        throw failure;
      }
      throw new LoggedException(failure, found.get());
    }
  }

  /** Finds no log where it cannot be copied, such as on a full disk. */
  private static Optional<Path> find(Callable<Optional<Path>> log, Throwable failure)
      throws Exception {
    try {
      return log.call();
    } catch (IOException e) {
      failure.addSuppressed(new IOException("the log could not be kept: " + e.getMessage(), e));
      return Optional.empty();
    }
  }

  /** Copies {@code log}, which is about to be deleted, to the folder of temporary files. */
  public static Optional<Path> copy(Path log, String prefix) throws IOException {
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

  Path log() {
    return log;
  }
}
