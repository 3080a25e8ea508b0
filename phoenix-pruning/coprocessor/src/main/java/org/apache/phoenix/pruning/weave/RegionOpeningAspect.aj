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
package org.apache.phoenix.pruning.weave;

import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.pruning.server.StartupLog;

/**
 * Logs once per JVM that the server runs the jar of this project. Phoenix adds {@code
 * UngroupedAggregateRegionObserver} to each of its tables, and HBase calls {@code start} when a
 * region opens. So the line is in the log before a client sends a scan.
 */
public privileged aspect RegionOpeningAspect {

  after(CoprocessorEnvironment environment) returning :
      execution(void UngroupedAggregateRegionObserver.start(CoprocessorEnvironment))
      && args(environment) {
    StartupLog.regionOpened(environment);
  }
}
