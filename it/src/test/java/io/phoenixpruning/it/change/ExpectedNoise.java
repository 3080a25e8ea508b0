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
package io.phoenixpruning.it.change;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/**
 * Turns off loggers that report each fault. The messages of thousands of faults would fill the
 * disk.
 */
final class ExpectedNoise implements AutoCloseable {

  private static final List<String> LOGGERS =
      List.of(
          "org.apache.hadoop.hbase",
          "org.apache.phoenix.cache",
          "org.apache.phoenix.coprocessor",
          "org.apache.phoenix.execute",
          "org.apache.phoenix.iterate",
          "org.apache.phoenix.memory",
          "org.apache.phoenix.pruning.server",
          "org.apache.phoenix.util");

  private final Map<String, Level> levels = new HashMap<>();

  ExpectedNoise() {
    for (String logger : LOGGERS) {
      levels.put(logger, LogManager.getLogger(logger).getLevel());
      Configurator.setLevel(logger, Level.OFF);
    }
  }

  @Override
  public void close() {
    levels.forEach(Configurator::setLevel);
  }
}
