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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

public class TemporaryFolderTest {

  private final TemporaryFolder folder = new TemporaryFolder("pruning-test-");

  @Test
  public void itIsDeletedWithAllThatIsInIt() throws IOException {
    Path path = folder.create();
    Files.writeString(Files.createDirectory(path.resolve("inner")).resolve("file"), "text");
    assertThat(folder.path()).contains(path);

    folder.delete();

    assertThat(path).doesNotExist();
  }

  @Test
  public void itIsNotMadeAfterItWasDeleted() throws IOException {
    folder.delete();

    assertThatThrownBy(folder::create).isInstanceOf(IllegalStateException.class);
    assertThat(folder.path()).isEmpty();
  }
}
