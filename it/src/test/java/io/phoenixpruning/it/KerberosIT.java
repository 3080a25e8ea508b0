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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.check.CheckResult;
import io.phoenixpruning.cli.check.CheckedTable;
import io.phoenixpruning.cli.check.TableCheck;
import io.phoenixpruning.cli.layout.TableArgument;
import io.phoenixpruning.it.cli.ScriptCheckout;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.HBaseKerberosUtils;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.token.ClientTokenUtil;
import org.apache.hadoop.hbase.security.token.TokenProvider;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;
import org.junit.rules.RuleChain;
import org.junit.rules.TemporaryFolder;

/**
 * Tests a cluster whose servers and users log in with Kerberos, and whose RPCs are encrypted. A
 * user who may read a table gets its rows along a local index, with a ticket or with a delegation
 * token. Other users are refused. The command line logs in with a ticket or with a keytab.
 */
public class KerberosIT {

  /** The key distribution centre, and the principals of the servers and of two users. */
  private static final class Kerberos extends ExternalResource {

    private static final String SERVER = "hbase/localhost";

    private final TemporaryFolder folder = new TemporaryFolder();
    private MiniKdc centre;
    private String keytab;

    @Override
    protected void before() throws Throwable {
      folder.create();
      centre = new MiniKdc(MiniKdc.createConf(), folder.newFolder());
      centre.start();
      keytab = folder.newFile().getPath();
      centre.createPrincipal(new File(keytab), SERVER, READER, NOBODY);
    }

    /** Returns the settings of clients in core-site.xml. */
    private static Map<String, String> hadoop() {
      return Map.of(
          CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "kerberos",
          CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, "true");
    }

    /** Returns the settings of clients in hbase-site.xml. */
    private Map<String, String> hbase() {
      return Map.of(
          User.HBASE_SECURITY_CONF_KEY,
          "kerberos",
          User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY,
          "true",
          HBaseKerberosUtils.KRB_PRINCIPAL,
          principal(SERVER),
          HBaseKerberosUtils.MASTER_KRB_PRINCIPAL,
          principal(SERVER),
          "hbase.rpc.protection",
          "privacy");
    }

    /** Configures and logs in the servers, and returns the settings of clients. */
    Map<String, String> configure(HBaseTestingUtility utility) throws IOException {
      Map<String, String> settings = new HashMap<>(hadoop());
      settings.putAll(hbase());
      Configuration configuration = utility.getConfiguration();
      settings.forEach(configuration::set);
      configuration.set(HBaseKerberosUtils.KRB_KEYTAB_FILE, keytab);
      configuration.set("hbase.master.keytab.file", keytab);
      configuration.set("hbase.superuser", "hbase");
      configuration.set(
          CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
          configuration.get(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY)
              + ","
              + TokenProvider.class.getName());
      UserGroupInformation.setConfiguration(configuration);
      UserGroupInformation.loginUserFromKeytab(principal(SERVER), keytab);
      return settings;
    }

    private String principal(String name) {
      return name + "@" + centre.getRealm();
    }

    User login(String name) throws IOException {
      return User.create(
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(name), keytab));
    }

    /** Writes a ticket of a user to a file, as kinit does. */
    void writeTicket(String name, Path file) throws Exception {
      KrbClient client = new KrbClient(centre.getKrb5conf().getParentFile());
      client.init();
      client.storeTicket(client.requestTgt(principal(name), new File(keytab)), file.toFile());
    }

