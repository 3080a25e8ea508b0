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

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Reports every failure as one line on standard error. The system property {@value #TRACE} adds the
 * stack trace.
 */
final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  static final String TRACE = "pruning.trace";

  /** Maximum length of a message, so that the whole line stays near 300 characters. */
  private static final int MOST_CHARACTERS = 180;

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    print(
        command,
        failure,
        oneLine(failure.getMessage())
            + "; see "
            + command.getCommandSpec().qualifiedName()
            + " --help");
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    return report(command, failure);
  }

  /** Reports why {@code command} failed, and returns the exit code for it. */
  static int report(CommandLine command, Throwable failure) {
    print(
        command,
        failure,
        (failure instanceof RefusedException ? oneLine(failure.getMessage()) : describe(failure))
            + leftOver(failure));
    // As picocli does for what it refuses itself.
    return failure instanceof RefusedException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** Says in one line on standard error what {@code command} cannot work with. */
  static void print(CommandLine command, String line) {
    command
        .getErr()
        .println(
            command
                .getColorScheme()
                .errorText(command.getCommandSpec().qualifiedName() + ": " + line));
    command.getErr().flush();
  }

  private static void print(CommandLine command, Throwable failure, String line) {
    if (JvmExit.hasBegun()) {
      // What fails now fails because its cluster is being stopped.
      return;
    }
    print(command, line);
    if (Boolean.getBoolean(TRACE)) {
      failure.printStackTrace(command.getErr());
    }
    command.getErr().flush();
  }

  /** What went wrong, and the first cause of it where that says more. */
  static String describe(Throwable failure) {
    Throwable first = firstCause(failure);
    return shortened(messages(failure instanceof LoggedException ? failure.getCause() : failure))
        + " ("
        + (failure instanceof LoggedException logged ? "see " + logged.log() + "; " : "")
        + (first instanceof OutOfMemoryError ? "PRUNING_OPTS=-Xmx4g enlarges the heap; " : "")
        + "PRUNING_OPTS=-D"
        + TRACE
        + "=true shows where)";
  }

  /** HBase's messages can have thousands of characters; the log has all of them. */
  private static String shortened(String message) {
    return message.length() <= MOST_CHARACTERS
        ? message
        : message.substring(0, MOST_CHARACTERS - 3) + "...";
  }

  /** The message of {@code failure}, and that of its first cause where that says more. */
  static String messages(Throwable failure) {
    Throwable first = firstCause(failure);
    String messages =
        Stream.of(failure, first)
            .map(OneLineErrors::message)
            .flatMap(Optional::stream)
            .distinct()
            .collect(Collectors.joining("; cause: "));
    return messages.isEmpty() ? first.getClass().getSimpleName() : messages;
  }

  /** What could not be undone after {@code failure}. */
  private static String leftOver(Throwable failure) {
    return Stream.of(failure.getSuppressed())
        .map(OneLineErrors::message)
        .flatMap(Optional::stream)
        .map(message -> "; then: " + message)
        .collect(Collectors.joining());
  }

  /** An error's message alone says little, such as the name of a class. */
  private static Optional<String> message(Throwable failure) {
    return Optional.ofNullable(failure.getMessage())
        .map(OneLineErrors::oneLine)
        .map(
            message ->
                failure instanceof Error
                    ? failure.getClass().getSimpleName() + ": " + message
                    : message);
  }

  private static Throwable firstCause(Throwable failure) {
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return first;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
