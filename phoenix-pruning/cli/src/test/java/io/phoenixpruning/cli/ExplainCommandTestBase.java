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
import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;

/**
 * Base of the tests of {@code pruning explain}. Runs the command on files with statements, with the
 * tables of a schema and without a cluster.
 */
abstract class ExplainCommandTestBase {

  private static final String SCHEMA =
      """
      DROP TABLE IF EXISTS T CASCADE;
      CREATE TABLE T (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER, A.X INTEGER
        CONSTRAINT PK PRIMARY KEY (K1, K2)) A.DATA_BLOCK_ENCODING = 'NONE' SPLIT ON (10, 20, 30);
      CREATE LOCAL INDEX TV ON T (V);
      CREATE LOCAL INDEX TKW ON T (K1, W);
      DROP TABLE IF EXISTS D;
      CREATE TABLE D (K INTEGER PRIMARY KEY);
      CREATE TABLE S.U (K INTEGER PRIMARY KEY)
      """;

  static final String ONE = "SELECT V FROM T WHERE V = 5 AND K1 = 15";
  static final String ALL = "SELECT V FROM T WHERE V = 5";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  Path schema;
  String out;
  String err;

  @Before
  public void writeSchema() throws IOException {
    schema = write("schema.sql", SCHEMA);
  }

  Path write(String name, String text) throws IOException {
    return Files.writeString(temporary.getRoot().toPath().resolve(name), text);
  }

  int run(Object... args) {
    CommandRun run = CommandRun.of("explain", args);
    out = run.out();
    err = run.err();
    return run.exitCode();
  }

  /**
   * Explains a file with {@code text}. Removes the folder from file names in {@link #out} and
   * {@link #err}.
   */
  int explain(String text, String... options) throws IOException {
    List<Object> args = new ArrayList<>(List.of("--ddl", schema, write("q.sql", text)));
    args.addAll(List.of(options));
    int exitCode = run(args.toArray());
    String folder = temporary.getRoot() + "/";
    out = out.replace(folder, "");
    err = err.replace(folder, "");
    return exitCode;
  }
}
