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
package org.apache.phoenix.pruning.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

public class ScanStepsTest {

  private final List<String> steps = new ArrayList<>(Collections.singletonList("JOIN"));
  private final ScanSteps added = new ScanSteps(steps);

  @Test
  public void addsCandidatesAfterTheLineOfTheScan() {
    steps.add("SCAN");
    steps.add("    SERVER FILTER");
    added.addCandidates(Arrays.asList("A", "B"));
    assertThat(steps).containsExactly("JOIN", "SCAN", "    A", "    B", "    SERVER FILTER");
  }

  @Test
  public void addsNothingToOtherScans() {
    added.addCandidates(Collections.emptyList());
    ScanAttributes attributes = ScanAttributes.NONE.withLocations(Collections.emptyList());
    assertThat(added.addReport(null, attributes)).isSameAs(attributes);
    assertThat(steps).containsExactly("JOIN");
    assertThat(attributes.locations()).isEmpty();
    assertThat(attributes.regionsPlanned()).isNull();
    assertThat(attributes.probe()).isNull();
  }
}
