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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.DdlDatabase;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.commons.lang3.StringUtils;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.schema.types.PArrayDataType;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PIntegerArray;
import org.apache.phoenix.schema.types.PLongArray;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.schema.types.PVarcharArray;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests that values are parsed from their text in Phoenix's log. */
public class LoggedBindsTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private DdlDatabase database;

  @Before
  public void define() throws Exception {
    Path ddl = temporary.newFile("schema.sql").toPath();
    Files.writeString(
        ddl,
        """
        CREATE TABLE T (K INTEGER NOT NULL, C CHAR(3) NOT NULL, V VARCHAR, L BIGINT, D DATE,
          TS TIMESTAMP, N DECIMAL, B BOOLEAN, X VARBINARY, A INTEGER ARRAY
          CONSTRAINT PK PRIMARY KEY (K, C));""");
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
    // Phoenix joins the values in the same format.
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
  public void arraysOfAnyAndAllHaveTypes() throws SQLException {
    assertThat(types("SELECT K FROM T WHERE V = ANY(?) AND L < ALL ( ? ) AND A = ? AND K = ?"))
        .containsExactly(
            PVarcharArray.INSTANCE, PLongArray.INSTANCE, PIntegerArray.INSTANCE, PInteger.INSTANCE);
  }

  @Test
  public void rowsOfAnInHaveTypes() throws SQLException {
    assertThat(types("SELECT K FROM T WHERE (K, C) IN ((?, ?), (5, ?)) AND N > ?"))
        .containsExactly(PInteger.INSTANCE, PChar.INSTANCE, PChar.INSTANCE, PDecimal.INSTANCE);
    assertThat(types("SELECT K FROM T WHERE (K, V) NOT IN ((?, ?))"))
        .containsExactly(PInteger.INSTANCE, PVarchar.INSTANCE);
  }

  @Test
  public void aTypeThatPhoenixDoesNotKnowIsNull() throws SQLException {
    assertThat(types("SELECT K FROM T WHERE COALESCE(K, ?) = 5 AND ? IS NULL"))
        .containsExactly(null, null);
    assertThatThrownBy(() -> LoggedBinds.parse("5", Collections.singletonList(null)))
        .isInstanceOf(RefusedException.class)
        .hasMessage("Phoenix does not know the type of parameter 1. " + LoggedBinds.REMEDY);
  }

  private static Object[] samples(String sql, PDataType<?>... types) throws SQLException {
    return LoggedBinds.samples(Arrays.asList(types), null, new SQLParser(sql).parseStatement());
  }

  @Test
  public void allTypesHaveSamples() throws SQLException {
    assertThat(
            samples(
                "SELECT K FROM T WHERE V = ANY(?) AND K = ANY(?) AND X = ? AND B = ? AND ? IS NULL",
                PVarcharArray.INSTANCE,
                PIntegerArray.INSTANCE,
                PVarbinary.INSTANCE,
                PBoolean.INSTANCE,
                null))
        .containsExactly(
            PArrayDataType.instantiatePhoenixArray(PVarchar.INSTANCE, new Object[] {"a"}),
            PArrayDataType.instantiatePhoenixArray(PInteger.INSTANCE, new Object[] {2}),
            new byte[] {'c'},
            true,
            null);
  }

  @Test
  public void samplesOfTinyintFit() throws SQLException {
    PDataType<?>[] types = new PDataType<?>[100];
    Arrays.fill(types, PTinyint.INSTANCE);
    String sql =
        "SELECT K FROM T WHERE K IN ("
            + String.join(", ", Collections.nCopies(98, "?"))
            + ") OR K < ? AND K > ?";

    assertThat(samples(sql, types)).endsWith(Byte.MAX_VALUE, (byte) 100);
  }

  @Test
  public void anEmptyTextIsNull() {
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
        .hasMessage(message + ". " + LoggedBinds.REMEDY);
  }

  @Test
  public void otherValuesAreRefused() {
    assertRefused(
        "a,b,c",
        "the log has 3 comma-separated values for 2 parameters",
        PVarchar.INSTANCE,
        PVarchar.INSTANCE);
    String noValue = ", but its value in the log cannot be read as that type";
    assertRefused(
        "a,2x", "parameter 2 has type INTEGER" + noValue, PVarchar.INSTANCE, PInteger.INSTANCE);
    assertRefused("yesterday", "parameter 1 has type DATE" + noValue, PDate.INSTANCE);
    assertRefused("[B@1b6d3586", "parameter 1 has type VARBINARY" + noValue, PVarbinary.INSTANCE);
    assertRefused("[1]", "parameter 1 has type INTEGER ARRAY" + noValue, PIntegerArray.INSTANCE);
  }
}
