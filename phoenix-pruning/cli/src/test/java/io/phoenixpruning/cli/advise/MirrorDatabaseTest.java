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

import com.google.protobuf.ByteString;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.RegionLookup;
import io.phoenixpruning.cli.explain.ClusterlessPhoenix;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessor.generated.PTableProtos;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixDriver;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesImpl;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableImpl;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.stats.GuidePostsInfoBuilder;
import org.apache.phoenix.schema.stats.GuidePostsKey;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.transaction.TransactionFactory;
import org.apache.phoenix.util.ReadOnlyProps;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests copies of tables. The original tables are not on a cluster either. */
public class MirrorDatabaseTest {

  private static final String TABLE =
      """
      CREATE TABLE T (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W VARCHAR
        CONSTRAINT PK PRIMARY KEY (K1, K2))""";

  private static final String QUERY = "SELECT K1 FROM T WHERE V = 5 AND K1 = 15";

  private ClusterlessPhoenix original;

  @Before
  public void create() throws SQLException {
    original = ClusterlessPhoenix.create(PhoenixDriver.INSTANCE.getQueryServices());
  }

  @After
  public void close() throws SQLException {
    original.close();
  }

  private static void execute(PhoenixConnection connection, String... statements)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /**
   * Creates a table whose split points are {@code boundaries}: row keys or prefixes of row keys.
   */
  private void createTable(String ddl, List<byte[]> boundaries) throws SQLException {
    String binds = String.join(", ", boundaries.stream().map(boundary -> "?").toList());
    try (PreparedStatement create =
        original.connection().prepareStatement(ddl + " SPLIT ON (" + binds + ")")) {
      for (int i = 0; i < boundaries.size(); i++) {
        create.setBytes(i + 1, boundaries.get(i));
      }
      create.execute();
    }
  }

  private MirrorDatabase mirror(String... tables) throws SQLException {
    return MirrorDatabase.of(original.connection(), List.of(tables));
  }

  private static List<String> boundaries(PhoenixConnection connection, String physicalName)
      throws SQLException {
    return RegionLookup.currentRegions(connection.getQueryServices(), Bytes.toBytes(physicalName))
        .stream()
        .map(RegionInfo::getStartKey)
        .map(Bytes::toStringBinary)
        .toList();
  }

  private static String plan(PhoenixConnection connection, String sql) throws SQLException {
    return PlanSummary.of(connection, sql).toString();
  }

  private void assertSamePlan(MirrorDatabase mirror, String sql) throws SQLException {
    assertThat(plan(mirror.connection(), sql)).as(sql).isEqualTo(plan(original.connection(), sql));
  }

  /** Asserts that a server would send the same message for a table and for its copy. */
  private void assertSameTable(MirrorDatabase mirror, String name) throws SQLException {
    PTable copy = mirror.connection().getTable(name);
    PTable table = original.connection().getTable(name);
    assertThat(PTableImpl.toProto(copy)).isEqualTo(PTableImpl.toProto(table));
    assertThat(copy).isNotSameAs(table);
  }

  @Test
  public void twoMirrorsDoNotSeeEachOther() throws SQLException {
    execute(original.connection(), TABLE + " SPLIT ON (10, 20)");
    try (MirrorDatabase one = mirror("T");
        MirrorDatabase other = mirror()) {
      assertThatThrownBy(() -> PlanSummary.of(other.connection(), QUERY))
          .isInstanceOf(TableNotFoundException.class);
      execute(other.connection(), TABLE, "CREATE LOCAL INDEX I ON T (V)");

      assertThat(plan(other.connection(), QUERY))
          .isEqualTo("range scan of natural local index I of T: 1 of 1 region");
      assertThat(plan(one.connection(), QUERY)).isEqualTo("range scan of T: 1 region");
      assertSamePlan(one, QUERY);
    }
  }

  @Test
  public void anIndexCanBeTriedAndDropped() throws SQLException {
    execute(
        original.connection(),
        TABLE + " SPLIT ON (10, 20, 30)",
        "CREATE LOCAL INDEX OLD ON T (K1, V) INCLUDE (W)");
    try (MirrorDatabase mirror = mirror("T")) {
      execute(mirror.connection(), "CREATE LOCAL INDEX NEW ON T (V)", "DROP INDEX OLD ON T");

      assertThat(plan(mirror.connection(), QUERY))
          .isEqualTo(
              "range scan of natural local index NEW of T: 1 of 4 regions, 3 pruned by PRIMARY KEY");
      assertThat(plan(original.connection(), QUERY))
          .isEqualTo(
              "range scan of rearranged local index OLD of T: 1 of 4 regions, 3 pruned by PRIMARY KEY");
      assertThat(mirror.statisticsWarning(mirror.connection().getTable("NEW"))).isEmpty();
    }
    assertThat(original.connection().getTable("T").getIndexes())
        .extracting(index -> index.getName().getString())
        .containsExactly("OLD");
  }

