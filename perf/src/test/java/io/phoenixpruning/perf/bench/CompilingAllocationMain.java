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
package io.phoenixpruning.perf.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;

/**
 * Compiles statements on plain tables without a cluster, with the jars on the class path of this
 * process. For each statement, prints the bytes that one compilation allocates, followed by the
 * statement.
 */
final class CompilingAllocationMain {

  private static final int WARMUPS = 50;
  private static final int EXECUTIONS = 100;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT COUNT(*) FROM T",
          "SELECT K2, V1 FROM T WHERE K1 = 5 AND V2 > 3",
          "SELECT K2, V1 FROM TI WHERE K1 = 5 AND V2 > 3",
          "SELECT V2 FROM TI WHERE V1 = 5",
          "SELECT V1, V2 FROM T WHERE K1 = 5 AND K2 = 7",
          "SELECT V1 FROM T WHERE K1 = 5 AND K2 IN (" + numbers(50) + ")",
          "SELECT V1, V2 FROM T WHERE K1 = 5 AND K2 BETWEEN 10 AND 19",
          "SELECT /*+ SKIP_SCAN */ V1 FROM T WHERE K1 BETWEEN 10 AND 17 AND K2 BETWEEN 10 AND 14",
          "SELECT V1 FROM T WHERE K1 IN (3, 5, 7, 9) AND K2 BETWEEN 10 AND 14",
          "SELECT V1 FROM T WHERE K1 = 3 OR K1 = 7",
          "SELECT V2, COUNT(*) FROM T GROUP BY V2",
          "SELECT K1, K2 FROM T ORDER BY V1, K1 LIMIT 10",
          "SELECT COUNT(*) FROM T JOIN TI ON T.V2 = TI.K1 WHERE T.K1 < 20 AND TI.V2 = 1",
          "UPSERT INTO T (K1, K2, V1, V2) VALUES (3, 4, 5, 6)",
          "UPSERT INTO T (K1, K2, V1, V2) SELECT K1 + 3, K2, V1, V2 FROM T WHERE K1 = 0",
          "DELETE FROM T WHERE K1 = 3");

  private CompilingAllocationMain() {}

  public static void main(String[] arguments) throws SQLException {
    Properties properties = new Properties();
    // Nobody writes to a table while an index is created on it.
    properties.setProperty("phoenix.index.population.wait.time", "0");
    try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none", properties);
        Statement statement = connection.createStatement()) {
      for (String table : List.of("T", "TI")) {
        statement.execute(
            "CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V1 INTEGER, V2 INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (500, 1000, 1500)"
                .formatted(table));
      }
      statement.execute("CREATE INDEX TI_I ON TI (V1) INCLUDE (V2)");
      for (String sql : STATEMENTS) {
        compile(connection, sql, WARMUPS);
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        compile(connection, sql, EXECUTIONS);
        long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        System.out.println((after - before) / EXECUTIONS + " " + sql);
      }
    }
  }

  private static String numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(", "));
  }

  private static void compile(Connection connection, String sql, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        PhoenixPreparedStatement compiled = statement.unwrap(PhoenixPreparedStatement.class);
        if (sql.startsWith("SELECT")) {
          compiled.optimizeQuery();
        } else {
          compiled.compileMutation();
        }
      }
    }
  }
}
