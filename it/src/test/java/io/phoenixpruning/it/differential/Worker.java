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
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.security.CodeSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.TableDescriptorChecker;

/**
 * Starts HBase and Phoenix in this JVM, and runs commands on them. The class path decides between
 * Phoenix's jars and ours. Reads commands from standard input and writes answers to standard
 * output, both as serialized objects.
 *
 * <p>In answers, numbers and times are {@link BigDecimal} without trailing zeros, and byte arrays
 * are text, so that equal values are equal objects. The type of a column is in {@link
 * WorkerAnswer#columns}.
 */
public final class Worker {

  private static final long LIMIT_SECONDS = 30;
  private static final int TRACE_LENGTH = 4_000;

  private final EmbeddedCluster cluster;
  private final org.apache.hadoop.hbase.client.Connection hbase;
  private Thread runner;
  private ExecutorService executor = newExecutor();
  private Map<String, String> properties = Map.of();
  private Connection connection;

  private Worker(Path folder) throws Exception {
    cluster = new EmbeddedCluster(folder);
    cluster.start();
    var configuration = HBaseConfiguration.create();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, EmbeddedCluster.LOOPBACK);
    String url = cluster.url();
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, url.substring(url.lastIndexOf(':') + 1));
    hbase = ConnectionFactory.createConnection(configuration);
    connection = cluster.connect(properties);
  }

  /**
   * Starts the worker and runs commands until standard input ends.
   *
   * @param arguments the folder for the files of the cluster
   */
  public static void main(String[] arguments) throws Exception {
    try (ObjectOutputStream answers =
        new ObjectOutputStream(new BufferedOutputStream(System.out))) {
      // Standard output is reserved for the answers.
      System.setOut(System.err);
      Worker worker = new Worker(Path.of(arguments[0]));
      answers.writeObject(WorkerAnswer.EMPTY);
      answers.flush();
      try (ObjectInputStream commands = new ObjectInputStream(new BufferedInputStream(System.in))) {
        while (true) {
          answers.writeObject(worker.run((WorkerCommand) commands.readObject()));
          answers.reset();
          answers.flush();
        }
      } catch (EOFException e) {
        // The test needs no more answers, and nobody needs the files of the cluster.
        Runtime.getRuntime().halt(0);
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private ExecutorService newExecutor() {
    return Executors.newSingleThreadExecutor(
        task -> {
          runner = new Thread(task, "statement");
          runner.setDaemon(true);
          return runner;
        });
  }

  /**
   * Stops the thread by force. Phoenix compiles some statements forever, and does not check for
   * interrupts.
   */
  @SuppressWarnings("deprecation")
  private void stop() {
    runner.stop();
  }

  /** Runs a command. Opens a new connection if a statement takes too long. */
  private WorkerAnswer run(WorkerCommand command) throws SQLException, InterruptedException {
    Callable<WorkerAnswer> task = () -> answer(command);
    Future<WorkerAnswer> answer = executor.submit(task);
    try {
      return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      connection.rollback();
      return WorkerAnswer.failed(failure(e.getCause()));
    } catch (TimeoutException e) {
      answer.cancel(true);
      executor.shutdownNow();
      stop();
      executor = newExecutor();
      connection = cluster.connect(properties);
      return WorkerAnswer.failed(
          new WorkerAnswer.Failure(
              WorkerAnswer.Failure.TIMEOUT, 0, "still running after " + LIMIT_SECONDS + " s", ""));
    }
  }

  private WorkerAnswer answer(WorkerCommand command) throws Exception {
    if (command instanceof WorkerCommand.Execute execute) {
      return execute(execute);
    } else if (command instanceof WorkerCommand.Write write) {
      return write(write);
    } else if (command instanceof WorkerCommand.Query query) {
      return query(query);
    } else if (command instanceof WorkerCommand.Change change) {
      return change(change);
    } else if (command instanceof WorkerCommand.RowKeys keys) {
      return rowKeys(keys);
    } else if (command instanceof WorkerCommand.Split split) {
      return split(split);
    } else if (command instanceof WorkerCommand.LeaveOut leaveOut) {
      return leaveOut(leaveOut);
    } else if (command instanceof WorkerCommand.Origins origins) {
      return origins(origins);
    }
    throw new IllegalArgumentException(command.toString());
  }

  private WorkerAnswer execute(WorkerCommand.Execute execute) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      for (String sql : execute.statements()) {
        statement.execute(sql);
      }
    }
    return WorkerAnswer.EMPTY;
  }

  private WorkerAnswer write(WorkerCommand.Write write) throws SQLException {
    awaitNextMillisecond();
    connection.setAutoCommit(false);
    try (PreparedStatement upsert = connection.prepareStatement(write.upsert())) {
      for (List<Object> row : write.rows()) {
        bind(upsert, row);
        upsert.execute();
      }
    }
    connection.commit();
    return WorkerAnswer.EMPTY;
  }

  private WorkerAnswer query(WorkerCommand.Query query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
      bind(statement, query.binds());
      try (ResultSet result = statement.executeQuery()) {
        return new WorkerAnswer(columns(result.getMetaData()), rows(result), -1, null, List.of());
      }
    }
  }

  private WorkerAnswer change(WorkerCommand.Change change) throws Exception {
    long start = awaitNextMillisecond();
    connection.setAutoCommit(change.autoCommit());
    WorkerAnswer answer;
    try (PreparedStatement statement = connection.prepareStatement(change.sql())) {
      bind(statement, change.binds());
      int count = statement.executeUpdate();
      connection.commit();
      answer = new WorkerAnswer(List.of(), List.of(), count, null, List.of());
    } catch (Exception | StackOverflowError e) {
      connection.rollback();
      answer = WorkerAnswer.failed(failure(e));
    }
    List<String> cells = new ArrayList<>();
    for (String table : change.tables()) {
      cells.addAll(cells(table, start));
    }
    return answer.withCells(cells);
  }

  /** Returns the cells and delete markers that were written to a table since {@code start}. */
  private List<String> cells(String name, long start) throws IOException {
    List<String> cells = new ArrayList<>();
    Scan scan =
        new Scan().setRaw(true).readAllVersions().setTimeRange(start, HConstants.LATEST_TIMESTAMP);
    try (Table table = hbase.getTable(TableName.valueOf(name));
        ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        for (Cell cell : result.rawCells()) {
          cells.add(
              name
                  + " "
                  + Bytes.toStringBinary(CellUtil.cloneRow(cell))
                  + WorkerAnswer.AFTER_ROW
                  + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
                  + ":"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
                  + " "
                  + cell.getType()
                  + " "
                  + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return cells;
  }

  private WorkerAnswer rowKeys(WorkerCommand.RowKeys keys) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    try (Table table = hbase.getTable(TableName.valueOf(keys.table()));
        ResultScanner results = table.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()))) {
      for (Result result : results) {
        rows.add(List.of(Bytes.toHex(result.getRow())));
      }
    }
    return WorkerAnswer.of(rows);
  }

  /**
   * Recreates the table with the boundaries. SPLIT ON would pad the boundaries, and splitting takes
   * long.
   *
   * <p>The blocks of local indexes are small, because HBase returns empty batches once a scan has
   * read four blocks. HBase's table checks refuse blocks below 1 KB, so the checks are switched
   * off.
   */
  private WorkerAnswer split(WorkerCommand.Split split) throws IOException {
    TableName name = TableName.valueOf(split.table());
    try (Admin admin = hbase.getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(name);
      TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(descriptor);
      for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
        if (family.getNameAsString().startsWith("L#")) {
          table
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(256).build())
              .setValue(TableDescriptorChecker.TABLE_SANITY_CHECKS, "false");
        }
      }
      admin.disableTable(name);
      admin.deleteTable(name);
      admin.createTable(
          table.build(), split.boundaries().stream().map(Bytes::fromHex).toArray(byte[][]::new));
    }
    try {
      connection
          .unwrap(org.apache.phoenix.jdbc.PhoenixConnection.class)
          .getQueryServices()
          .clearTableRegionCache(name);
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return WorkerAnswer.EMPTY;
  }

  private WorkerAnswer leaveOut(WorkerCommand.LeaveOut leaveOut) throws Exception {
    properties = PatchSwitch.leaveOut(leaveOut.patches());
    connection.close();
    connection = cluster.connect(properties);
    return WorkerAnswer.EMPTY;
  }

  private static WorkerAnswer origins(WorkerCommand.Origins origins) {
    List<List<Object>> rows = new ArrayList<>();
    for (String name : origins.classes()) {
      rows.add(List.of(origin(name)));
    }
    return WorkerAnswer.of(rows);
  }

  private static String origin(String name) {
    try {
      CodeSource source = Class.forName(name).getProtectionDomain().getCodeSource();
      return source.getLocation().getPath();
    } catch (ClassNotFoundException e) {
      return "missing";
    }
  }

  private static void bind(PreparedStatement statement, List<Object> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setObject(i + 1, values.get(i));
    }
  }

  private static List<String> columns(ResultSetMetaData metaData) throws SQLException {
    List<String> columns = new ArrayList<>();
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      columns.add(metaData.getColumnLabel(i) + " " + metaData.getColumnTypeName(i));
    }
    return columns;
  }

  private static List<List<Object>> rows(ResultSet result) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(canonical(result.getObject(i)));
      }
      rows.add(row);
    }
    return rows;
  }

  private static Object canonical(Object value) {
    if (value instanceof Number number) {
      return number(new BigDecimal(number.toString()));
    } else if (value instanceof java.util.Date date) {
      return number(BigDecimal.valueOf(date.getTime()));
    }
    return value instanceof byte[] bytes ? Bytes.toHex(bytes) : value;
  }

  private static BigDecimal number(BigDecimal value) {
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }

  private static WorkerAnswer.Failure failure(Throwable e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    String text = trace.toString();
    Throwable shown = overflowOr(e);
    return new WorkerAnswer.Failure(
        shown.getClass().getName(),
        shown instanceof SQLException sql ? sql.getErrorCode() : 0,
        comparable(String.valueOf(shown.getMessage())),
        text.substring(0, Math.min(TRACE_LENGTH, text.length())));
  }

  /**
   * Returns the stack overflow that caused {@code e}, or {@code e} if there is none. Phoenix wraps
   * the error in an exception only at some depths of the stack, so the exception is random.
   */
  private static Throwable overflowOr(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof StackOverflowError) {
        return cause;
      }
    }
    return e;
  }

  /**
   * Replaces ports, times and names of regions and objects, and removes stack traces of the server.
   */
  private static String comparable(String message) {
    return message
        .replaceAll("(?m)^\\s*(at .*|\\.\\.\\. \\d+ more)\\R?", "")
        .replaceAll("[0-9a-f]{32}", "HASH")
        .replaceAll("(localhost|127\\.0\\.0\\.1)(/127\\.0\\.0\\.1)?[:,]\\d+(,\\d+)?", "SERVER")
        .replaceAll("\\b\\d{13}\\b", "TIME")
        .replaceAll("T\\d+\\w*,.*?,TIME\\.HASH\\.", "REGION")
        .replaceAll("seqid=\\d+", "seqid=N")
        .replaceAll("\\w+@[0-9a-f]{5,8}\\b", "OBJECT");
  }

  /**
   * Waits for the next millisecond, because writes of the same millisecond have the same timestamp.
   */
  private static long awaitNextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
    return now + 1;
  }
}
