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
package io.phoenixpruning.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system, made fit for a region server. Without its native library, Hadoop's starts
 * a process for every file and directory that it makes, only to set the permissions: at hundreds of
 * regions that is most of the time. And it writes checksum files, whose streams cannot be flushed,
 * so that a write-ahead log would lose its tail if the process died; HBase has checksums of its
 * own.
 */
public final class ForklessLocalFileSystem extends LocalFileSystem {

  /** Made by Hadoop, by the name of the class. */
  public ForklessLocalFileSystem() {
    super(new Raw());
    setWriteChecksum(false);
  }

  private static final class Raw extends RawLocalFileSystem {

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      PosixFileAttributeView file =
          Files.getFileAttributeView(pathToFile(path).toPath(), PosixFileAttributeView.class);
      if (file != null) {
        file.setPermissions(
            PosixFilePermissions.fromString(
                permission.getUserAction().SYMBOL
                    + permission.getGroupAction().SYMBOL
                    + permission.getOtherAction().SYMBOL));
      }
    }
  }
}