    @Override
    protected void after() {
      UserGroupInformation.reset();
      centre.stop();
      folder.delete();
    }
  }

  private static final String READER = "reader";
  private static final String NOBODY = "nobody";
  private static final TableName TABLE = TableName.valueOf("PAYROLL");
  private static final int REGIONS = 10;

  private static final Kerberos KERBEROS = new Kerberos();
  private static final SecureCluster CLUSTER = new SecureCluster(KERBEROS::configure);

  /** The servers stop before Kerberos does. They log in again and again. */
  @ClassRule public static final RuleChain RULES = RuleChain.outerRule(KERBEROS).around(CLUSTER);

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static final String OF_THREE_KEYS =
      "SELECT /*+ INDEX(%1$s %1$s_V) */ K, W FROM %1$s WHERE V = 3 AND K IN (3, 45, 75)";

  /** Three rows of three regions. */
  private static final String RARE = "SELECT /*+ INDEX(%1$s %1$s_V) */ K, W FROM %1$s WHERE V = 50";

  private static final List<String> QUERIES =
      List.of(
          OF_THREE_KEYS,
          RARE,
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K, V FROM %1$s WHERE V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K, W FROM %1$s WHERE V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K FROM %1$s WHERE V = 99",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ V, COUNT(*) FROM %1$s WHERE V > 2 GROUP BY V");

  private static User reader;
  private static User nobody;

  /** User {@link #reader} with only a delegation token, which is what a task of MapReduce has. */
  private static User readerWithToken;

  @BeforeClass
  public static void createTable() throws Exception {
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      ClusterTest.execute(
          connection,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) SPLIT ON (%s)"
              .formatted(TABLE, ClusterTest.splits(REGIONS, 10)),
          "CREATE LOCAL INDEX %1$s_V ON %1$s (V)".formatted(TABLE));
      ClusterTest.upsertRows(
          connection,
          TABLE.getNameAsString(),
          10 * REGIONS,
          k -> List.of(k, k % 40 == 15 ? 50 : k % 6, 7 * k));
    }
    reader = KERBEROS.login(READER);
    nobody = KERBEROS.login(NOBODY);
    CLUSTER.allowPhoenix(reader);
    CLUSTER.allowPhoenix(nobody);
    CLUSTER.grant(reader, TABLE, null, Permission.Action.READ);
    readerWithToken = User.create(UserGroupInformation.createRemoteUser(READER));
    readerWithToken.addToken(
        SecureCluster.runAs(
            reader,
            () -> {
              try (org.apache.hadoop.hbase.client.Connection connection =
                  ConnectionFactory.createConnection(CLUSTER.utility().getConfiguration())) {
                return ClientTokenUtil.obtainToken(connection);
              }
            }));
  }

  private static Map<String, Map<String, String>> variants() {
    Map<String, Map<String, String>> variants = new LinkedHashMap<>();
    for (PruningMode mode : PruningMode.values()) {
      variants.put(mode.name(), Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT)));
    }
    variants.put("verify", Map.of(PruningOptions.VERIFY, "true"));
    variants.put("probes", Map.of(PruningOptions.PROBE_MIN_REGIONS, "2"));
    variants.put(
        "probes without rows",
        Map.of(PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.PROBE_ROWS_KB, "0"));
    return variants;
  }

  @Test
  public void givesReadersTheRowsOfTheTable() throws Exception {
    assertThat(reader.getUGI().hasKerberosCredentials()).isTrue();
    assertThat(readerWithToken.getUGI().hasKerberosCredentials()).isFalse();
    for (String query : QUERIES) {
      String sql = query.formatted(TABLE);
      String right =
          CLUSTER.outcome(reader, Map.of(), sql.replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX"));
      assertThat(right).as(sql).isNotEqualTo(SecureCluster.DENIED);
      for (Map.Entry<String, Map<String, String>> variant : variants().entrySet()) {
        for (User user : List.of(reader, readerWithToken)) {
          assertThat(CLUSTER.outcome(user, variant.getValue(), sql))
              .as("%s, %s: %s", user.getUGI(), variant.getKey(), sql)
              .isEqualTo(right);
        }
      }
    }
  }

  @Test
  public void deniesWhoMayNotRead() throws Exception {
    for (String query : QUERIES) {
      for (Map.Entry<String, Map<String, String>> variant : variants().entrySet()) {
        assertThat(CLUSTER.outcome(nobody, variant.getValue(), query.formatted(TABLE)))
            .as("%s: %s", variant.getKey(), query)
            .isEqualTo(SecureCluster.DENIED);
      }
    }
  }

  /** A client without a ticket fails. A client that claims a name is refused by the servers. */
  @Test
  public void refusesAUserWithoutATicket() throws Exception {
    User withoutTicket = User.create(UserGroupInformation.createRemoteUser(READER));
    Map<String, String> oneTry = Map.of(HConstants.HBASE_CLIENT_RETRIES_NUMBER, "1");
    assertThatThrownBy(() -> CLUSTER.outcome(withoutTicket, oneTry, RARE.formatted(TABLE)))
        .hasStackTraceContaining("Found no valid authentication method");
    Configuration simple = new Configuration(CLUSTER.utility().getConfiguration());
    simple.set(User.HBASE_SECURITY_CONF_KEY, "simple");
    simple.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    assertThatThrownBy(() -> scan(withoutTicket, simple))
        .hasStackTraceContaining("Connection closed");
    assertThat(scan(reader, CLUSTER.utility().getConfiguration())).isTrue();
  }

  /** Scans the table with HBase's client. */
  private static boolean scan(User user, Configuration configuration) throws Exception {
    return SecureCluster.runAs(
        user,
        () -> {
          try (org.apache.hadoop.hbase.client.Connection connection =
                  ConnectionFactory.createConnection(configuration);
              Table table = connection.getTable(TABLE);
              ResultScanner rows = table.getScanner(new Scan())) {
            return rows.next() != null;
          }
        });
  }

  @Test
  public void plansOnlyTheRegionsOfTheKeys() throws Exception {
    Map<PruningMode, Long> planned = Map.of(PruningMode.EXACT, 3L, PruningMode.NONE, 10L);
    for (Map.Entry<PruningMode, Long> mode : planned.entrySet()) {
      String name = mode.getKey().name().toLowerCase(Locale.ROOT);
      assertThat(metrics(Map.of(PruningOptions.MODE, name), OF_THREE_KEYS))
          .as(name)
          .containsEntry(PruningMetric.REGIONS_PLANNED, mode.getValue());
    }
  }

  /** A probe is sent with the credentials of the user. */
  @Test
  public void probesSkipRegions() throws Exception {
    assertThat(
            metrics(
                Map.of(PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.PROBE_ROWS_KB, "0"),
                RARE))
        .containsEntry(PruningMetric.REGIONS_PLANNED, (long) REGIONS)
        .containsEntry(PruningMetric.REGIONS_SKIPPED_BY_PROBE, REGIONS - 3L)
        .containsEntry(PruningMetric.PROBE_FAILED, 0L);
  }

  /** Returns the metrics of a query of the reader that finds three rows. */
  private static Map<PruningMetric, Long> metrics(Map<String, String> options, String query)
      throws Exception {
    return SecureCluster.runAs(
        reader,
        () -> {
          try (Connection connection = CLUSTER.connect(options);
              PreparedStatement statement = connection.prepareStatement(query.formatted(TABLE));
              ResultSet result = statement.executeQuery()) {
            assertThat(ClusterTest.rows(result, false)).hasSize(3);
            return ClientPruningMetrics.of(result);
          }
        });
  }

  @Test
  public void comparesIndexesForReaders() throws Exception {
    for (User user : List.of(reader, readerWithToken)) {
      CheckResult result = check(user);
      assertThat(result.rows()).isEqualTo(10 * REGIONS);
      assertThat(result.differences()).isEmpty();
      assertThat(result.regionsComparedByClient()).isZero();
    }
    assertThatThrownBy(() -> check(nobody))
        .satisfies(
            e ->
                assertThat(ExceptionUtils.indexOfType(e, AccessDeniedException.class))
                    .isNotNegative());
  }

  private static CheckResult check(User user) throws Exception {
    return SecureCluster.runAs(
        user,
        () -> {
          try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
            CheckedTable checked =
                CheckedTable.find(
                    connection.unwrap(PhoenixConnection.class),
                    TableArgument.parse(TABLE.getNameAsString()));
            return new TableCheck(checked).check(done -> {});
          }
        });
  }

  /** Creates a folder with log settings, which the command line must not use. */
  private Path confFolder() throws IOException {
    Path conf = folder.newFolder().toPath();
    Files.writeString(
        conf.resolve("log4j2.properties"),
        """
        rootLogger = DEBUG,FILE
        appender.FILE.type = File
        appender.FILE.name = FILE
        appender.FILE.fileName = %s
        appender.FILE.layout.type = PatternLayout
        """
            .formatted(log(conf)));
    return conf;
  }

  private static Path log(Path conf) {
    return conf.resolve("hbase.log");
  }

  private static Path write(Map<String, String> settings, Path conf, String file)
      throws IOException {
    Configuration configuration = new Configuration(false);
    settings.forEach(configuration::set);
    try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
      configuration.writeXml(out);
    }
    return conf;
  }

  private static String url() {
    return "jdbc:phoenix:localhost:" + CLUSTER.utility().getZkCluster().getClientPort();
  }

  private static String urlWithKeytab(String user) {
    return url() + ":/hbase:" + KERBEROS.principal(user) + ":" + KERBEROS.keytab;
  }

  /** Runs {@code ./pruning check}. Returns the lines that it printed, and the exit code. */
  private List<String> runCheck(String url, Map<String, Path> variables) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("KRB5CCNAME", new File(folder.getRoot(), "missing").getPath());
    environment.put(
        "PRUNING_OPTS",
        "-Djava.security.krb5.conf=" + System.getProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF));
    variables.forEach((name, path) -> environment.put(name, path.toString()));
    Process process =
        new ScriptCheckout(folder.newFolder().toPath())
            .start(environment, "check", "--url", url, TABLE.getNameAsString());
    List<String> lines = new ArrayList<>(ScriptCheckout.lines(process));
    lines.removeIf(
        line -> line.equals(ScriptCheckout.BUILDING) || line.startsWith("Compare the indexes of "));
    lines.add("exit code " + process.exitValue());
    return lines;
  }

  private static void assertConsistent(List<String> lines) {
    assertThat(lines)
        .containsExactly(
            "PAYROLL_V on PAYROLL: 100 entries, consistent",
            "10 regions with 100 rows compared by the servers; no row crossed the network",
            "exit code 0");
  }

  private static void assertFailed(int exitCode, String why, List<String> lines) {
    assertThat(lines).hasSize(2).endsWith("exit code " + exitCode);
    assertThat(lines.get(0)).startsWith("pruning check: ").contains(why);
  }

  @Test
  public void theCommandLineLogsInWithAKeytab() throws Exception {
    Path hbase = write(KERBEROS.hbase(), confFolder(), "hbase-site.xml");
    Path hadoop = write(Kerberos.hadoop(), confFolder(), "core-site.xml");
    Map<String, Path> variables = Map.of("HBASE_CONF_DIR", hbase, "HADOOP_CONF_DIR", hadoop);

    assertConsistent(runCheck(urlWithKeytab(READER), variables));
    assertThat(log(hbase)).doesNotExist();
    assertThat(log(hadoop)).doesNotExist();
    assertFailed(1, "Insufficient permissions", runCheck(urlWithKeytab(NOBODY), variables));
    assertFailed(
        2,
        "principal 'unknown@EXAMPLE.COM' cannot log in",
        runCheck(urlWithKeytab("unknown"), variables));
  }

  @Test
  public void theCommandLineUsesATicket() throws Exception {
    Path conf = write(KERBEROS.hbase(), confFolder(), "hbase-site.xml");
    write(Kerberos.hadoop(), conf, "core-site.xml");
    Path ticket = conf.resolve("ticket");
    KERBEROS.writeTicket(READER, ticket);

    assertConsistent(runCheck(url(), Map.of("HBASE_CONF_DIR", conf, "KRB5CCNAME", ticket)));
    assertFailed(2, "has no ticket. Run kinit", runCheck(url(), Map.of("HBASE_CONF_DIR", conf)));
  }

  /** Many clusters have no core-site.xml next to hbase-site.xml. */
  @Test
  public void theCommandLineTakesHadoopsSettingsFromHBases() throws Exception {
    Path conf = confFolder();
    Map<String, String> settings = new HashMap<>(KERBEROS.hbase());
    settings.putAll(Kerberos.hadoop());
    write(settings, conf, "hbase-site.xml");
    Path ticket = conf.resolve("ticket");
    KERBEROS.writeTicket(READER, ticket);

    assertConsistent(runCheck(url(), Map.of("HBASE_CONF_DIR", conf, "KRB5CCNAME", ticket)));
    assertConsistent(runCheck(urlWithKeytab(READER), Map.of("HBASE_CONF_DIR", conf)));
  }

  @Test
  public void theCommandLineNeedsTheSettingsOfTheCluster() throws Exception {
    assertFailed(
        2,
        "hbase.security.authentication is not kerberos. Set HBASE_CONF_DIR",
        runCheck(urlWithKeytab(READER), Map.of()));
    Path conf = write(KERBEROS.hbase(), confFolder(), "hbase-site.xml");
    assertFailed(
        2,
        "hadoop.security.authentication is not. Set HADOOP_CONF_DIR",
        runCheck(urlWithKeytab(READER), Map.of("HBASE_CONF_DIR", conf)));
    // A client without Kerberos retries until a timeout.
    assertFailed(
        2,
        "does not answer within 30 s. Correct the URL, or start HBase. A cluster with Kerberos"
            + " needs HBASE_CONF_DIR",
        runCheck(url(), Map.of()));
  }
}
