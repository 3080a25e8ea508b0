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

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class DataFolderTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path dir() {
    return temporary.getRoot().toPath().resolve("data");
  }

  @Test
  public void aMissingFolderIsMadeAndKept() throws IOException {
    try (DataFolder folder = DataFolder.open(dir())) {
      assertThat(folder.isNew()).isTrue();
      Files.createDirectory(folder.path().resolve("hbase"));
    }
    try (DataFolder folder = DataFolder.open(dir())) {
      assertThat(folder.isNew()).isFalse();
      assertThat(folder.path().resolve("hbase")).isDirectory();
    }
  }

  @Test
  public void anEmptyFolderIsTaken() throws IOException {
    try (DataFolder folder = DataFolder.open(temporary.getRoot().toPath())) {
      assertThat(folder.isNew()).isTrue();
    }
  }

  @Test
  public void aDeletedFolderLeavesNothing() throws IOException {
    DataFolder folder = DataFolder.open(dir());
    Files.writeString(folder.path().resolve("log"), "text");

    folder.delete();

    assertThat(dir()).doesNotExist();
  }

  @Test
  public void aFolderIsOfOneUserAtATime() throws IOException {
    try (DataFolder first = DataFolder.open(dir())) {
      assertThat(first.isNew()).isTrue();
      assertRefused(dir(), "is in use by this process");
    }
  }

  @Test
  public void aFolderWithOtherFilesIsLeftAlone() throws IOException {
    Path other = temporary.newFile("letter").toPath();

    assertRefused(other.getParent(), "contains other files");
    assertThat(other.getParent()).isDirectoryContaining(file -> file.equals(other));
  }

  @Test
  public void aFileIsNoFolder() throws IOException {
    assertRefused(temporary.newFile("letter").toPath(), "is not a folder");
  }

  @Test
  public void aFolderUnderAFileCannotBeMade() throws IOException {
    assertRefused(temporary.newFile("letter").toPath().resolve("data"), "cannot be written");
  }

  /** Tests paths that HBase would interpret as another folder, which it would create. */
  @Test
  @Parameters({"a b", "a%b", "a%20b", "a#b", "a?b"})
  public void aFolderWithACharacterThatAUriEncodesIsRefused(String name) {
    assertRefused(temporary.getRoot().toPath().resolve(name), "has a character that HBase");
    assertThat(temporary.getRoot()).isEmptyDirectory();
  }

  private static void assertRefused(Path dir, String why) {
    assertThatThrownBy(() -> DataFolder.open(dir))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("--dir '" + dir + "' " + why)
        .hasMessageEndingWith(
            ". Expected a new or empty folder, or the folder of an earlier run. Choose another"
                + " folder");
  }
}
