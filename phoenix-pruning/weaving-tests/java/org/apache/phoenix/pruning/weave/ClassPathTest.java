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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

/**
 * Checks that the tests' class path has the woven classes and not the originals, in every module.
 */
public class ClassPathTest {

  @Test
  public void holdsOneCopyOfPhoenixsClient() throws IOException {
    assertThat(copies("org/apache/phoenix/iterate/BaseResultIterators.class")).hasSize(1);
  }

  @Test
  public void holdsOneCopyOfPhoenixsServerAtMost() throws IOException {
    assertThat(copies("org/apache/phoenix/coprocessor/BaseScannerRegionObserver.class"))
        .hasSizeLessThanOrEqualTo(1);
  }

  private static List<URL> copies(String resource) throws IOException {
    return Collections.list(ClassPathTest.class.getClassLoader().getResources(resource));
  }
}
