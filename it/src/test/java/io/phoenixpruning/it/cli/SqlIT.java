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
package io.phoenixpruning.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.it.ClusterTest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Runs {@code pruning sql} without a terminal. */
public class SqlIT extends ClusterTest {

  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration REFUSAL = Duration.ofMinutes(1);

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private int runs;

  private PruningProcess start(String input, String... args) throws Exception {
    return PruningProcess.start(temporary.getRoot().toPath().resolve("run-" + ++runs), input, args);
  }

  @Test
  public void aSecondStartFindsTheTablesAndEndsAtTheFirstFailure() throws Exception {
    Path dir = temporary.getRoot().toPath().resolve("data");
    String create =
        """
        CREATE TABLE T (K INTEGER PRIMARY KEY, V VARCHAR) SPLIT ON (10);
        CREATE LOCAL INDEX I ON T (V);
        UPSERT INTO T VALUES (1, 'one');
        UPSERT INTO T VALUES (20, 'twenty');
        """;
    try (PruningProcess sql = start(create, "sql", "--dir", dir.toString())) {
      assertThat(sql.await(START)).as(sql.err()).isZero();
    }
    String query =
        """
        EXPLAIN SELECT /*+ INDEX(T I) */ K FROM T WHERE V = 'one' AND K < 5;
        EXPLAIN SELECT /*+ INDEX(T I) */ K FROM T WHERE V = 'one' AND K < 5 AND V <> '%s!';
        SELECT V FROM T;
        SELEC 1;
        CREATE TABLE U (K INTEGER PRIMARY KEY);
        """
            .formatted("x".repeat(300));
    try (PruningProcess sql = start(query, "sql", "--dir", dir.toString())) {
      assertThat(sql.await(START)).isNotZero();
      assertThat(sql.out())
          .contains("REGIONS PLANNED 1 OF 2, PRUNED 1 BY PRIMARY KEY")
          .contains("xxx!")
          .contains("| one    |")
          .contains("| twenty |");
      List<String> lines = sql.err().lines().toList();
      assertThat(lines).hasSize(2);
      assertThat(lines.get(0)).startsWith("Start HBase and Phoenix in " + dir);
      assertThat(lines.get(1))
          .isEqualTo(
              "pruning sql: Error: ERROR 601 (42P00): Syntax error. Encountered \"SELEC\" at line 1,"
                  + " column 1. (state=42P00,code=601)");
      assertThat(dir.resolve("hbase/data/default/T")).exists();
      assertThat(dir.resolve("hbase/data/default/U")).doesNotExist();
      assertThat(sql.temporaryFiles()).isEmpty();
    }
  }

  @Test
  public void aUrlThatDoesNotAnswerIsRefused() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:phoenix:localhost:" + silent.getLocalPort();
      try (PruningProcess sql = start("SELECT 1;\n", "sql", "--url", url)) {
        assertThat(sql.await(REFUSAL)).isEqualTo(2);
        assertThat(sql.err().lines())
            .singleElement()
            .isEqualTo(
                "pruning sql: --url '"
                    + url
                    + "' does not answer within 30 s. Correct the URL, or start HBase."
                    + " A cluster with Kerberos needs HBASE_CONF_DIR");
        assertThat(sql.out()).isEmpty();
        assertThat(sql.temporaryFiles()).isEmpty();
      }
    }
  }

  @Test
  public void anUnknownHostIsRefused() {
    PruningRun sql = PruningRun.of("sql", "--url", "jdbc:phoenix:no.invalid");
    assertThat(sql.exitCode()).isEqualTo(2);
    // If a name server is unreachable, its answer can take longer than the command waits.
    assertThat(sql.err().lines())
        .singleElement()
        .asString()
        .matches(
            "pruning sql: --url 'jdbc:phoenix:no\\.invalid' does not answer (\\(unknown host"
                + " no\\.invalid\\)|within 30 s)\\. Correct the URL, or start HBase.*");
  }

  @Test
  public void aUrlWhereNothingListensIsRefused() throws Exception {
    String url = "jdbc:phoenix:localhost:" + closedPort();
    PruningRun.of("sql", "--url", url)
        .assertRefused(
            "pruning sql: --url '"
                + url
                + "' does not answer (Connection refused). Correct the URL, or start HBase");
  }

  @Test
  public void aFolderThatCannotBeMadeIsRefused() throws Exception {
    Path dir = temporary.newFile("letter").toPath().resolve("data");
    PruningRun sql = PruningRun.of("sql", "--dir", dir.toString());
    assertThat(sql.exitCode()).isEqualTo(2);
    assertThat(sql.err().lines())
        .singleElement()
        .asString()
        .startsWith("pruning sql: --dir '" + dir + "' cannot be written");
    assertThat(Files.isRegularFile(dir.getParent())).isTrue();
  }

  @Test
  public void aFolderThatHBaseDoesNotAcceptIsRefused() {
    Path dir = temporary.getRoot().toPath().resolve("a b");
    PruningRun.of("sql", "--dir", dir.toString())
        .assertRefused(
            "pruning sql: --dir '"
                + dir
                + "' has a character that HBase does not accept, such as a blank. Expected a new"
                + " or empty folder, or the folder of an earlier run. Choose another folder");
    assertThat(temporary.getRoot().list()).isEmpty();
  }

  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
