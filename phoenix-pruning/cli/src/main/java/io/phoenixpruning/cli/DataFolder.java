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

import io.phoenixpruning.cli.console.RefusedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder that keeps the data of a cluster between runs. Only one process at a time can use a
 * folder.
 */
final class DataFolder implements AutoCloseable {

  /** Name of a file in every data folder. A process that uses the folder locks this file. */
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
   * Locks {@code folder} for this process. Creates the folder if it does not exist.
   *
   * @throws RefusedException if {@code folder} cannot hold the data of a cluster or is in use
   */
  static DataFolder open(Path folder) {
    if (folder.toString().isEmpty()) {
      throw refused("", "names no folder", null);
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
        throw refused(path, "contains other files", null);
      }
      Files.createDirectories(path);
      return new DataFolder(path, isNew, lock(path));
    } catch (IOException e) {
      throw refused(path, "cannot be written (" + e + ")", e);
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
      throw new RefusedException(
          "--dir '"
              + folder
              + "' is in use by another process. End that process, or choose another folder");
    }
    return marker;
  }

  private static RefusedException refused(Object path, String what, @Nullable Exception cause) {
    return new RefusedException(
        "--dir '"
            + path
            + "' "
            + what
            + ". Expected a new or empty folder, or the folder of an earlier run. Choose another"
            + " folder",
        cause);
  }

  Path path() {
    return path;
  }

  /** Returns true if no cluster has used this folder before. */
  boolean isNew() {
    return isNew;
  }

  /** Deletes the folder and its content. */
  void delete() throws IOException {
    close();
    Deletion.deleteTree(path);
  }

  /** Unlocks the folder, so that another process can use it. */
  @Override
  public void close() throws IOException {
    marker.close();
  }
}