  @Test
  public void copiesFiveThousandRegions() throws SQLException {
    createTable(
        TABLE, IntStream.range(1, 5_000).mapToObj(i -> PInteger.INSTANCE.toBytes(i * 3)).toList());
    execute(original.connection(), "CREATE LOCAL INDEX I ON T (V)");
    try (MirrorDatabase mirror = mirror("T")) {
      assertThat(boundaries(mirror.connection(), "T"))
          .hasSize(5_000)
          .isEqualTo(boundaries(original.connection(), "T"));
      assertThat(plan(mirror.connection(), QUERY))
          .isEqualTo(
              "range scan of natural local index I of T: 1 of 5000 regions, 4999 pruned by PRIMARY"
                  + " KEY");
      execute(mirror.connection(), "CREATE LOCAL INDEX J ON T (W)");
      assertThat(plan(mirror.connection(), "SELECT K1 FROM T WHERE W = 'w' AND K1 < 9"))
          .isEqualTo(
              "range scan of natural local index J of T: 3 of 5000 regions, 4997 pruned by PRIMARY"
                  + " KEY");
    }
  }

  @Test
  public void copiesSaltedTables() throws SQLException {
    execute(
        original.connection(),
        TABLE + " SALT_BUCKETS = 5",
        "CREATE LOCAL INDEX L ON T (V)",
        "CREATE INDEX G ON T (W) SPLIT ON ('g', 'm')");
    try (MirrorDatabase mirror = mirror("T")) {
      assertThat(boundaries(mirror.connection(), "T")).hasSize(5);
      assertSameTable(mirror, "T");
      assertThat(List.of("T", "G"))
          .allSatisfy(
              table ->
                  assertThat(boundaries(mirror.connection(), table))
                      .isEqualTo(boundaries(original.connection(), table)));
      assertSamePlan(mirror, QUERY);
      assertSamePlan(mirror, QUERY + " AND K2 = 7");
      assertSamePlan(mirror, "SELECT W FROM T WHERE W > 'h'");
    }
  }

  @Test
  public void metadataThatSqlCannotExpressIsCopied() throws SQLException {
    execute(
        original.connection(),
        """
        CREATE IMMUTABLE TABLE "s"."t" (TID VARCHAR NOT NULL, "k" DATE NOT NULL,
          L DECIMAL(9,2), A."v" VARCHAR(9), A.W CHAR(3), B.X INTEGER ARRAY, Y BINARY(5)
          CONSTRAINT PK PRIMARY KEY (TID, "k" DESC, L))
          MULTI_TENANT = true, DISABLE_WAL = true, DEFAULT_COLUMN_FAMILY = 'd',
          COLUMN_ENCODED_BYTES = 1,
          IMMUTABLE_STORAGE_SCHEME = SINGLE_CELL_ARRAY_WITH_OFFSETS SPLIT ON ('b', 'c')""",
        "CREATE LOCAL INDEX \"by_v\" ON \"s\".\"t\" (A.\"v\" DESC, UPPER(A.W)) INCLUDE (Y)",
        "CREATE INDEX G ON \"s\".\"t\" (A.\"v\")",
        "ALTER TABLE \"s\".\"t\" DROP COLUMN A.W");
    try (MirrorDatabase mirror = mirror("s.t")) {
      assertSameTable(mirror, "s.t");
      assertSamePlan(
          mirror,
          "SELECT \"k\" FROM \"s\".\"t\" WHERE A.\"v\" = 'x' AND TID = 'b1' AND \"k\" > CURRENT_DATE()");
    }
  }

  /** Returns the message that a server sends for {@code table} if schemas are namespaces. */
  private static PTableProtos.PTable inNamespace(PTableProtos.PTable table) {
    PTableProtos.PTable.Builder mapped = table.toBuilder().setIsNamespaceMapped(true);
    for (int i = 0; i < table.getPhysicalNamesCount(); i++) {
      mapped.setPhysicalNames(
          i, ByteString.copyFromUtf8(table.getPhysicalNames(i).toStringUtf8().replace('.', ':')));
    }
    for (int i = 0; i < table.getIndexesCount(); i++) {
      mapped.setIndexes(i, inNamespace(table.getIndexes(i)));
    }
    return mapped.build();
  }

