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
package io.phoenixpruning.it.dropin;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.rules.ExternalResource;
import org.junit.rules.TestRule;
import org.junit.rules.TestWatcher;
import org.junit.runner.Description;

/**
 * A cluster of HBase in separate processes on the loopback interface: ZooKeeper, a master and
 * region servers. Their class path is that of a plain HBase with either the drop-in server jar or
 * stock's Phoenix.
 *
 * <p>Each process logs to a separate file in a folder of {@code target/dropin}.
 */
final class HBaseProcesses extends ExternalResource {

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final long SMALLEST_JAR = 1 << 20;
  private static final String LOOPBACK = "localhost";

  private final Path directory;
  private final boolean namespaces;

  /** Names of the region servers. */
  private final List<String> servers;

  private final Map<String, Process> processes = new TreeMap<>();
  private final Map<Integer, String> regionServers = new TreeMap<>();
  private final Set<Integer> reservedPorts = new HashSet<>();
  private final Thread shutdownHook = new Thread(this::killAll);
  private final int zooKeeperPort = freePort();
  private Connection connection;

  /**
   * Describes processes that have not started.
   *
   * @param name name of their folder
   * @param namespaces whether Phoenix maps schemas to namespaces of HBase
   * @param servers number of region servers
   */
  HBaseProcesses(String name, boolean namespaces, int servers) {
    this.directory = Path.of("target", "dropin", name).toAbsolutePath();
    this.namespaces = namespaces;
    this.servers =
        IntStream.rangeClosed(1, servers).mapToObj(number -> "regionserver-" + number).toList();
  }

  @Override
  protected void before() throws Throwable {
    Runtime.getRuntime().addShutdownHook(shutdownHook);
    delete(directory);
    Files.createDirectories(directory);
    try {
      startZooKeeper();
      startServers(jar("dropin.server.jar").toString());
    } catch (Throwable e) {
      printLogs();
      after();
      throw e;
    }
  }

  private void startServers(String phoenixClassPath) throws IOException {
    start("master", phoenixClassPath, Map.of("hbase.master.port", freePort()), "master.HMaster");
    for (String name : servers) {
      int port = freePort();
      regionServers.put(port, name);
      start(
          name,
          phoenixClassPath,
          Map.of("hbase.regionserver.port", port),
          "regionserver.HRegionServer");
    }
    connection = ConnectionFactory.createConnection(configuration());
    await("the region servers").until(() -> liveServers().size() == servers.size());
  }

