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
package io.phoenixpruning.perf.harness;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.testing.ClusterConfiguration;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Class paths with stock's own jars, which are not on the class path of this JVM, and with this
 * module.
 */
public final class StockJars {

  private static final String FILE = "stock-classpath";

  private StockJars() {}

  /**
   * Returns {@link #classPath()} with the classes that start a server.
   *
   * @throws RefusedException if it has not been built
   */
  public static String serverClassPath() {
    return classPath() + File.pathSeparator + location(ClusterConfiguration.class);
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("The class path of " + type + " cannot be read", e);
    }
  }

  /**
   * Returns a class path with this module and stock's jars, and without ours.
   *
   * @throws RefusedException if it has not been built
   */
  public static String classPath() {
    try {
      Path own = location(StockJars.class);
      Path file = own.resolveSibling(FILE);
      if (!Files.exists(file)) {
        throw new RefusedException(
            "'%s' is missing. It lists stock Phoenix's jars. Build it with ./mvnw package"
                .formatted(file));
      }
      return own + File.pathSeparator + Files.readString(file).strip();
    } catch (IOException e) {
      throw new IllegalStateException("The class path of stock's jars cannot be read", e);
    }
  }
}
