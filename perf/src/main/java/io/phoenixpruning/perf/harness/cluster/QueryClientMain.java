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

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs a client in this process, with the jars on its class path: ours or stock's. Therefore this
 * class must not use any class of ours. Arguments: the JDBC URL, and the properties of all
 * connections, each as {@code name=value}.
 */
final class QueryClientMain {

  private QueryClientMain() {}

  public static void main(String[] arguments) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(
            new QueryClient(arguments[0], properties(arguments)), QueryClientMXBean.NAME);
    ServerMain.reportReady("client");
  }

  private static Map<String, String> properties(String[] arguments) {
    Map<String, String> properties = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      String[] property = arguments[i].split("=", 2);
      properties.put(property[0], property[1]);
    }
    return properties;
  }
}