  /**
   * Adds tables in namespaces by hand. Without a cluster, Phoenix does not create such tables, but
   * it plans statements on them.
   */
  @Test
  public void copiesTablesOfNamespaces() throws SQLException {
    execute(
        original.connection(),
        TABLE.replace(" T ", " NS.T "),
        "CREATE LOCAL INDEX L ON NS.T (V)",
        "CREATE INDEX G ON NS.T (W)");
    PTable table = original.connection().getTable("NS.T");
    original.close();
    QueryServices client =
        new QueryServicesImpl(
            new ReadOnlyProps(
                PhoenixDriver.INSTANCE.getQueryServices().getProps(),
                Map.of(QueryServices.IS_NAMESPACE_MAPPING_ENABLED, "true").entrySet().iterator()));
    original = ClusterlessPhoenix.create(client);
    original.addTable(PTableImpl.createFromProto(inNamespace(PTableImpl.toProto(table))));
    original.setRegions(
        Bytes.toBytes("NS:T"), Stream.of(10, 20, 30).map(PInteger.INSTANCE::toBytes).toList());
    original.setRegions(Bytes.toBytes("NS:G"), List.of(Bytes.toBytes("m")));
    try (MirrorDatabase mirror = mirror("NS.T")) {
      assertSameTable(mirror, "NS.T");
      assertThat(boundaries(mirror.connection(), "NS:T")).hasSize(4);
      assertThat(boundaries(mirror.connection(), "NS:G")).containsExactly("", "m");
      execute(mirror.connection(), "CREATE LOCAL INDEX J ON NS.T (W)", "DROP INDEX G ON NS.T");

      assertThat(plan(mirror.connection(), "SELECT K1 FROM NS.T WHERE V = 5 AND K1 = 15"))
          .isEqualTo(
              "range scan of natural local index NS.L of NS.T: 1 of 4 regions, 3 pruned by PRIMARY"
                  + " KEY");
      assertThat(plan(mirror.connection(), "SELECT K1 FROM NS.T WHERE W = 'w' AND K1 < 9"))
          .isEqualTo(
              "range scan of natural local index NS.J of NS.T: 1 of 4 regions, 3 pruned by PRIMARY"
                  + " KEY");
    }
    client.close();
  }

  @Test
  public void copiesTheStatisticsOfAllFamilies() throws SQLException {
    execute(
        original.connection(),
        "CREATE TABLE T (K INTEGER PRIMARY KEY, A.V INTEGER, B.W INTEGER)",
        "CREATE LOCAL INDEX L ON T (A.V) INCLUDE (B.W)",
        "CREATE INDEX G ON T (B.W)");
    List<GuidePostsKey> keys = new ArrayList<>();
    for (String place : List.of("T A", "T B", "T L#B", "G 0")) {
      String[] names = place.split(" ");
      GuidePostsKey key = new GuidePostsKey(Bytes.toBytes(names[0]), Bytes.toBytes(names[1]));
      GuidePostsInfoBuilder guideposts = new GuidePostsInfoBuilder();
      guideposts.trackGuidePost(
          new ImmutableBytesWritable(PInteger.INSTANCE.toBytes(7)), 100, 10, keys.size() + 1);
      original.setStatistics(key, guideposts.build());
      keys.add(key);
    }
    try (MirrorDatabase mirror = mirror("T")) {
      ConnectionQueryServices copies = mirror.connection().getQueryServices();
      ConnectionQueryServices originals = original.connection().getQueryServices();
      assertThat(keys)
          .allSatisfy(
              key -> {
                assertThat(copies.getTableStats(key).getRowCounts()).containsExactly(10);
                assertThat(copies.getTableStats(key)).isSameAs(originals.getTableStats(key));
              });
    }
  }

  private void assertRefused(String table, String message) {
    assertThatThrownBy(() -> mirror(table))
        .isInstanceOf(RefusedException.class)
        .hasMessage(message);
  }

  @Test
  public void onlyTablesAreCopied() throws SQLException {
    execute(
        original.connection(),
        TABLE,
        "CREATE VIEW \"v\" AS SELECT * FROM T WHERE K1 = 1",
        "CREATE LOCAL INDEX I ON T (V)");
    assertRefused(
        "v",
        "\"v\" is a view. Expected a table. Leave out the statements that read it, or let them read"
            + " T");
    assertRefused("I", "I is an index. Expected a table. Let statements read T");
    assertRefused(
        "SYSTEM.CATALOG",
        "SYSTEM.CATALOG is one of Phoenix's own tables. Expected another table. Leave out the"
            + " statements that read it");
    assertRefused("S.NONE", "there is no table S.NONE. Correct its name, or create it");
  }

  @Test
  public void transactionalTablesAreRefused() throws SQLException {
    execute(original.connection(), TABLE);
    original.addTable(
        PTableImpl.createFromProto(
            PTableImpl.toProto(original.connection().getTable("T")).toBuilder()
                .setTransactionProvider(TransactionFactory.Provider.OMID.getCode())
                .build()));
    assertRefused(
        "T",
        "T is transactional and cannot be planned without its transaction manager. Leave out the"
            + " statements that read it");
  }

  @Test
  public void theConnectionOfATenantIsRefused() throws SQLException {
    try (Connection tenant = DriverManager.getConnection("jdbc:phoenix:none;TenantId=x")) {
      assertThatThrownBy(
              () -> MirrorDatabase.of(tenant.unwrap(PhoenixConnection.class), List.of("T")))
          .isInstanceOf(RefusedException.class)
          .hasMessage(
              "the connection has TenantId=x, but the rows of all tenants are needed. Leave"
                  + " TenantId out of its URL");
    }
  }
}
