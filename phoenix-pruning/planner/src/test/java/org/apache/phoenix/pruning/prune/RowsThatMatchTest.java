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
package org.apache.phoenix.pruning.prune;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.schema.SaltingUtil;
import org.junit.Test;

/**
 * Tests rows that Phoenix returns although a plain reading of the condition, or of how keys are
 * built, would prune their region.
 */
public class RowsThatMatchTest {

  private static byte[] hex(String digits) {
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = new BigInteger(digits.substring(2 * i, 2 * i + 2), 16).byteValue();
    }
    return bytes;
  }

  /** Asserts that the region of {@code rowKey} is planned for {@code where}. */
  private static void assertPlanned(
      Connectionless driver, byte[] rowKey, String where, Object... binds) throws SQLException {
    String sql = "SELECT /*+ INDEX(R RI) */ V FROM R WHERE V = 5 AND " + where;
    assertThat(driver.plannedRegions(sql, binds))
        .as("%s %s for %s", where, Arrays.toString(binds), Bytes.toStringBinary(rowKey))
        .anyMatch(region -> holds(region, rowKey));
  }

  static boolean holds(PlannedRegion region, byte[] rowKey) {
    return Bytes.compareTo(region.start(), rowKey) <= 0
        && (region.end().length == 0 || Bytes.compareTo(rowKey, region.end()) < 0);
  }

  private static void create(Connectionless driver, String columns, byte[]... boundaries)
      throws SQLException {
    driver.execute("DROP TABLE IF EXISTS R");
    driver.createTable("CREATE TABLE R (" + columns + ")", boundaries);
    driver.execute("CREATE LOCAL INDEX RI ON R (V)");
  }

  @Test
  public void castCharKeepsItsPadding() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 CHAR(3) NOT NULL, K2 VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2)",
          Bytes.toBytes("c  m"),
          Bytes.toBytes("c  t"),
          Bytes.toBytes("d"));
      assertPlanned(driver, Bytes.toBytes("c  n"), "CAST(K1 AS VARCHAR) > 'c'");
    }
  }

  @Test
  public void elementsOfCharArraysAreUnpadded() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 VARCHAR NOT NULL, K2 VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2)",
          hex("62006D"),
          hex("620074"));
      assertPlanned(driver, hex("62006E"), "K1 = ANY(ARRAY[NULL, ?, 'ac'])", "b");
    }
  }

  @Test
  public void elementsOfArraysMayStartWithZero() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 BINARY(3) NOT NULL, K2 INTEGER NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2)",
          hex("008003"),
          hex("008005"));
      byte[] key = hex("00800480000001");
      assertPlanned(driver, key, "K1 = ANY (ARRAY[?])", hex("008004"));
      assertPlanned(driver, key, "K1 = ANY (ARRAY[?, ?])", hex("01"), hex("008004"));
      assertPlanned(driver, key, "K1 = ALL (ARRAY[?])", hex("008004"));
      assertPlanned(driver, key, "K1 = ANY (ARRAY[X'008004', X'01'])");
    }
  }

  @Test
  public void keysMayLackColumnsAfterANullableColumn() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 INTEGER NOT NULL, K2 VARCHAR, K3 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2, K3)",
          hex("8000000A0000000000"),
          hex("800000140000000000"),
          hex("8000001E0000000000"));
      assertPlanned(driver, hex("80000014"), "K1 = 20");
      assertPlanned(driver, hex("800000140080000005"), "K1 = 20");
      assertPlanned(driver, hex("80000014"), "K1 = 20 AND K2 IS NULL");
      assertPlanned(driver, hex("80000014"), "K1 > 19 AND K1 < 21");
    }
  }

  @Test
  public void boundariesMayEndInsideADescendingString() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 VARCHAR, K2 BIGINT NOT NULL, K3 VARCHAR, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1 DESC, K2 DESC, K3 DESC)",
          hex("1D"),
          hex("1D7E"),
          hex("1D80"));
      assertPlanned(driver, hex("1D7D5381FF7FFFFFFFFFFFFFF8"), "K2 < 127");
    }
  }

  @Test
  public void theLastStringMayHoldZeros() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K VARCHAR PRIMARY KEY, V INTEGER",
          hex("61"),
          hex("6200"),
          hex("6201"),
          hex("63"));
      byte[] key = hex("620078");
      String value = "b\0x";
      assertPlanned(driver, key, "K LIKE ?", "b\0%");
      assertPlanned(driver, key, "K > ?", "b");
      assertPlanned(driver, key, "K >= ?", value);
      assertPlanned(driver, key, "K <= ?", value);
      assertPlanned(driver, key, "K <> ?", "b");
      assertPlanned(driver, key, "K BETWEEN ? AND ?", value, value);
      assertPlanned(driver, hex("0061"), "K IS NOT NULL");
      assertPlanned(driver, hex("0061"), "K < ?", "b");
    }
  }

  @Test
  public void castToTimeKeepsNanoseconds() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 TIMESTAMP NOT NULL, K2 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)",
          hex("8000016F5E66E80000000064"),
          hex("8000016F5E66E8000000012C"));
      Timestamp value = new Timestamp(0x16F5E66E800L);
      value.setNanos(200);
      byte[] key = hex("8000016F5E66E800000000C880000001");
      assertPlanned(driver, key, "K1 = CAST(? AS TIME)", value);
      assertPlanned(driver, key, "K1 <= CAST(? AS TIME)", value);
    }
  }

  @Test
  public void allPassesOverNulls() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K INTEGER PRIMARY KEY, V INTEGER",
          hex("8000000A"),
          hex("80000014"),
          hex("8000001E"));
      assertPlanned(driver, hex("80000005"), "K <> ALL(ARRAY[NULL, 4])");
      assertPlanned(driver, hex("80000019"), "K > ALL(ARRAY[NULL, 4])");
    }
  }

  @Test
  public void ordersOfBothSidesDiffer() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K VARCHAR NOT NULL, K2 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K DESC, K2)",
          hex("803C"),
          hex("9E00"),
          hex("9EDF"));
      // 'a\u00ff~', descending.
      assertPlanned(driver, hex("9E3C4081FF80000001"), "K < ANY(ARRAY['a aa'])");
    }
  }

  @Test
  public void numbersOfOtherKindsAreRounded() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 BIGINT NOT NULL, K2 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)",
          hex("8020000000000000"),
          hex("8020000000000001"),
          hex("8020000000000002"));
      assertPlanned(
          driver, hex("802000000000000080000001"), "K1 = CAST(? AS FLOAT)", 9007199254740993L);
    }
  }

  @Test
  public void theLastStringMayHoldZerosInEachBucket() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS R");
      driver.execute("CREATE TABLE R (K VARCHAR PRIMARY KEY, V INTEGER) SALT_BUCKETS = 8");
      driver.execute("CREATE LOCAL INDEX RI ON R (V)");
      for (char last = 'a'; last <= 'z'; last++) {
        String value = "b\0" + last;
        byte[] bytes = Bytes.toBytes(value);
        byte[] key = Bytes.add(new byte[1], bytes);
        key[0] = SaltingUtil.getSaltingByte(key, 1, bytes.length, 8);
        assertPlanned(driver, key, "K LIKE ?", "b\0%");
        assertPlanned(driver, key, "K >= ? AND K < ?", value, value + "0");
        assertPlanned(driver, key, "K > 'b' AND K < 'c'");
      }
    }
  }

  /** Regions may begin inside such a value, or at values that begin with a zero. */
  @Test
  public void theLastDescendingStringMayHoldZeros() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC)",
          hex("9C"),
          hex("9DFE"),
          hex("9DFF50"),
          hex("9DFFA0"),
          hex("9E"),
          hex("FE"),
          hex("FF90"));
      for (String value : List.of("b", "b\0x", "b\0\u007f", "\0b", "\0x", "b\0x\0y")) {
        assertPlannedForRanges(driver, descendingKey(value), value);
      }
    }
  }

  @Test
  public void theLastDescendingStringMayHoldZerosInEachBucket() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS R");
      driver.execute(
          "CREATE TABLE R (K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))"
              + " SALT_BUCKETS = 8");
      driver.execute("CREATE LOCAL INDEX RI ON R (V)");
      for (char last = 'a'; last <= 'z'; last++) {
        for (String value : List.of("b" + last, "b\0" + last, "\0" + last)) {
          byte[] bytes = descendingKey(value);
          byte[] salt = {SaltingUtil.getSaltingByte(bytes, 0, bytes.length, 8)};
          assertPlannedForRanges(driver, Bytes.add(salt, bytes), value);
        }
      }
    }
  }

  private static byte[] descendingKey(String value) {
    byte[] bytes = Bytes.toBytes(value);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    return Bytes.add(bytes, new byte[] {(byte) 0xFF});
  }

  private static void assertPlannedForRanges(Connectionless driver, byte[] key, String value)
      throws SQLException {
    assertPlanned(driver, key, "K = ?", value);
    assertPlanned(driver, key, "K IN (?, 'q')", value);
    assertPlanned(driver, key, "K LIKE ?", value.substring(0, 1) + "%");
    assertPlanned(driver, key, "K >= ?", value);
    assertPlanned(driver, key, "K <= ?", value);
    assertPlanned(driver, key, "K >= ? AND K < ?", value, value + "0");
    assertPlanned(driver, key, "K < 'c'");
    assertPlanned(driver, key, "K <> 'a'");
    assertPlanned(driver, key, "K IS NOT NULL");
    assertPlanned(driver, key, "K NOT LIKE ?", value + "0%");
    assertPlanned(driver, key, "K BETWEEN ? AND ?", value, value);
    assertPlanned(driver, key, "SUBSTR(K, 1, 1) = ?", value.substring(0, 1));
  }

  @Test
  public void datesBefore1970RoundTowardsIt() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      create(
          driver,
          "K1 DATE NOT NULL, K2 INTEGER NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2)",
          hex("7FFFFFFFFAD9A400"),
          hex("7FFFFFFFFFFFFFFF"),
          hex("8000000000000000"));
      assertPlanned(
          driver, hex("7FFFFFFFFFFFFFFF80000001"), "FLOOR(K1, 'DAY') = DATE '1970-01-01'");
    }
  }
}
