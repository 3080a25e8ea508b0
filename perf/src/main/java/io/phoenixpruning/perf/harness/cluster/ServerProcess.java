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
package io.phoenixpruning.perf.harness.cluster;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * A server in a separate process, with this JVM's flags for access to the JDK. The process logs to
 * a file. If this JVM ends, for whatever reason, the process ends, too.
 */
final class ServerProcess implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
  private static final int TAIL = 40;

  private final String name;
  private final Path log;
  private final Process process;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private volatile boolean endExpected;

  /** Connection to the MBeans of the process, or null before the first use. */
  private @Nullable JMXConnector connector;

  /**
   * Starts the process.
   *
   * @param name name of the server, and of its log in {@code folder}
   * @param heap heap limit, such as {@code 512m}
   * @param options JVM options
   * @param classPath class path with this module
   * @param main main class, whose main method ends with {@link ServerMain#run} or {@link
   *     ServerMain#reportReady}
   * @param onDeath receives a message with the end of the log if the process ends before it is
   *     closed
   */
  ServerProcess(
      String name,
      Path folder,
      String heap,
      List<String> options,
      String classPath,
      Class<?> main,
      List<String> arguments,
      Consumer<String> onDeath)
      throws IOException {
    this.name = name;
    this.log = folder.resolve(name + ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.addAll(options);
    accessFlags().forEach(command::add);
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Dlog4j2.configurationFile=" + ServerProcess.class.getResource("log4j2.xml"));
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(arguments);
    process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Thread watch = new Thread(() -> watch(onDeath), name);
    watch.setDaemon(true);
    watch.start();
  }

  private static Stream<String> accessFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(
            flag ->
                flag.startsWith("--add-")
                    || flag.startsWith("-Dorg.apache.hbase.thirdparty.io.netty"));
  }

  private void watch(Consumer<String> onDeath) {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      if (line != null) {
        ready.complete(line);
      }
      process.waitFor();
    } catch (IOException | InterruptedException e) {
      ready.completeExceptionally(e);
      return;
    }
    ready.completeExceptionally(new IOException("The process has ended"));
    if (!endExpected) {
      onDeath.accept(name + " has ended" + tail());
    }
  }

  /**
   * Waits until the server takes requests.
   *
   * @return the line that the server prints when it is ready
   * @throws IOException if the server does not get ready, with the end of its log
   */
  String awaitReady() throws IOException, InterruptedException {
    try {
      return ready.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(name + " is not ready after " + START_LIMIT + tail(), e);
    } catch (ExecutionException e) {
      throw new IOException(name + " did not start" + tail(), e);
    }
  }

  /** Waits until the process, which is a client's, takes requests. */
  QueryClientMXBean awaitClient() throws IOException, InterruptedException {
    awaitReady();
    return JMX.newMXBeanProxy(
        management().getMBeanServerConnection(), QueryClientMXBean.NAME, QueryClientMXBean.class);
  }

  /** Connects to the MBeans of the process. */
  @SuppressWarnings("BanJNDI") // The address is of the process that was started here.
  JMXConnector management() throws IOException {
    if (connector == null) {
      try {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
        try {
          connector =
              JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
          machine.detach();
        }
      } catch (AttachNotSupportedException e) {
        throw new IOException("Cannot attach to " + name + tail(), e);
      }
    }
    return connector;
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return ". End of its log:\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    } catch (IOException e) {
      return ". Its log cannot be read: " + e;
    }
  }

  /** Declares that the process may end. Its end is then not reported as a failure. */
  void expectEnd() {
    endExpected = true;
  }

  /** Kills the process and waits until it has ended. */
  @Override
  public void close() {
    expectEnd();
    process.destroyForcibly();
    process.onExit().orTimeout(KILL_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }
}
