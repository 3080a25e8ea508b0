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
package org.apache.phoenix.pruning.patch;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.prune.SimulatedRegions;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;

/**
 * Describes Phoenix's results for random statements: EXPLAIN, the scans, and the rows that their
 * ranges and filters find. Refers to classes of HBase and Phoenix, and to {@link SimulatedRegions}
 * only. So it runs on Phoenix's own jar, in a class loader without the classes that users get.
 *
 * <p>The arguments are the mode of the connection and the number of tables.
 */
public final class PhoenixPlans implements BiFunction<String, Integer, List<String>> {

  private static final String[] STRINGS = {"a", "aa", "ab", "b", "ba", "c c", "d"};
  private static final int[] NUMBERS = {-1, 0, 1, 2, 3, 4, 5};
  private static final String[] OPERATORS = {"=", "<", "<=", ">", ">=", "<>"};
  private static final String[] NAMES = {"A", "B", "C"};
  private static final int STATEMENTS = 60;

  @Override
  public List<String> apply(String mode, Integer tables) {
    try {
      Class.forName("org.apache.phoenix.jdbc.PhoenixDriver", true, getClass().getClassLoader());
      List<String> descriptions = new ArrayList<>();
      for (int seed = 0; seed < tables; seed++) {
        Properties properties = new Properties();
        properties.setProperty("phoenix.index.population.wait.time", "0");
        properties.setProperty("phoenix.stats.enabled", "false");
        properties.setProperty("phoenix.pruning.mode", mode);
        try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none", properties)) {
          descriptions.addAll(new Table(connection, new Random(seed)).describe());
        }
      }
      return descriptions;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Random table with three key columns. */
  private static final class Table {

    private final Connection connection;
    private final Random random;
    private final boolean[] isString = new boolean[3];
    private final boolean[] isDescending = new boolean[3];
    private final boolean[] isNullable = new boolean[3];
    private final TreeMap<byte[], String> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);

    Table(Connection connection, Random random) throws SQLException {
      this.connection = connection;
      this.random = random;
      for (int i = 0; i < 3; i++) {
        isString[i] = random.nextInt(3) == 0;
        isDescending[i] = random.nextInt(3) == 0;
        isNullable[i] = isString[i] && random.nextBoolean();
      }
      create();
      addRows();
    }

    private void create() throws SQLException {
      String columns =
          IntStream.range(0, 3)
              .mapToObj(
                  i ->
                      NAMES[i]
                          + (isString[i] ? " VARCHAR" : " INTEGER")
                          + (isNullable[i] ? "" : " NOT NULL"))
              .collect(Collectors.joining(", "));
      String key =
          IntStream.range(0, 3)
              .mapToObj(i -> NAMES[i] + (isDescending[i] ? " DESC" : ""))
              .collect(Collectors.joining(", "));
      try (Statement statement = connection.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS W");
        statement.execute(
            "CREATE TABLE W (" + columns + ", V INTEGER CONSTRAINT PK PRIMARY KEY (" + key + "))");
        statement.execute("CREATE LOCAL INDEX W_I ON W (V)");
      }
    }

    private void addRows() throws SQLException {
      PTable table = connection.unwrap(PhoenixConnection.class).getTable(new PTableKey(null, "W"));
      for (Object a : domain(0)) {
        for (Object b : domain(1)) {
          for (Object c : domain(2)) {
            Object[] row = {a, b, c};
            if (a != null || b != null || c != null) {
              rows.put(key(table, row), Arrays.toString(row));
            }
          }
        }
      }
    }

    private List<Object> domain(int column) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < STRINGS.length; i++) {
        values.add(isString[column] ? (Object) STRINGS[i] : (Object) NUMBERS[i]);
      }
      if (isNullable[column]) {
        values.add(null);
      }
      return values;
    }

    private byte[] key(PTable table, Object[] row) {
      byte[][] values = new byte[row.length][];
      for (int i = 0; i < row.length; i++) {
        SortOrder order = isDescending[i] ? SortOrder.DESC : SortOrder.ASC;
        values[i] =
            row[i] == null
                ? new byte[0]
                : isString[i]
                    ? PVarchar.INSTANCE.toBytes(row[i], order)
                    : PInteger.INSTANCE.toBytes(row[i], order);
      }
      ImmutableBytesPtr key = new ImmutableBytesPtr();
      table.newKey(key, values);
      return key.copyBytes();
    }

    List<String> describe() throws Exception {
      List<String> descriptions = new ArrayList<>();
      for (int i = 0; i < STATEMENTS; i++) {
        String where = condition(2);
        String description;
        switch (random.nextInt(6)) {
          case 0:
            description = explained("DELETE FROM W WHERE " + where);
            break;
          case 1:
            description = planned("SELECT /*+ INDEX(W W_I) */ * FROM W WHERE V = 5 AND " + where);
            break;
          case 2:
            description =
                planned(
                    "SELECT DISTINCT A, B FROM W WHERE " + where + " ORDER BY A DESC, B LIMIT 5");
            break;
          case 3:
            description =
                planned("SELECT C, COUNT(*) FROM W WHERE " + where + " GROUP BY C ORDER BY C DESC");
            break;
          default:
            description = planned("SELECT * FROM W WHERE " + where);
        }
        descriptions.add(description);
      }
      return descriptions;
    }

    private String planned(String sql) {
      StringBuilder description = new StringBuilder(explained(sql));
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
        ScanRanges ranges = plan.getContext().getScanRanges();
        description.append("\n  ").append(ranges);
        if (ranges == ScanRanges.NOTHING) {
          return description.toString();
        }
        plan.iterator();
        for (List<Scan> scans : plan.getScans()) {
          for (Scan scan : scans) {
            describe(scan, description);
          }
        }
        if (plan.getTableRef().getTable().getName().getString().equals("W")) {
          description.append("\n  ").append(found(plan));
        }
      } catch (SQLException | RuntimeException | java.io.IOException e) {
        description.append("\n  ").append(e);
      }
      return description.toString();
    }

    private static void describe(Scan scan, StringBuilder description) throws java.io.IOException {
      description
          .append("\n  ")
          .append(Bytes.toStringBinary(scan.getStartRow()))
          .append(" - ")
          .append(Bytes.toStringBinary(scan.getStopRow()))
          .append(' ')
          .append(new TreeSet<>(scan.getAttributesMap().keySet()))
          .append("\n  ")
          .append(
              scan.getFilter() == null
                  ? "no filter"
                  : Bytes.toStringBinary(scan.getFilter().toByteArray()));
    }

    private String explained(String sql) {
      StringBuilder description = new StringBuilder(sql);
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("EXPLAIN " + sql)) {
        while (result.next()) {
          description.append("\n  ").append(result.getString(1));
        }
      } catch (SQLException | RuntimeException e) {
        description.append("\n  ").append(e);
      }
      return description.toString();
    }

    /** Finds the rows region by region, as servers would. Regions start at random keys. */
    private List<String> found(QueryPlan plan) throws java.io.IOException {
      List<byte[]> keys = new ArrayList<>(rows.keySet());
      TreeSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      boundaries.add(new byte[0]);
      boundaries.add(keys.get(random.nextInt(keys.size())));
      boundaries.add(keys.get(random.nextInt(keys.size())));
      int part = 1 + random.nextInt(8);
      TreeMap<byte[], String> some = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      for (int i = 0; i < keys.size(); i += part) {
        some.put(keys.get(i), rows.get(keys.get(i)));
      }
      return SimulatedRegions.found(
          plan.getContext().getScanRanges(),
          plan.getContext().getScan(),
          boundaries,
          some,
          scan -> {},
          scan -> {});
    }

    private String condition(int depth) {
      int kind = depth == 0 ? 0 : random.nextInt(8);
      if (kind < 2) {
        return comparison();
      }
      return "("
          + condition(depth - 1)
          + (kind < 6 ? " AND " : " OR ")
          + condition(depth - 1)
          + ")";
    }

    private String comparison() {
      int column = random.nextInt(3);
      int columns = 2 + random.nextInt(2);
      int from = columns == 3 ? 0 : random.nextInt(2);
      String name = NAMES[column];
      switch (random.nextInt(10)) {
        case 8:
          return comparesColumns(column);
        case 9:
          return "CASE WHEN "
              + name
              + operator()
              + value(column)
              + " AND "
              + comparesColumns(column)
              + " THEN 1 ELSE 0 END = 1";
        case 0:
          return name + " IN (" + values(column, 2 + random.nextInt(3)) + ")";
        case 1:
          return rowValue(from, columns) + operator() + rowOfValues(from, columns);
        case 2:
          return rowValue(from, columns)
              + " IN ("
              + rowOfValues(from, columns)
              + ", "
              + rowOfValues(from, columns)
              + ")";
        case 3:
          return name + " BETWEEN " + value(column) + " AND " + value(column);
        case 4:
          return name + (random.nextBoolean() ? " IS NULL" : " IS NOT NULL");
        case 5:
          return isString[column]
              ? "SUBSTR(" + name + ", 1, 1)" + operator() + value(column)
              : name + operator() + value(column);
        case 6:
          return isString[column]
              ? name + " LIKE '" + STRINGS[random.nextInt(2)] + "%'"
              : name + operator() + "ANY(ARRAY[" + values(column, 2) + "])";
        default:
          return name + operator() + value(column);
      }
    }

    /**
     * Returns a comparison of two columns of the same type, or else of a column with itself. One
     * column may be descending.
     */
    private String comparesColumns(int column) {
      int other = (column + 1) % 3;
      return NAMES[column]
          + operator()
          + (isString[column] == isString[other] ? NAMES[other] : NAMES[column]);
    }

    private String operator() {
      return " " + OPERATORS[random.nextInt(OPERATORS.length)] + " ";
    }

    private String value(int column) {
      int i = random.nextInt(STRINGS.length);
      return isString[column] ? "'" + STRINGS[i] + "'" : String.valueOf(NUMBERS[i]);
    }

    private String values(int column, int count) {
      return IntStream.range(0, count)
          .mapToObj(i -> value(column))
          .collect(Collectors.joining(", "));
    }

    private static String rowValue(int from, int columns) {
      return "(" + String.join(", ", Arrays.asList(NAMES).subList(from, from + columns)) + ")";
    }

    private String rowOfValues(int from, int columns) {
      return IntStream.range(from, from + columns)
          .mapToObj(this::value)
          .collect(Collectors.joining(", ", "(", ")"));
    }
  }
}
