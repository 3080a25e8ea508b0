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
package io.phoenixpruning.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import org.junit.runner.Description;
import org.junit.runner.notification.RunListener;

/**
 * Ends the JVM, with a dump of its threads, if nothing happens for too long. The limit holds for a
 * single test, and for the start or end of a class. The system property {@code
 * conformance.hang.minutes} sets it. Failsafe's own limit holds for all classes of a JVM together.
 */
public final class HangWatch extends RunListener {

  private static final Duration LIMIT =
      Duration.ofMinutes(Integer.getInteger("conformance.hang.minutes", 15));

  private volatile Instant deadline = Instant.now().plus(LIMIT);
  private volatile Description last = Description.EMPTY;

  public HangWatch() {
    new Timer("hang-watch", true)
        .scheduleAtFixedRate(
            new TimerTask() {
              @Override
              public void run() {
                if (Instant.now().isAfter(deadline)) {
                  endJvm();
                }
              }
            },
            0,
            Duration.ofSeconds(10).toMillis());
  }

  @Override
  public void testStarted(Description test) {
    progress(test);
  }

  @Override
  public void testFinished(Description test) {
    progress(test);
  }

  private void progress(Description test) {
    last = test;
    deadline = Instant.now().plus(LIMIT);
  }

  private void endJvm() {
    try (PrintStream out = new PrintStream(report(), UTF_8)) {
      out.printf(
          "Nothing happened for %d minutes, in or after %s%n",
          LIMIT.toMinutes(), last.getDisplayName());
      for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
        out.println(thread.getKey());
        for (StackTraceElement frame : thread.getValue()) {
          out.println("    at " + frame);
        }
      }
    } catch (IOException e) {
      System.err.println("Nothing happens, and it cannot be said where: " + e);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  private static String report() {
    return System.getProperty("conformance.reports") + "/hang-" + ProcessHandle.current().pid();
  }
}
