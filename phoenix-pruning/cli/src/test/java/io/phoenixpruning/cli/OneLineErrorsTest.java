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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tests that an invalid command line is reported in one line, before anything is started. */
public class OneLineErrorsTest {

  /** A message like HBase's message for a failed batch. */
  private static final String LONG =
      "Error: Failed 100 actions: " + "x".repeat(5_000) + " (code=0)";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... args) {
    return execute(Pruning.commandLine(), args);
  }

  private int execute(CommandLine command, String... args) {
    return Pruning.execute(command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), args);
  }

  private void assertRefused(String expected, String... args) {
    assertThat(execute(args)).isNotZero();
    assertThat(err.toString().lines()).singleElement().asString().isEqualTo(expected);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  public void refusesAMissingCommand() {
    assertRefused("pruning: A command is missing; see pruning --help");
  }

  @Test
  public void refusesAnUnknownCommand() {
    assertRefused("pruning: Unmatched argument at index 0: 'dmeo'; see pruning --help", "dmeo");
  }

  @Test
  public void refusesRegionsThatAreNoNumber() {
    assertRefused(
        "pruning demo: Invalid value for option '--regions': 'many' is not an int; see pruning demo"
            + " --help",
        "demo",
        "--regions",
        "many");
  }

  @Test
  public void refusesZeroRegions() {
    int most = Math.min(15_000, HeapBudget.ofThisJvm().maxRegions());
    assertRefused("pruning demo: --regions is 0. Expected 1 to " + most, "demo", "--regions", "0");
  }

  @Test
  public void refusesMoreRegionsThanOrders() {
    assertThatThrownBy(() -> DemoCommand.checkRegions(1501, 0.001, new HeapBudget(8L << 30)))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "--regions is 1501, but there are only 1500 orders at --scale 0.001. Choose at most"
                + " 1500, or a larger --scale");
  }

  @Test
  public void refusesMoreRegionsThanOrdersAndThanTheHeapHolds() {
    assertThatThrownBy(
            () -> DemoCommand.checkRegions(1_000_000_000, 1, new HeapBudget(2_048L << 20)))
        .hasMessage(
            "--regions is 1000000000, but there are only 1500000 orders at --scale 1.0, and a heap"
                + " of 2048 MB has room for 915. Choose at most 915");
  }

  @Test
  public void refusesAHeapWithoutRoomForARegion() {
    assertThatThrownBy(() -> DemoCommand.checkRegions(10, 0.01, new HeapBudget(64L << 20)))
        .hasMessage("the heap of 64 MB is too small for a cluster. Set PRUNING_OPTS=-Xmx418m");
    assertThatThrownBy(() -> DemoCommand.checkRegions(0, 0.01, new HeapBudget(64L << 20)))
        .hasMessage("the heap of 64 MB is too small for a cluster. Set PRUNING_OPTS=-Xmx402m");
  }

  @Test
  public void refusesAFolderWithoutAName() {
    assertRefused(
        "pruning sql: --dir '' names no folder. Expected a new or empty folder, or the folder of an"
            + " earlier run. Choose another folder",
        "sql",
        "--dir",
        "");
  }

  @Test
  public void refusesMoreRegionsThanTheHeapHolds() {
    HeapBudget heap = HeapBudget.ofThisJvm();
    int regions = heap.maxRegions() + 1;
    assertRefused(
        String.format(
            "pruning demo: --regions is %d, but a heap of %d MB has room for %d. Choose fewer, or"
                + " set PRUNING_OPTS=-Xmx%dm",
            regions, heap.heapMb(), heap.maxRegions(), heap.neededMb(regions)),
        "demo",
        "--regions",
        Integer.toString(regions),
        "--scale",
        "1");
  }

  @Test
  public void refusesAScaleOutOfRange() {
    assertRefused(
        "pruning demo: --scale is NaN. Expected 0.0001 (150 orders) to 1 (1,500,000 orders)",
        "demo",
        "--scale",
        "NaN");
  }

  @Test
  public void refusesAUrlOfAnotherDatabase() {
    assertRefused(
        "pruning sql: --url 'jdbc:other:x' is not a Phoenix URL. Expected"
            + " jdbc:phoenix:HOST[,HOST]:PORT (ZooKeeper of a running HBase)",
        "sql",
        "--url",
        "jdbc:other:x");
  }

  @Test
  public void refusesAUrlTogetherWithAFolder() {
    assertRefused(
        "pruning sql: Error: --url=URL, --dir=DIR are mutually exclusive (specify only one); see"
            + " pruning sql --help",
        "sql",
        "--url",
        "jdbc:phoenix:localhost",
        "--dir",
        "d");
  }

  @Test
  public void aRefusalHasTheExitCodeOfBadInput() {
    assertThat(execute("layout", "--url", "jdbc:phoenix:localhost", "a.b.c")).isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo(
            "pruning layout: TABLE 'a.b.c' is not the name of a table. Expected T, SCHEMA.T, or"
                + " '\"t\"' with quotes for a name in lower case");
    assertThat(execute("layout", "--url", "jdbc:other:x", "T")).isEqualTo(2);
    assertThat(execute("demo", "--regions", "0")).isEqualTo(2);
  }

  @Test
  public void refusesALayoutWithoutATable() {
    assertRefused(
        "pruning layout: Missing required parameter: 'TABLE'; see pruning layout --help",
        "layout",
        "--url",
        "jdbc:phoenix:localhost");
  }

  @Test
  public void refusesALayoutWithoutACluster() {
    assertRefused(
        "pruning layout: Missing required option: '--url=URL'; see pruning layout --help",
        "layout",
        "T");
  }

  @Test
  public void helpIsNoError() {
    assertThat(execute("demo", "--help")).isZero();
    assertThat(out.toString()).contains("--regions=N").contains("--scale=S").contains("--keep");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  public void anErrorIsNotSilent() {
    @Command(name = "fill")
    class Fill implements Runnable {
      @Override
      public void run() {
        throw new OutOfMemoryError("Java heap space");
      }
    }

    assertThat(execute(Pruning.commandLine().addSubcommand(new Fill()), "fill")).isNotZero();
    assertThat(err.toString())
        .isEqualTo(
            "pruning: OutOfMemoryError: Java heap space (PRUNING_OPTS=-Xmx4g enlarges the heap;"
                + " PRUNING_OPTS=-Dpruning.trace=true shows the stack trace)"
                + System.lineSeparator());
  }

  @Test
  public void aFailedCleanupIsReported() {
    Exception failure = new RefusedException("Syntax error");
    failure.addSuppressed(new IOException("Cannot delete /tmp/x"));

    CommandLine command = Pruning.commandLine().setErr(new PrintWriter(err));
    assertThat(OneLineErrors.report(command, failure)).isNotZero();
    assertThat(err.toString().strip())
        .isEqualTo("pruning: Syntax error; then: Cannot delete /tmp/x");
  }

  private static CommandLine sql() {
    return Pruning.commandLine().getSubcommands().get("sql");
  }

  /** Returns the line that is printed for {@code failure}. */
  private String reported(Throwable failure) {
    CommandLine command = sql().setErr(new PrintWriter(err));
    OneLineErrors.report(command, failure);
    String line = err.toString().strip();
    assertThat(line).doesNotContain("\n");
    assertThat(line.length()).as(line).isLessThanOrEqualTo(300);
    return line;
  }

  @Test
  public void aLongRefusalIsCutInItsMiddle() {
    assertThat(reported(new RefusedException(LONG)))
        .hasSize(300)
        .startsWith("pruning sql: Error: Failed 100 actions: xxx")
        .contains("xxx ... xxx")
        .endsWith("xxx (code=0) (PRUNING_OPTS=-Dpruning.trace=true shows the whole message)");
  }

  @Test
  public void aLongFileNameDoesNotHideTheAdvice() {
    String message = "--dir is /" + "x".repeat(999) + ", which holds other files: choose another";
    assertThat(reported(new RefusedException(message)))
        .startsWith("pruning sql: --dir is /xxx")
        .contains("xxx, which holds other files: choose another (");
  }

  @Test
  public void aFailedCleanupLeavesTheRefusalUnchanged() {
    String message = "--dir is " + "d".repeat(150) + ", which holds other files: choose another";
    Exception failure = new RefusedException(message);
    failure.addSuppressed(new IOException(LONG));
    failure.addSuppressed(new IOException("Cannot delete /tmp/x"));

    assertThat(reported(failure))
        .startsWith("pruning sql: " + message + "; then: Error: ")
        .contains(" ... ")
        .endsWith("then: Cannot delete /tmp/x");
  }

  @Test
  public void theLogHasTheRestOfAFailure() throws IOException {
    Path log = temporary.newFile("log").toPath();
    IOException failure = new IOException("cannot load", new IOException(LONG));
    Throwable logged =
        catchThrowable(
            () ->
                LoggedException.callAndNameLog(
                    () -> Optional.of(log),
                    () -> {
                      throw failure;
                    }));

    assertThat(reported(logged))
        .startsWith("pruning sql: cannot load; cause: Error: Failed 100 actions: xxx")
        .endsWith(
            "xxx (code=0) (see "
                + log
                + "; PRUNING_OPTS=-Dpruning.trace=true shows the stack trace)");
    assertThat(log).content().contains(LONG);
  }

  @Test
  public void theLogHasTheRestOfARefusal() {
    Path log = temporary.getRoot().toPath().resolve("log");
    RefusedException small = new RefusedException("Syntax error");
    assertThat(OneLineErrors.referToLog(sql(), small, log)).isSameAs(small);
    assertThat(log).doesNotExist();

    assertThat(reported(OneLineErrors.referToLog(sql(), new RefusedException(LONG), log)))
        .startsWith("pruning sql: Error: Failed 100 actions: xxx")
        .endsWith("xxx (code=0) (see " + log + ")");
    assertThat(log).content().contains(LONG);

    RefusedException unlogged = new RefusedException(LONG);
    Path missing = temporary.getRoot().toPath().resolve("missing/log");
    assertThat(OneLineErrors.referToLog(sql(), unlogged, missing)).isSameAs(unlogged);
  }

  @Test
  public void longProblemsAndOptionsAreCut() {
    CommandLine command = Pruning.commandLine().setErr(new PrintWriter(err));
    OneLineErrors.print(command, "q.sql:1:1: " + LONG);
    execute("sql", "--url", "x", "y".repeat(1_000));

    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.length() <= 300)
        .anyMatch(line -> line.startsWith("pruning: q.sql:1:1: ") && line.endsWith("(code=0)"))
        .anyMatch(line -> line.endsWith("; see pruning sql --help"));
  }

  @Test
  public void aFailureIsDescribedWithItsFirstCauseInOneLine() {
    IOException first = new IOException("disk full\n  at sector 5");
    Exception failure = new Exception("cannot load", new RuntimeException("flush", first));

    assertThat(OneLineErrors.describe(failure))
        .startsWith("cannot load; cause: disk full at sector 5 (")
        .doesNotContain("\n");
    assertThat(OneLineErrors.describe(new NullPointerException()))
        .startsWith("NullPointerException (");
  }
}
