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
package io.phoenixpruning.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A local file system for region servers that starts no processes and writes no checksum files.
 *
 * <p>Without its native library, Hadoop's local file system starts a process to set the permissions
 * of every new file or directory. At hundreds of regions, these processes take most of the time.
 *
 * <p>Hadoop also writes checksum files, whose streams cannot be flushed. A write-ahead log would
 * then lose its tail if the process died. HBase has its own checksums.
 */
public final class ForklessLocalFileSystem extends LocalFileSystem {

  /** Creates the file system. Hadoop calls this constructor by reflection. */
  public ForklessLocalFileSystem() {
    super(new Raw());
    setWriteChecksum(false);
    // If reads looked for checksums, each positional read would open the file again.
    setVerifyChecksum(false);
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