  /** Stops the master and the region servers, and starts them with stock's Phoenix. */
  void restartWithStock() throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.shutdown();
    }
    awaitExit("master");
    servers.forEach(this::awaitExit);
    connection.close();
    startServers(stockClassPath());
  }

  private void awaitExit(String name) {
    processes.get(name).onExit().orTimeout(START_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Override
  protected void after() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      killAll();
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    }
  }

  String url() {
    return "jdbc:phoenix:" + LOOPBACK + ":" + zooKeeperPort;
  }

  Connection connection() {
    return connection;
  }

  /** Kills {@code server} as a crash would, and waits until HBase has noticed. */
  void kill(ServerName server) {
    Process process = processes.get(regionServers.get(server.getPort()));
    process.destroyForcibly();
    process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    await("the master to notice that " + server + " is dead")
        .until(() -> !liveServers().contains(server));
  }

  Set<ServerName> liveServers() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics().getLiveServerMetrics().keySet();
    }
  }

  /** Returns the log of the process {@code name}. */
  String log(String name) throws IOException {
    return Files.readString(logFile(name));
  }

  /** Returns the log of each region server. */
  List<String> serverLogs() throws IOException {
    List<String> logs = new ArrayList<>();
    for (String server : servers) {
      logs.add(log(server));
    }
    return logs;
  }

  /** Returns a rule that prints the logs when a test fails. */
  TestRule logsOfFailures() {
    return new TestWatcher() {
      @Override
      protected void failed(Throwable e, Description description) {
        printLogs();
      }
    };
  }

  /** Prints the end of every log. */
  private void printLogs() {
    for (String name : processes.keySet()) {
      try {
        List<String> lines = Files.readAllLines(logFile(name));
        System.out.printf("---- the end of %s, alive: %s%n", name, processes.get(name).isAlive());
        lines.subList(Math.max(0, lines.size() - 100), lines.size()).forEach(System.out::println);
      } catch (IOException e) {
        System.out.println("---- no log of " + name + ": " + e);
      }
    }
  }

  private void startZooKeeper() throws IOException {
    Path data = Files.createDirectories(directory.resolve("zookeeper"));
    java(
        "zookeeper",
        hbaseClassPath(),
        List.of(
            "org.apache.zookeeper.server.ZooKeeperServerMain",
            String.valueOf(zooKeeperPort),
            data.toString(),
            "500"));
    await("ZooKeeper").until(() -> listens(zooKeeperPort));
  }

  /** Returns true if a process accepts connections at {@code port} of this machine. */
  static boolean listens(int port) {
    try (Socket ignored = new Socket(LOOPBACK, port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void start(
      String name, String phoenixClassPath, Map<String, Integer> own, String mainClass)
      throws IOException {
    Map<String, String> settings = settings();
    own.forEach((key, value) -> settings.put(key, value.toString()));
    java(
        name,
        String.join(
            File.pathSeparator,
            site(name, settings).toString(),
            phoenixClassPath,
            hbaseClassPath()),
        List.of("org.apache.hadoop.hbase." + mainClass, "start"));
  }

  /** Creates a folder with an hbase-site.xml for applications. */
  Path clientSite(String mode) throws IOException {
    return site(
        "client",
        Map.of(
            QueryServices.IS_NAMESPACE_MAPPING_ENABLED,
            Boolean.toString(namespaces),
            QueryServices.LOG_SALT_BUCKETS_ATTRIB,
            "1",
            // Nobody writes to a table while an index is created on it.
            QueryServices.INDEX_POPULATION_SLEEP_TIME,
            "0",
            // Clients check often whether a table has changed.
            QueryServices.DELAY_FOR_SCHEMA_UPDATE_CHECK,
            "50",
            QueryServices.NUM_RETRIES_FOR_SCHEMA_UPDATE_CHECK,
            "2000",
            PruningOptions.MODE,
            mode));
  }

  /** Creates a folder with an hbase-site.xml from which a program finds the cluster. */
  Path clientSite(String mode, Map<String, String> more) throws IOException {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put(HConstants.ZOOKEEPER_QUORUM, LOOPBACK);
    settings.put(HConstants.ZOOKEEPER_CLIENT_PORT, String.valueOf(zooKeeperPort));
    settings.put(QueryServices.IS_NAMESPACE_MAPPING_ENABLED, Boolean.toString(namespaces));
    settings.put(QueryServices.LOG_SALT_BUCKETS_ATTRIB, "1");
    settings.put(PruningOptions.MODE, mode);
    return site("client-of-its-own", settings);
  }

  /** Creates a folder with an hbase-site.xml that has these settings. */
  private Path site(String name, Map<String, String> settings) throws IOException {
    Path conf = Files.createDirectories(directory.resolve(name + "-conf"));
    Configuration configuration = new Configuration(false);
    settings.forEach(configuration::set);
    try (OutputStream site = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
      configuration.writeXml(site);
    }
    return conf;
  }

  private Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    settings().forEach(configuration::set);
    return configuration;
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put(HConstants.HBASE_DIR, directory.resolve("hbase").toUri().toString());
    settings.put("fs.defaultFS", "file:///");
    // Without checksums, the edits that a killed process has synced can still be read.
    settings.put("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    settings.put("hbase.unsafe.stream.capability.enforce", "false");
    settings.put("hbase.wal.provider", "filesystem");
    settings.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    settings.put(HConstants.CLUSTER_DISTRIBUTED, "true");
    settings.put(HConstants.ZOOKEEPER_QUORUM, LOOPBACK);
    settings.put(HConstants.ZOOKEEPER_CLIENT_PORT, String.valueOf(zooKeeperPort));
    settings.put(HConstants.ZK_SESSION_TIMEOUT, "12000");
    settings.put("hbase.master.hostname", LOOPBACK);
    settings.put("hbase.regionserver.hostname", LOOPBACK);
    settings.put("hbase.master.info.port", "-1");
    settings.put("hbase.regionserver.info.port", "-1");
    settings.put("hbase.regionserver.handler.count", "10");
    // The master does not wait for more servers.
    settings.put("hbase.master.wait.on.regionservers.mintostart", String.valueOf(servers.size()));
    settings.put("hbase.master.wait.on.regionservers.maxtostart", String.valueOf(servers.size()));
    settings.put(QueryServices.IS_NAMESPACE_MAPPING_ENABLED, Boolean.toString(namespaces));
    // Settings that Phoenix needs on a server.
    settings.put(
        "hbase.regionserver.wal.codec",
        "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec");
    settings.put(
        "hbase.region.server.rpc.scheduler.factory.class",
        "org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory");
    settings.put(
        "hbase.rpc.controllerfactory.class",
        "org.apache.hadoop.hbase.ipc.controller.ServerRpcControllerFactory");
    return settings;
  }

  /**
   * Starts a program.
   *
   * @param name name of its log
   * @param classPath the whole class path
   */
  Process java(String name, String classPath, List<String> mainClassAndArguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("dropin.jvm.flags").trim().split("\\s+")));
    command.add("-Dlog4j2.configurationFile=" + System.getProperty("log4j2.configurationFile"));
    command.add("-Dstartup.log.level=INFO");
    command.add("-Dzookeeper.admin.enableServer=false");
    command.add("-cp");
    command.add(classPath);
    command.addAll(mainClassAndArguments);
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile(name).toFile()))
            .start();
    processes.put(name, process);
    return process;
  }

  private Path logFile(String name) {
    return directory.resolve(name + ".log");
  }

  private void killAll() {
    processes.values().forEach(Process::destroyForcibly);
    for (Process process : processes.values()) {
      process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
  }

  private ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(START_LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions();
  }

  /**
   * Returns a drop-in jar.
   *
   * @param property system property with the path of the jar
   */
  static Path jar(String property) throws IOException {
    Path jar = Path.of(System.getProperty(property));
    if (!Files.exists(jar) || Files.size(jar) < SMALLEST_JAR) {
      throw new AssertionError(jar + " is not shaded: is dropin.skip set?");
    }
    return jar;
  }

  private static String hbaseClassPath() throws IOException {
    return Files.readString(Path.of(System.getProperty("dropin.hbase.classpath"))).trim();
  }

  /** Returns the class path of Phoenix as it was published, with all its dependencies. */
  static String stockClassPath() throws IOException {
    return Files.readString(Path.of(System.getProperty("dropin.phoenix.classpath"))).trim();
  }

  /** Creates a folder that contains only one class of the tests and its nested classes. */
  Path classesOf(Class<?> type) throws IOException {
    Path classes = directory.resolve("classes");
    String path = type.getName().replace('.', '/') + ".class";
    Path target = classes.resolve(path);
    Files.createDirectories(target.getParent());
    List<Class<?>> types = new ArrayList<>(List.of(type));
    types.addAll(List.of(type.getDeclaredClasses()));
    for (Class<?> each : types) {
      String file = each.getName().replaceFirst(".*\\.", "") + ".class";
      try (InputStream in = type.getResourceAsStream(file)) {
        Files.copy(in, target.resolveSibling(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return classes;
  }

  int freePort() {
    try {
      int port;
      do {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
          port = socket.getLocalPort();
        }
      } while (!reservedPorts.add(port));
      return port;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(file);
        }
      }
    }
  }
}
