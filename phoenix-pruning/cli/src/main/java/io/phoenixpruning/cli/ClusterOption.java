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

import org.apache.phoenix.jdbc.PhoenixConnection;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --url} of the commands that need a running cluster. */
final class ClusterOption {

  static final String NAME = "--url";
  static final String LABEL = "URL";
  static final String DESCRIPTION =
      "The JDBC URL of a running cluster, such as jdbc:phoenix:localhost:2181.";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = NAME, required = true, paramLabel = LABEL, description = DESCRIPTION)
  private String url;

  /**
   * Connects to the cluster.
   *
   * @param cleanup receives steps that close the connection and delete temporary files
   */
  PhoenixConnection open(Cleanup cleanup) throws Exception {
    TemporaryFolder temporary = new TemporaryFolder("pruning-" + command.name() + "-");
    cleanup.add(temporary::delete);
    return Reachability.open(url, temporary.create(), cleanup).unwrap(PhoenixConnection.class);
  }
}
