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

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** A folder in which a cluster keeps its data from one run to the next; one process at a time. */
final class DataFolder implements AutoCloseable {

  /** In every data folder; locked while a process uses it. */
  private static final String MARKER = ".pruning-data";

  private final Path path;
  private final boolean isNew;
  private final FileChannel marker;

  private DataFolder(Path path, boolean isNew, FileChannel marker) {
    this.path = path;
    this.isNew = isNew;
    this.marker = marker;
  }

  /**
   * Takes {@code folder}, which is made if it does not exist.
   *
   * @throws RefusedException if it is no folder for this, or another process has it
   */
  static DataFolder open(Path folder) {
    if (folder.toString().isEmpty()) {
      throw refused("empty", "names no folder", null);
    }
    Path path = folder.toAbsolutePath().normalize();
    if (!PlainPath.isPlain(path)) {
      throw refused(path, "has a character that HBase does not accept, such as a blank", null);
    }
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw refused(path, "is not a folder", null);
    }
    try {
      boolean isNew = !Files.exists(path.resolve(MARKER));
      if (isNew && Files.exists(path) && !isEmpty(path)) {
        throw refused(path, "holds other files", null);
      }
      Files.createDirectories(path);
      return new DataFolder(path, isNew, lock(path));
    } catch (IOException e) {
      throw refused(path, "cannot be written (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel marker =
        FileChannel.open(
            folder.resolve(MARKER), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      FileLock lock = marker.tryLock();
      locked = lock != null;
    } catch (OverlappingFileLockException ofThisJvm) {
      throw refused(folder, "is in use by this process", ofThisJvm);
    } finally {
      if (!locked) {
        marker.close();
      }
    }
    if (!locked) {
      throw refused(folder, "is in use by another process: end that", null);
    }
    return marker;
  }

  private static RefusedException refused(Object path, String what, Exception cause) {
    return new RefusedException(
        "--dir is "
            + path
            + ", which "
            + what
            + ", but has to be a folder of this command, empty or missing: choose another",
        cause);
  }

  Path path() {
    return path;
  }

  /** Whether nothing has been kept here yet. */
  boolean isNew() {
    return isNew;
  }

  /** Deletes the folder and all that is in it. */
  void delete() throws IOException {
    close();
    Deletion.of(path);
  }

  /** Lets others take the folder. */
  @Override
  public void close() throws IOException {
    marker.close();
  }
}
