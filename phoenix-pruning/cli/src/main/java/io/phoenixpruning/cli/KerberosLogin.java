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

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.KerberosAuthException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.apache.phoenix.thirdparty.com.google.common.base.Throwables;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * Logs in to clusters with Kerberos. Checks the settings and the user's credentials first, because
 * HBase's client would retry for many minutes.
 */
final class KerberosLogin {

  private static final String KERBEROS = "kerberos";

  private KerberosLogin() {}

  /**
   * Gives Hadoop the settings of hbase-site.xml. Hadoop itself reads only core-site.xml. Call this
   * method before Hadoop is asked for the current user.
   *
   * @throws RefusedException if Hadoop uses Kerberos, but the JVM has no Kerberos settings
   */
  static void configure() {
    Configuration configuration = HBaseConfiguration.create();
    if (!isKerberos(configuration, CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION)) {
      return;
    }
    try {
      UserGroupInformation.setConfiguration(configuration);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          "hadoop.security.authentication is kerberos, but Java has no Kerberos settings ("
              + OneLineErrors.messages(e)
              + "). Set up /etc/krb5.conf, or name another file with"
              + " PRUNING_OPTS=-Djava.security.krb5.conf=FILE",
          e);
    }
  }

  /**
   * Logs in the principal of {@code url}, if it has one, and checks the current user. Returns what
   * Phoenix knows of the cluster.
   *
   * @param connection the URL without a login
   * @throws RefusedException if the settings or the credentials do not fit
   */
  static ConnectionInfo login(String url, ConnectionInfo connection, Configuration configuration)
      throws SQLException, IOException {
    boolean isKerberos = isKerberos(configuration, User.HBASE_SECURITY_CONF_KEY);
    boolean hasKeytab = connection.getPrincipal() != null && connection.getKeytab() != null;
    if (hasKeytab && !isKerberos) {
      throw new RefusedException(
          "--url has a principal and a keytab, but hbase.security.authentication is not kerberos."
              + " Set HBASE_CONF_DIR to the folder with the cluster's hbase-site.xml");
    }
    if (isKerberos && !UserGroupInformation.isSecurityEnabled()) {
      throw new RefusedException(
          "hbase.security.authentication is kerberos, but hadoop.security.authentication is not."
              + " Set HADOOP_CONF_DIR to the folder with the cluster's core-site.xml");
    }
    ConnectionInfo loggedIn = login(url, connection);
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    if (isKerberos && !user.hasKerberosCredentials() && user.getTokens().isEmpty()) {
      throw new RefusedException(
          "hbase.security.authentication is kerberos, but user '"
              + user.getUserName()
              + "' has no ticket. Run kinit, or name a principal and a keytab in --url"
              + " (jdbc:phoenix:HOST:PORT:/hbase:PRINCIPAL:KEYTAB)");
    }
    return loggedIn;
  }

  private static ConnectionInfo login(String url, ConnectionInfo connection) throws SQLException {
    try {
      return ConnectionInfo.create(url, ReadOnlyProps.EMPTY_PROPS, new Properties());
    } catch (SQLException e) {
      if (e.getCause() instanceof KerberosAuthException failure) {
        throw new RefusedException(
            "principal '"
                + connection.getPrincipal()
                + "' cannot log in ("
                + Throwables.getRootCause(failure).getMessage()
                + "). Check its keytab '"
                + connection.getKeytab()
                + "' and krb5.conf",
            e);
      }
      throw e;
    }
  }

  private static boolean isKerberos(Configuration configuration, String key) {
    return KERBEROS.equalsIgnoreCase(configuration.getTrimmed(key));
  }
}
