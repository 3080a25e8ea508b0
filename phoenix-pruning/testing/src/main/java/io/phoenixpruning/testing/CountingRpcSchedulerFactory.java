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
package io.phoenixpruning.testing;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.RSRpcServices;
import org.apache.hadoop.hbase.regionserver.RpcSchedulerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates schedulers that count the Scan RPCs of a region server for {@link ScanRpcCounter}. Apart
 * from this, they schedule like the schedulers of {@link PhoenixRpcSchedulerFactory}. Set {@link
 * #CONFIGURATION_KEY} to the name of this class.
 */
public final class CountingRpcSchedulerFactory implements RpcSchedulerFactory {

  /** Region server setting with the class name of the scheduler factory. */
  public static final String CONFIGURATION_KEY =
      RSRpcServices.REGION_SERVER_RPC_SCHEDULER_FACTORY_CLASS;

  @Override
  public RpcScheduler create(
      Configuration conf, PriorityFunction priority, @Nullable Abortable server) {
    RpcScheduler scheduler = new PhoenixRpcSchedulerFactory().create(conf, priority, server);
    // On a region server, the priority function is the RPC services. Other servers have no
    // scanners.
    ScanRpcTally tally =
        new ScanRpcTally(
            id -> priority instanceof RSRpcServices services ? tableOf(services, id) : null);
    return new CountingRpcScheduler(scheduler, tally);
  }

  @Deprecated
  @Override
  public RpcScheduler create(Configuration conf, PriorityFunction priority) {
    return create(conf, priority, null);
  }

  /**
   * Returns the table of a scanner, or null if the scanner is not open. HBase provides the table
   * only in a text such as {@code table: T region: ...}. Table names have no spaces.
   */
  private static @Nullable TableName tableOf(RSRpcServices services, long scannerId) {
    String details = services.getScanDetailsWithId(scannerId);
    return details == null ? null : TableName.valueOf(details.split(" ", 3)[1]);
  }
}
