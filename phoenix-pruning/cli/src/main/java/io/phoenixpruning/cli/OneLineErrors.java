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

import io.phoenixpruning.cli.console.JvmExit;
import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.RefusedException;
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
 * the line names the log, which has the full text. The system property {@value #TRACE} adds the
 * stack trace.
 */
final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  static final String TRACE = "pruning.trace";

  /** Maximum length of a printed line. */
  private static final int LINE_LENGTH = 300;

  /** Maximum length of a description, which leaves room for text that callers print before it. */
  private static final int DESCRIPTION_LENGTH = 220;

  /** Minimum length of a shortened text, even if the path of the log fills the line. */
  private static final int MIN_LENGTH = 60;

  /** Replaces the part that was cut out of a text. */
  private static final String CUT = " ... ";

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    print(
        command,
        failure,
        message(failure).orElseGet(failure::toString),
        "; see " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    return report(command, failure);
  }

  /** Reports why {@code command} failed, and returns the exit code for it. */
  static int report(CommandLine command, Throwable failure) {
    if (failure instanceof RefusedException refused) {
      String message = oneLine(refused.getMessage());
      String hint =
          message.length() <= maxTextLength(command)
              ? ""
              : " (" + traceHint("the whole message") + ")";
      print(command, failure, message, hint);
      // The exit code is the one that picocli uses for invalid input.
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
  static RefusedException referToLog(CommandLine command, RefusedException refused, Path log) {
    String message = oneLine(refused.getMessage());
    if (message.length() <= maxTextLength(command) || !append(log, refused.getMessage())) {
      return refused;
    }
    String hint = " (see " + log + ")";
    return new RefusedException(
        shorten(message, maxTextLength(command) - hint.length()) + hint, refused);
  }

  /**
   * Appends {@code text} to {@code log}. Returns false if the log cannot be written, such as on a
   * full disk.
   */
  private static boolean append(Path log, String text) {
    try {
      Files.writeString(
          log, text + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Prints {@code message} as one line on standard error, with the name of {@code command}. */
  static void print(CommandLine command, String message) {
    printLine(command, shorten(message, maxTextLength(command)));
  }

  private static void printLine(CommandLine command, String line) {
    command.getErr().println(command.getColorScheme().errorText(prefix(command) + line));
    command.getErr().flush();
  }

  /** Returns the maximum length of the text after the name of the command. */
  private static int maxTextLength(CommandLine command) {
    return LINE_LENGTH - prefix(command).length();
  }

  private static String prefix(CommandLine command) {
    return command.getCommandSpec().qualifiedName() + ": ";
  }

  /**
   * @param hint text after the message; never shortened
   */
  private static void print(CommandLine command, Throwable failure, String message, String hint) {
    if (JvmExit.hasBegun()) {
      // The cluster is being stopped, which causes this failure.
      return;
    }
    int maxLength = maxTextLength(command) - hint.length();
    String suppressed = shorten(suppressedMessages(failure), maxLength - message.length());
    printLine(command, shorten(message, maxLength - suppressed.length()) + hint + suppressed);
    if (Boolean.getBoolean(TRACE)) {
      failure.printStackTrace(command.getErr());
    }
    command.getErr().flush();
  }

  /** Describes {@code failure} in one line, with its root cause and a hint. */
  static String describe(Throwable failure) {
    String hint = hint(failure);
    return shorten(messages(failure), DESCRIPTION_LENGTH - hint.length()) + hint;
  }

  /**
   * Returns a hint that names the log of {@code failure}, if there is one, and helpful settings.
   */
  private static String hint(Throwable failure) {
    return " ("
        + (failure instanceof LoggedException logged ? "see " + logged.log() + "; " : "")
        + (rootCause(failure) instanceof OutOfMemoryError
            ? "PRUNING_OPTS=-Xmx4g enlarges the heap; "
            : "")
        + traceHint("the stack trace")
        + ")";
  }

  private static String traceHint(String what) {
    return "PRUNING_OPTS=-D" + TRACE + "=true shows " + what;
  }

  /**
   * Shortens a text to {@code maxLength} characters, because HBase's messages can have thousands.
   * Keeps the beginning and the end of the text: the end often says what to do.
   */
  private static String shorten(String text, int maxLength) {
    int length = Math.max(maxLength, MIN_LENGTH);
    if (text.length() <= length) {
      return text;
    }
    int end = length / 2;
    return text.substring(0, length - CUT.length() - end)
        + CUT
        + text.substring(text.length() - end);
  }

  /**
   * Returns the message of {@code failure}, followed by the message of its root cause if they
   * differ. Without any message, returns the class name of the root cause.
   */
  static String messages(Throwable failure) {
    Throwable root = rootCause(failure);
    String messages =
        Stream.of(failure instanceof LoggedException ? failure.getCause() : failure, root)
            .map(OneLineErrors::message)
            .flatMap(Optional::stream)
            .distinct()
            .collect(Collectors.joining("; cause: "));
    return messages.isEmpty() ? root.getClass().getSimpleName() : messages;
  }

  /** Returns the messages of suppressed exceptions: they say what could not be undone. */
  private static String suppressedMessages(Throwable failure) {
    return Stream.of(failure.getSuppressed())
        .map(OneLineErrors::message)
        .flatMap(Optional::stream)
        .map(message -> "; then: " + message)
        .collect(Collectors.joining());
  }

  /**
   * Returns the message of {@code failure}, or empty if there is none. An {@link Error}'s message
   * says little, such as the name of a class, so the error's own class name is added.
   */
  private static Optional<String> message(Throwable failure) {
    return Optional.ofNullable(failure.getMessage())
        .map(OneLineErrors::oneLine)
        .map(
            message ->
                failure instanceof Error
                    ? failure.getClass().getSimpleName() + ": " + message
                    : message);
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
