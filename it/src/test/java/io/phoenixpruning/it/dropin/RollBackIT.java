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
package io.phoenixpruning.it.dropin;

import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestRule;

/**
 * Tests the drop-in jars together with stock's, as during an upgrade or a rollback of a cluster.
 */
public class RollBackIT {

  @ClassRule public static final HBaseProcesses HBASE = new HBaseProcesses("rollback", false, 1);

  @Rule public final TestRule logs = HBASE.logsOfFailures();

  @Test
  public void answersRightWithEachClientOnEachServer() throws Exception {
    Application ours = Application.withClientJar(HBASE, "SMOKE");
    Application stock = Application.withStock(HBASE, "SMOKE");

    ours.load();
    stock.query("stock-client-and-our-server");

    HBASE.restartWithStock();
    ours.query("our-client-and-stock-server");
    stock.query("stock-client-and-stock-server");
  }
}
