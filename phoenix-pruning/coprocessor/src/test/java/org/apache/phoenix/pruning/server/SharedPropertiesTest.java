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
package org.apache.phoenix.pruning.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.apache.phoenix.util.ReadOnlyProps;
import org.junit.Test;

public class SharedPropertiesTest {

  private static ReadOnlyProps properties(String value) {
    return new ReadOnlyProps(Collections.singletonMap("SharedPropertiesTest", value));
  }

  @Test
  public void theSameAreShared() {
    ReadOnlyProps first = properties("a");
    assertThat(SharedProperties.share(first)).isSameAs(first);
    assertThat(SharedProperties.share(properties("a"))).isSameAs(first);
    ReadOnlyProps other = properties("b");
    assertThat(SharedProperties.share(other)).isSameAs(other);
    assertThat(SharedProperties.share(properties("a"))).isSameAs(first);
  }
}
