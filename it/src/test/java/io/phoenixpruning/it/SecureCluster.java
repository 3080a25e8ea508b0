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
package io.phoenixpruning.it;

import io.phoenixpruning.testing.ParsedConfigurationFactory;
import java.io.File;
import java.security.PrivilegedExceptionAction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec;
import org.apache.hadoop.hbase.regionserver.wal.WALCellCodec;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.SecureTestUtil;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.junit.rules.ExternalResource;

/**
 * A cluster on which HBase checks the rights of users. The cluster needs a separate JVM, because
 * Phoenix keeps the state of a cluster in static fields.
 */
final class SecureCluster extends ExternalResource {

  /** Settings of a cluster, in addition to the checks of rights. */
  interface Setup {
    /** Configures the servers, and returns the settings of clients. */
    Map<String, String> configure(HBaseTestingUtility utility) throws Exception;
  }

  /** Makes Phoenix also check rights, but only rights to whole tables. */
  static final boolean PHOENIX_ACLS = Boolean.getBoolean(QueryServices.PHOENIX_ACLS_ENABLED);

  /** Outcome of a query that HBase refuses. */
  static final String DENIED = AccessDeniedException.class.getSimpleName();

  private final HBaseTestingUtility utility = new HBaseTestingUtility();
  private final Setup setup;

  SecureCluster() {
    this(utility -> Map.of());
  }

  /** Creates a cluster with additional settings of its servers. */
  SecureCluster(Setup setup) {
    this.setup = setup;
  }

  @Override
  protected void before() throws Throwable {
    Configuration configuration = utility.getConfiguration();
    SecureTestUtil.enableSecurity(configuration);
    configuration.setBoolean(QueryServices.PHOENIX_ACLS_ENABLED, PHOENIX_ACLS);
    configuration.set(WALCellCodec.WAL_CELL_CODEC_CLASS_KEY, IndexedWALEditCodec.class.getName());
    configuration.set(QueryServices.LOG_SALT_BUCKETS_ATTRIB, "1");
    // However busy the machine is, a probe reads every region in time.
    configuration.set("phoenix.pruning.probe.page.ms", "60000");
    ClusterTest.LOCAL_FILES.forEach(configuration::set);
    configuration.set(
        HConstants.HBASE_DIR,
        new File(utility.getDataTestDir("root").toString()).toURI().toString());
    ParsedConfigurationFactory.install(setup.configure(utility));
    utility.startMiniZKCluster();
    utility.startMiniHBaseCluster(StartMiniClusterOption.builder().build());
    utility.waitTableAvailable(PermissionStorage.ACL_TABLE_NAME);
    connect(PruningMode.EXACT).close();
  }

  @Override
  protected void after() {
    try {
      utility.shutdownMiniCluster();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  HBaseTestingUtility utility() {
    return utility;
  }

  /** Returns a user who may use Phoenix, but has no right to any table. */
  User user(String name) throws Exception {
    User user = User.createUserForTesting(utility.getConfiguration(), name, new String[0]);
    allowPhoenix(user);
    return user;
  }

  /** Grants the rights that each user of Phoenix needs. */
  void allowPhoenix(User user) throws Exception {
    for (TableName table : utility.getAdmin().listTableNames()) {
      if (table.getNameAsString().startsWith("SYSTEM.")) {
        grant(user, table, null, Permission.Action.READ, Permission.Action.EXEC);
      }
    }
  }

  /** Grants rights, and returns when all servers know them. */
  void grant(User user, TableName table, byte[] family, Permission.Action... actions)
      throws Exception {
    SecureTestUtil.grantOnTable(utility, user.getShortName(), table, family, null, actions);
  }

  /** Returns a connection of the current user. */
  Connection connect(PruningMode mode) throws Exception {
    return connect(Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT)));
  }

  /** Returns a connection of the current user with these options. */
  Connection connect(Map<String, String> options) throws Exception {
    Properties properties = new Properties();
    properties.putAll(options);
    // Nobody writes to a table while an index is created on it.
    properties.setProperty(QueryServices.INDEX_POPULATION_SLEEP_TIME, "0");
    properties.setProperty(QueryServices.DELAY_FOR_SCHEMA_UPDATE_CHECK, "50");
    properties.setProperty(QueryServices.NUM_RETRIES_FOR_SCHEMA_UPDATE_CHECK, "2000");
    return DriverManager.getConnection(
        "jdbc:phoenix:localhost:" + utility.getZkCluster().getClientPort(), properties);
  }

  /** Returns the rows of a query as text, or {@link #DENIED} if the user is denied access. */
  String outcome(User user, Map<String, String> options, String query) throws Exception {
    return runAs(
        user,
        () -> {
          try (Connection connection = connect(options);
              PreparedStatement statement = connection.prepareStatement(query);
              ResultSet result = statement.executeQuery()) {
            return ClusterTest.rows(result, query.contains("ORDER BY")).toString();
          } catch (SQLException e) {
            if (ExceptionUtils.indexOfType(e, AccessDeniedException.class) >= 0) {
              return DENIED;
            }
            throw e;
          }
        });
  }

  /** Runs an action as {@code user} and returns its result. */
  static <T> T runAs(User user, PrivilegedExceptionAction<T> action) throws Exception {
    return user.runAs(action);
  }
}
