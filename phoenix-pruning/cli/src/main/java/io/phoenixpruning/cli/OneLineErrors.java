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
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.thirdparty.com.google.common.base.Throwables;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Reports every failure as one line of at most 300 characters on standard error. If there is a log,
 * it has the rest, and the line names it. The system property {@value #TRACE} adds the stack trace.
 */
final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  static final String TRACE = "pruning.trace";

  /** Maximum length of a printed line. */
  private static final int LINE_LENGTH = 300;

  /** Maximum length of a description, which leaves room for what others print before it. */
  private static final int DESCRIPTION_LENGTH = 220;

  /** Minimum length of a shortened text, even if the path of the log takes up the line. */
  private static final int SHORTEST = 60;

  /** Stands for what was cut out of a text. */
  private static final String CUT = " ... ";

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    print(
        command,
        failure,
        oneLine(failure.getMessage()),
        "; see " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    return report(command, failure);
  }

  /** Reports why {@code command} failed, and returns the exit code for it. */
  static int report(CommandLine command, Throwable failure) {
    if (failure instanceof RefusedException) {
      String message = oneLine(failure.getMessage());
      String hint = message.length() <= room(command) ? "" : " (" + tracing("all of it") + ")";
      print(command, failure, message, hint);
      // As picocli does for what it refuses itself.
      return ExitCode.USAGE;
    }
    print(command, failure, messages(failure), hint(failure));
    if (failure instanceof LoggedException logged) {
      append(logged.log(), Throwables.getStackTraceAsString(failure));
    }
    return ExitCode.SOFTWARE;
  }

  /**
   * Returns {@code refused} itself if its message fits into the line of {@code command}. Otherwise
   * appends the message to {@code log}, and returns an exception that names the log.
   */
  static RefusedException logged(CommandLine command, RefusedException refused, Path log) {
    String message = oneLine(refused.getMessage());
    if (message.length() <= room(command) || !append(log, refused.getMessage())) {
      return refused;
    }
    String hint = " (see " + log + ")";
    return new RefusedException(shortened(message, room(command) - hint.length()) + hint, refused);
  }

  /** Returns false if the log cannot be written, such as on a full disk. */
  private static boolean append(Path log, String text) {
    try {
      Files.writeString(
          log, text + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Says in one line on standard error what {@code command} cannot work with. */
  static void print(CommandLine command, String message) {
    printLine(command, shortened(message, room(command)));
  }

  private static void printLine(CommandLine command, String line) {
    command.getErr().println(command.getColorScheme().errorText(prefix(command) + line));
    command.getErr().flush();
  }

  /** Returns the maximum length of what follows the name of the command. */
  private static int room(CommandLine command) {
    return LINE_LENGTH - prefix(command).length();
  }

  private static String prefix(CommandLine command) {
    return command.getCommandSpec().qualifiedName() + ": ";
  }

  /**
   * @param hint follows the message, and is never cut
   */
  private static void print(CommandLine command, Throwable failure, String message, String hint) {
    if (JvmExit.hasBegun()) {
      // What fails now fails because its cluster is being stopped.
      return;
    }
    int room = room(command) - hint.length();
    String leftOver = shortened(leftOver(failure), room - message.length());
    printLine(command, shortened(message, room - leftOver.length()) + hint + leftOver);
    if (Boolean.getBoolean(TRACE)) {
      failure.printStackTrace(command.getErr());
    }
    command.getErr().flush();
  }

  /** What went wrong, and the first cause of it where that says more. */
  static String describe(Throwable failure) {
    String hint = hint(failure);
    return shortened(messages(failure), DESCRIPTION_LENGTH - hint.length()) + hint;
  }

  /** Names the log of {@code failure}, if there is one, and settings that help. */
  private static String hint(Throwable failure) {
    return " ("
        + (failure instanceof LoggedException logged ? "see " + logged.log() + "; " : "")
        + (firstCause(failure) instanceof OutOfMemoryError
            ? "PRUNING_OPTS=-Xmx4g enlarges the heap; "
            : "")
        + tracing("where")
        + ")";
  }

  private static String tracing(String what) {
    return "PRUNING_OPTS=-D" + TRACE + "=true shows " + what;
  }

  /**
   * Cuts a text to {@code most} characters, because HBase's messages can have thousands. Keeps the
   * beginning and the end, which often says what to do.
   */
  private static String shortened(String text, int most) {
    int length = Math.max(most, SHORTEST);
    if (text.length() <= length) {
      return text;
    }
    int end = length / 2;
    return text.substring(0, length - CUT.length() - end)
        + CUT
        + text.substring(text.length() - end);
  }

  /** The message of {@code failure}, and that of its first cause where that says more. */
  static String messages(Throwable failure) {
    Throwable first = firstCause(failure);
    String messages =
        Stream.of(failure instanceof LoggedException ? failure.getCause() : failure, first)
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
