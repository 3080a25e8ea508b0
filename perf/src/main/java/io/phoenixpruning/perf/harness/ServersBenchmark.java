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

import java.io.IOException;
import java.util.Set;
import picocli.CommandLine.Option;

/** A benchmark whose number of region servers is an option. */
public abstract class ServersBenchmark extends UrlBenchmark {

  /** Option for the number of region servers. */
  protected static final String SERVERS = "--servers";

  @Option(
      names = SERVERS,
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of region servers, 1 to 64. Default: ${DEFAULT-VALUE}.")
  private int servers;

  @Override
  protected void check() throws IOException {
    requireRange(SERVERS, servers, 1, 64);
    super.check();
  }

  @Override
  protected Set<String> serverOptions() {
    return Set.of(HEAP, SERVERS);
  }

  @Override
  protected final int servers() {
    return isQuick() ? Math.min(servers, 2) : servers;
  }

  @Override
  protected final String moreServersAdvice() {
    return ", or more --servers";
  }

  @Override
  protected final String fewerServersAdvice() {
    return ", or fewer --servers";
  }
}
