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
package io.phoenixpruning.perf.harness.cluster;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * Runs ZooKeeper and an HBase master in this process. Arguments: the cluster's folder, and the
 * number of region servers to wait for. Reports the port of ZooKeeper when region servers can
 * connect.
 */
final class MasterMain {

  private MasterMain() {}

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = ServerMain.configuration(arguments[0]);
    configuration.setInt(HConstants.MASTER_PORT, 0);
    configuration.set("hbase.master.wait.on.regionservers.mintostart", arguments[1]);
    configuration.set("hbase.master.wait.on.regionservers.maxtostart", arguments[1]);
    int port =
        new MiniZooKeeperCluster(configuration)
            .startup(Path.of(arguments[0], "zookeeper").toFile());
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port);
    Thread master = JVMClusterUtil.createMasterThread(configuration, HMaster.class, 0);
    master.start();
    ServerMain.run(master, Integer.toString(port));
  }
}
