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
package io.phoenixpruning.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class WholeFileTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path in(String name) {
    return temporary.getRoot().toPath().resolve(name);
  }

  @Test
  public void aNewFileHasTheUsualPermissions() throws IOException {
    Path file = in("new");
    WholeFile.write(file, "é\n");
    assertThat(file).hasContent("é\n");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(Files.getPosixFilePermissions(Files.createFile(in("usual"))));
  }

  @Test
  public void anExistingFileKeepsPermissionsAndLinks() throws IOException {
    Path file = Files.writeString(in("real"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    Path link = Files.createSymbolicLink(in("link"), file);
    WholeFile.write(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-rw-r--");
    assertThat(temporary.getRoot().list()).containsExactlyInAnyOrder("real", "link");
  }

  @Test
  public void noTemporaryFileIsLeftIfTheFileCannotBeWritten() throws IOException {
    Path folder = Files.createDirectory(in("folder"));
    Files.createFile(folder.resolve("inside"));
    assertThatThrownBy(() -> WholeFile.write(folder, "new")).isInstanceOf(IOException.class);
    assertThat(temporary.getRoot().list()).containsExactly("folder");
    assertThat(folder.resolve("inside")).exists();
  }
}
