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
package org.apache.phoenix.pruning.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ServerModeTest {

  private static boolean isStock(String mode) {
    Configuration configuration = new Configuration(false);
    if (mode != null) {
      configuration.set(PruningOptions.MODE, mode);
    }
    return ServerMode.isStock(configuration);
  }

  private static List<String> stockModes() {
    return List.of("stock", "STOCK", "Stock", " stock\n");
  }

  @Test
  @Parameters(method = "stockModes")
  public void isStockIfConfigured(String mode) {
    assertThat(isStock(mode)).isTrue();
  }

  private static String[][] otherModes() {
    return new String[][] {{null}, {""}, {"exact"}, {"none"}, {"stok"}, {"stock,exact"}, {"${x}"}};
  }

  /** All other values select the strict check, which loses no row. */
  @Test
  @Parameters(method = "otherModes")
  public void isNotStockOtherwise(String mode) {
    assertThat(isStock(mode)).isFalse();
  }

  @Test
  public void allowsPatches() {
    Configuration configuration = new Configuration(false);
    assertThat(ServerMode.allowedPatches(configuration)).isSameAs(PatchSet.ALL);
    configuration.set(PruningOptions.PATCHES, " none,+key-order\n");
    assertThat(ServerMode.allowedPatches(configuration)).hasToString("none,+key-order");
    configuration.set(PruningOptions.PATCHES, "local-index,-of-another-version,-key-order");
    assertThat(ServerMode.allowedPatches(configuration)).hasToString("local-index,-key-order");
    configuration.set(PruningOptions.PATCHES, "every");
    assertThat(ServerMode.allowedPatches(configuration)).isSameAs(PatchSet.ALL);
  }
}
