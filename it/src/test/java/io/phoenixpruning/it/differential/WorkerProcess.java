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
package io.phoenixpruning.it.differential;

import io.phoenixpruning.testing.EmbeddedCluster;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.aspectj.lang.NoAspectBoundException;

/** A {@link Worker} in a separate process, with Phoenix's jars or with ours. */
final class WorkerProcess implements AutoCloseable {

  private static final String HEAP = "-Xmx700m";
  private static final String PUBLISHED = "/org/apache/phoenix/";

  private final String name;
  private final Path folder;
  private final Process process;
  private final ObjectOutputStream commands;
  private ObjectInputStream answers;

  private WorkerProcess(String name, List<String> phoenix, String mode) throws IOException {
    this.name = name;
    this.folder = Path.of("target", "differential", name).toAbsolutePath();
    delete(folder);
    Files.createDirectories(folder);
    List<String> classPath = new ArrayList<>();
    classPath.add(site(mode).toString());
    classPath.add(location(Worker.class));
    classPath.add(location(EmbeddedCluster.class));
    classPath.addAll(phoenix);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(System.getProperty("dropin.jvm.flags").trim().split("\\s+")));
    command.addAll(
        List.of(
            HEAP,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dzookeeper.admin.enableServer=false",
            "-Dlog4j2.configurationFile=" + System.getProperty("log4j2.configurationFile"),
            "-cp",
            String.join(File.pathSeparator, classPath),
            Worker.class.getName(),
            folder.resolve("cluster").toString()));
    if (mode != null) {
      command.add(1, "-D" + PruningOptions.MODE + "=" + mode);
    }
    process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(log().toFile())
            .start();
    commands = new ObjectOutputStream(new BufferedOutputStream(process.getOutputStream()));
    commands.flush();
  }

  /** Starts a worker with Phoenix's own jars. */
  static WorkerProcess phoenix() throws IOException {
    return new WorkerProcess("phoenix", published(), null);
  }

  /** Starts a worker with our jars, and the whole JVM in {@code mode}. */
  static WorkerProcess ours(String mode) throws IOException {
    List<String> jars =
        published().stream()
            .filter(
                jar -> !jar.contains("phoenix-core-client") && !jar.contains("phoenix-core-server"))
            .collect(Collectors.toCollection(ArrayList::new));
    jars.add(0, location(NoAspectBoundException.class));
    jars.addAll(0, modules());
    return new WorkerProcess(mode, jars, mode);
  }

  /** Returns the classes of our modules, as this JVM loads them. */
  private static List<String> modules() throws IOException {
    Path ours = Path.of("..", "phoenix-pruning").toRealPath();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Path.of(entry).startsWith(ours))
        .toList();
  }

  String name() {
    return name;
  }

  /** Waits until the cluster runs. */
  void awaitStart() {
    receive();
    boolean woven = !name.equals("phoenix");
    List<List<Object>> origins =
        run(new WorkerCommand.Origins(
                List.of(PhoenixConnection.class.getName(), PruningOptions.class.getName())))
            .rows();
    boolean published = origins.get(0).toString().contains(PUBLISHED);
    boolean pruning = !origins.get(1).toString().contains("missing");
    if (published == woven || pruning != woven) {
      throw new AssertionError(name + " has the wrong jars: " + origins);
    }
  }

  /** Sends a command; {@link #receive} takes the answer. */
  void send(WorkerCommand command) {
    try {
      commands.writeObject(command);
      commands.reset();
      commands.flush();
    } catch (IOException e) {
      throw died(e);
    }
  }

  WorkerAnswer receive() {
    try {
      if (answers == null) {
        answers = new ObjectInputStream(process.getInputStream());
      }
      return (WorkerAnswer) answers.readObject();
    } catch (IOException e) {
      throw died(e);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  WorkerAnswer run(WorkerCommand command) {
    send(command);
    return receive();
  }

  /** Runs a command that must not fail. */
  WorkerAnswer require(WorkerCommand command) {
    WorkerAnswer answer = run(command);
    if (answer.failure() != null) {
      throw new AssertionError(name + " failed: " + command + "\n" + answer.failure().trace());
    }
    return answer;
  }

  private AssertionError died(IOException e) {
    try (Stream<String> lines = Files.lines(log())) {
      List<String> all = lines.toList();
      return new AssertionError(
          "The worker "
              + name
              + " has ended: "
              + String.join("\n", all.subList(Math.max(0, all.size() - 40), all.size())),
          e);
    } catch (IOException unreadable) {
      e.addSuppressed(unreadable);
      return new AssertionError("The worker " + name + " has ended", e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    process.onExit().join();
    delete(folder.resolve("cluster"));
  }

  private Path log() {
    return folder.resolve("worker.log");
  }

  private Path site(String mode) throws IOException {
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Configuration configuration = new Configuration(false);
    if (mode != null) {
      configuration.set(PruningOptions.MODE, mode);
    }
    try (OutputStream site = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
      configuration.writeXml(site);
    }
    return conf;
  }

  /** Returns the jars of HBase and of Phoenix as it was published, with their dependencies. */
  private static List<String> published() throws IOException {
    Set<String> jars = new LinkedHashSet<>();
    for (String property : List.of("dropin.phoenix.classpath", "dropin.hbase.classpath")) {
      String classPath = Files.readString(Path.of(System.getProperty(property)));
      jars.addAll(List.of(classPath.trim().split(File.pathSeparator)));
    }
    return List.copyOf(jars);
  }

  private static String location(Class<?> type) {
    return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .sorted(Comparator.reverseOrder())
            .forEach(
                file -> {
                  try {
                    Files.delete(file);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
      }
    }
  }
}
