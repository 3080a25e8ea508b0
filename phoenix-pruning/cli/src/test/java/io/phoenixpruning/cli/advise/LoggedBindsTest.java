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
package io.phoenixpruning.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.RefusedException;
import io.phoenixpruning.cli.explain.DdlDatabase;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import org.apache.commons.lang3.StringUtils;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PIntegerArray;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Values are read back from the text that Phoenix's log has of them. */
public class LoggedBindsTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private DdlDatabase database;

  @Before
  public void define() throws Exception {
    Path ddl = temporary.newFile("schema.sql").toPath();
    Files.writeString(
        ddl,
        "CREATE TABLE T (K INTEGER NOT NULL, C CHAR(3) NOT NULL, V VARCHAR, L BIGINT, D DATE,"
            + " TS TIMESTAMP, N DECIMAL, B BOOLEAN, X VARBINARY, A INTEGER ARRAY"
            + " CONSTRAINT PK PRIMARY KEY (K, C));");
    database = DdlDatabase.read(ddl);
  }

  @After
  public void close() throws SQLException {
    database.close();
  }

  private List<PDataType<?>> types(String sql) throws SQLException {
    return LoggedBinds.types(database.connection(), sql);
  }

  private static String logged(Object... values) {
    // As Phoenix joins them.
    return StringUtils.join(List.of(values), ",");
  }

  @Test
  public void valuesOfAllTypesThatHaveATextAreReadBack() throws SQLException {
    String sql =
        "SELECT K FROM T WHERE K = ? AND C LIKE ? AND V IN (?, ?) AND L > ? AND D >= ? AND TS < ?"
            + " AND N BETWEEN ? AND 7 AND B = ? LIMIT ?";
    Object[] values = {
      -25,
      "a b",
      "it's",
      "1",
      1L << 40,
      new Date(Instant.parse("2026-11-01T00:00:00Z").toEpochMilli()),
      Timestamp.from(Instant.parse("2026-11-01T10:20:30.125Z")),
      new BigDecimal("1.50"),
      true,
      10
    };

    assertThat(LoggedBinds.parse(logged(values), types(sql))).containsExactly(values);
  }

  @Test
  public void parametersOfSubqueriesHaveTypesToo() throws SQLException {
    assertThat(types("DELETE FROM T WHERE K IN (SELECT K FROM T WHERE V = ?) AND D < ?"))
        .containsExactly(PVarchar.INSTANCE, PDate.INSTANCE);
  }

  @Test
  public void whatHasNoTextIsNull() {
    assertThat(LoggedBinds.parse(",5", List.of(PVarchar.INSTANCE, PInteger.INSTANCE)))
        .containsExactly(null, 5);
  }

  @Test
  public void oneTextMayHaveCommas() {
    assertThat(LoggedBinds.parse("a,b", List.of(PVarchar.INSTANCE))).containsExactly("a,b");
  }

  private static void assertRefused(String logged, String message, PDataType<?>... types) {
    assertThatThrownBy(() -> LoggedBinds.parse(logged, List.of(types)))
        .isInstanceOf(RefusedException.class)
        .hasMessage(message + ": " + LoggedBinds.REMEDY);
  }

  @Test
  public void otherValuesAreRefused() {
    assertRefused(
        "a,b,c",
        "it has 2 parameters, but 2 commas are in what the log has of their values",
        PVarchar.INSTANCE,
        PVarchar.INSTANCE);
    String noValue = ", but what the log has of it is no value of that type";
    assertRefused(
        "a,2x",
        "its parameter 2 is of type INTEGER" + noValue,
        PVarchar.INSTANCE,
        PInteger.INSTANCE);
    assertRefused("yesterday", "its parameter 1 is of type DATE" + noValue, PDate.INSTANCE);
    assertRefused(
        "[B@1b6d3586", "its parameter 1 is of type VARBINARY" + noValue, PVarbinary.INSTANCE);
    assertRefused(
        "[1]", "its parameter 1 is of type INTEGER ARRAY" + noValue, PIntegerArray.INSTANCE);
  }
}
